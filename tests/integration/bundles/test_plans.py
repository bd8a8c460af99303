# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A plan is built exactly, and refused with what changed before a layer is downloaded."""

from __future__ import annotations

import json
import re
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files import transfer_progress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PlanChangedError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_job import BuildWork
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_space import spread_folder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import BundleRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder
from ansible_collections.fieldops.openshift.tests.lab.registry.cosign import CosignKey, cosign_signature
from ansible_collections.fieldops.openshift.tests.lab.registry.images import NamedImage
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

PARTNER = PartnerSpec().reference


@pytest.fixture
def partner(builder: Builder, registry: Registry, factory: ReleaseFactory) -> NamedImage:
    """An image of a partner that the builder includes by its tag."""
    image = factory.partner_image()
    registry.storage.publish(factory.pool, [image])
    builder.settings["extra_images"] = [PARTNER]
    return image


@pytest.fixture
def plan(builder: Builder, partner: NamedImage, tmp_path: Path) -> str:  # noqa: ARG001
    """The file of the plan that check mode returns."""
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(builder.forecast()["plan"]))
    return str(path)


def test_what_was_planned_is_built(builder: Builder, plan: str, tmp_path: Path) -> None:
    builder.build(plan=plan)
    unplanned = builder.elsewhere(tmp_path / "other")
    unplanned.build()
    assert builder.index.as_bytes() == unplanned.index.as_bytes()
    assert builder.build(plan=plan)["changed"] is False


def test_sizes_of_a_plan_are_those_of_the_bundle(builder: Builder, partner: NamedImage) -> None:  # noqa: ARG001
    seen = builder.forecast()
    builder.build()
    assert (seen["content"]["size"], seen["content"]["missing"]) == (builder.index.size, builder.index.size)
    assert seen["plan"]["size"] == builder.index.size
    parts = {(row["reason"], row["name"]): row for row in seen["content"]["rows"]}
    assert parts["extra", ""]["count"] == 1
    assert parts["component", "aws"]["own"] > 0
    after = builder.forecast()["content"]
    assert (after["missing"], after["node"]["estimated"]) == (0, False), "the bundle knows what its layers take"


def test_what_another_bundle_in_the_folder_takes_is_named(builder: Builder) -> None:
    builder.build()
    before, builder.settings["exclude"] = builder.index.size, ["etcd"]
    space = builder.forecast()["space"]
    builder.build()
    assert (space["missing"], space["obsolete"]) == (0, before - builder.index.size)


def test_each_of_several_drives_is_named(builder: Builder, tmp_path: Path) -> None:
    drives = [str(tmp_path / name) for name in ("a", "b")]
    request = BundleRequest.from_document(builder.document())
    space = BuildWork(request, spread_folder(drives[0], drives[1:]), SystemClock(), NoProgress()).forecast()["space"]
    assert [one["path"] for one in space["media"]] == drives
    assert (space["fits"], space["lacking"], space["free"]) == (True, 0, sum(one["free"] for one in space["media"]))


class Recorder:
    """Keeps the sentences of a build."""

    def __init__(self) -> None:
        self.sentences: list[str] = []

    def report(self, sentence: str | None = None, **_counts: t.Any) -> None:
        """Take note of a sentence."""
        self.sentences += [sentence] if sentence else []


def test_the_progress_names_the_servers(builder: Builder, registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer_progress, "SENTENCE_SECONDS", 0.0)
    monkeypatch.setattr(transfer_progress, "COUNT_SECONDS", 0.0)
    recorder = Recorder()
    BuildWork(BundleRequest.from_document(builder.document()), builder.folder, SystemClock(), recorder).perform()
    said = re.compile(rf"image \d+ of \d+, fetched .* of .* from {re.escape(registry.host)}\b")
    assert any(said.match(sentence) for sentence in recorder.sentences)


def test_a_tag_that_moved_is_refused_before_a_layer_is_fetched(
    builder: Builder, plan: str, partner: NamedImage, registry: Registry, factory: ReleaseFactory, release: Release
) -> None:
    other = factory.partner_image(PartnerSpec(seed=1))
    registry.storage.publish(factory.pool, [other])
    mark = registry.access.mark()
    with pytest.raises(PlanChangedError) as refused:
        builder.build(plan=plan)
    repository = PARTNER.partition(":")[0]
    planned, now = (f"{repository}@{one.image.digest}" for one in (partner, other))
    assert refused.value.seen == f"extra {PARTNER} is {now}, and {planned} in the plan"
    fetched = {request.name for request in registry.access.requests(mark, kind="blobs", method="GET")}
    components = [layer.digest for one in release.components.values() for layer in one.instances[0].layers]
    assert not fetched & {str(digest) for digest in components}
    assert not builder.folder.index_path.exists()


def test_check_mode_refuses_it_as_well(builder: Builder, plan: str) -> None:
    builder.settings["exclude"] = ["etcd"]
    with pytest.raises(PlanChangedError, match=r"component etcd quay\.io/.* is in the plan only"):
        builder.forecast(plan=plan)


def test_a_signature_that_came_later_is_named(
    builder: Builder, plan: str, partner: NamedImage, registry: Registry, factory: ReleaseFactory, tmp_path: Path
) -> None:
    key = CosignKey.create(tmp_path)
    registry.storage.publish(factory.pool, [cosign_signature(factory.pool, key, partner.reference)])
    with pytest.raises(PlanChangedError, match=f"signatures of {partner.image.digest}: 1 not in the plan"):
        builder.build(plan=plan)
    assert not builder.folder.index_path.exists()


def test_another_file_is_no_plan(builder: Builder, tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text('{"kind": "FieldOpsBundle"}')
    for name in ("index.json", "missing.json"):
        with pytest.raises(InvalidInputError, match="it is not the plan of a bundle"):
            builder.build(plan=str(tmp_path / name))
