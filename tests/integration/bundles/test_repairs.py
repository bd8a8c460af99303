# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is damaged is told exactly, and only that is brought again."""

from __future__ import annotations

import typing as t
from dataclasses import replace
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.repair_bundle import repair
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import (
    damage_report,
    look_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import (
    DamagedBundleError,
    NoSourceError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PREFIX_STEP
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder, tree_digest
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

LARGE = "registry.partner.example/edge/large:1"


@pytest.fixture
def built(builder: Builder, factory: ReleaseFactory, registry: Registry) -> Builder:
    """A bundle with one blob of three steps of 16 MiB and a bit."""
    image = factory.partner_image(PartnerSpec(LARGE, layers=(50 * MIB,), compressible=0.0))
    registry.storage.publish(factory.pool, [image])
    builder.settings["extra_images"] = [LARGE]
    builder.build()
    return builder


def largest(builder: Builder) -> t.Any:
    return max(builder.index.blobs.values(), key=lambda blob: blob.size)


def spoil(path: Path, offset: int) -> None:
    with path.open("r+b") as stream:
        stream.seek(offset)
        stream.write(b"\xa5\x5a" * 8)


def repaired(builder: Builder, *sources: Path, index_digest: Digest | None = None) -> dict[str, t.Any]:
    wanted = str(index_digest) if index_digest else None
    options = builder.document()["registry"]
    return repair(str(builder.path), [str(source) for source in sources], wanted, options, NoProgress())


def test_damage_tells_how_much_is_intact(built: Builder) -> None:
    blob = largest(built)
    assert len(blob.prefixes) == 3
    spoil(built.folder.blob(blob.digest), PREFIX_STEP + 5)
    spoil(built.folder.blob(blob.digest), 3 * PREFIX_STEP)
    (damage,) = damage_report(built.index, built.damages())
    assert (damage["blob"], damage["intact"]) == (str(blob.digest), PREFIX_STEP)
    assert damage["images"] == [str(built.index.images[-1].name)]


def test_sizes_alone_tell_what_is_missing(built: Builder) -> None:
    first, second = sorted(built.index.blobs.values(), key=lambda blob: blob.digest)[:2]
    built.folder.blob(first.digest).unlink()
    built.folder.blob(second.digest).write_bytes(b"")
    found = {str(damage.blob.digest): damage.problem for damage in look_at(built.folder, built.index)}
    assert found == {
        str(first.digest): "it is missing, or not a regular file",
        str(second.digest): f"it has 0 bytes instead of {second.size}",
    }


def test_only_what_is_damaged_is_fetched(built: Builder, registry: Registry) -> None:
    before = tree_digest(built.path)
    spoil(built.folder.blob(largest(built).digest), 2 * PREFIX_STEP + 17)
    mark = registry.access.mark()
    result = repaired(built)
    assert (result["changed"], result["fetched"]) == (True, PREFIX_STEP)
    assert sum(request.size for request in registry.access.requests(mark, kind="blobs", method="GET")) == PREFIX_STEP
    assert tree_digest(built.path) == before


def test_what_is_missing_or_short_is_fetched_whole(built: Builder) -> None:
    before = tree_digest(built.path)
    small = min(built.index.blobs.values(), key=lambda blob: blob.size if blob.size > 2000 else 1 << 40)
    built.folder.blob(small.digest).unlink()
    path = built.folder.blob(largest(built).digest)
    path.write_bytes(path.read_bytes()[:-1])
    result = repaired(built)
    assert sorted(result["repaired"]) == sorted([str(small.digest), str(largest(built).digest)])
    assert tree_digest(built.path) == before


def test_a_whole_bundle_is_left_as_it_is(built: Builder, registry: Registry) -> None:
    before = tree_digest(built.path)
    registry.stop()
    assert repaired(built)["changed"] is False
    assert tree_digest(built.path) == before


def test_a_copy_is_asked_before_any_registry(built: Builder, registry: Registry, tmp_path: Path) -> None:
    copy = built.elsewhere(tmp_path / "copy")
    copy.build()
    registry.stop()
    spoil(built.folder.blob(largest(built).digest), 5)
    spoil(copy.folder.blob(largest(built).digest), 2 * PREFIX_STEP)
    result = repaired(built, copy.path)
    assert (result["changed"], result["fetched"]) == (True, 0), "two damaged copies make a whole one"
    assert not built.damages()


def test_a_lost_index_comes_back_from_a_copy_if_its_digest_is_known(built: Builder, tmp_path: Path) -> None:
    copy = built.elsewhere(tmp_path / "copy")
    copy.build()
    digest = built.index.digest
    built.folder.index_path.write_bytes(b"\0" * 100)
    with pytest.raises(DamagedBundleError, match="index is missing, damaged"):
        repaired(built, copy.path)
    with pytest.raises(DamagedBundleError):
        repaired(built, copy.path, index_digest=Digest("0" * 64))
    assert repaired(built, copy.path, index_digest=digest)["changed"] is True
    assert built.index.digest == digest


def test_what_nobody_has_is_named(built: Builder, registry: Registry) -> None:
    blob = largest(built)
    spoil(built.folder.blob(blob.digest), 5)
    registry.storage.forget(blob.digest)
    with pytest.raises(NoSourceError) as caught:
        repaired(built)
    assert str(blob.digest) in caught.value.attempted
    assert caught.value.on == str(built.index.images[-1].name)


def test_an_index_that_contradicts_itself_is_no_base_for_repair(built: Builder) -> None:
    blob = largest(built)
    lying = replace(blob, prefixes=(blob.prefixes[1], *blob.prefixes[1:]))
    index = replace(built.index, blobs={**built.index.blobs, blob.digest: lying})
    built.folder.index_path.write_bytes(index.as_bytes())
    spoil(built.folder.blob(blob.digest), PREFIX_STEP + 5)
    with pytest.raises(NoSourceError):
        repaired(built)
