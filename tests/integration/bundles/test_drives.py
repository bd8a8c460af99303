# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bundle that is built on several drives of limited size, straight from the registry."""

from __future__ import annotations

import os
import shutil
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build import build_job, merge_bundles
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_space import spread_folder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.drive_space import RESERVE
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.repair_bundle import repair
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import verify_all
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import DiskFullError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import KIB
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="file systems are root's")

Mounted = t.Callable[[str, int], Path]


@pytest.fixture
def mounted(tmp_path: Path) -> t.Iterator[Mounted]:
    """Mount a drive of a name and a size, of which some is left for the file system itself."""
    places: list[Path] = []

    def mount(name: str, size: int) -> Path:
        place = tmp_path / name
        place.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "drive", str(place)], check=True)
        places.append(place)
        return place / "bundle"

    yield mount
    for place in places:
        subprocess.run(["umount", str(place)], check=True)


def build(builder: Builder, *parts: Path, parity: Path | None = None) -> dict[str, t.Any]:
    """Build on the drive of the builder and on further ones."""
    others = [str(part) for part in parts]
    return build_job.build(
        builder.document(), str(builder.path), NoProgress(), None, others, str(parity) if parity is not None else None
    )


def drives_for(builder: Builder, mounted: Mounted, tmp_path: Path, share: float) -> tuple[Builder, Path]:
    """Return two drives, each of which takes this share of the bundle."""
    whole = builder.elsewhere(tmp_path / "whole")
    whole.build()
    size = int(whole.index.size * share) + 4 * KIB * len(whole.index.blobs) + RESERVE
    return builder.elsewhere(mounted("a", size)), mounted("b", size)


def test_a_bundle_that_no_drive_takes_is_built_on_two(builder: Builder, mounted: Mounted, tmp_path: Path) -> None:
    first, second = drives_for(builder, mounted, tmp_path, 0.6)
    with pytest.raises(DiskFullError):
        build(first)
    assert build(first, second)["changed"] is True
    index = BundleFolder(tmp_path / "whole").require_index()
    assert first.index.digest == BundleFolder(second).require_index().digest == index.digest
    assert not verify_all(spread_folder(str(first.path), [str(second)]), index)
    assert build(first, second)["changed"] is False


def test_what_two_drives_do_not_take_is_refused_before_it_is_fetched(
    builder: Builder, mounted: Mounted, tmp_path: Path
) -> None:
    first, second = drives_for(builder, mounted, tmp_path, 0.2)
    with pytest.raises(DiskFullError, match="do not fit, and a blob is not divided"):
        build(first, second)


def test_from_the_drives_it_becomes_the_same_bundle_again(builder: Builder, tmp_path: Path) -> None:
    whole = builder.elsewhere(tmp_path / "whole")
    whole.build()
    build(builder, tmp_path / "b", parity=tmp_path / "p")
    sources = [str(tmp_path / "p"), str(builder.path)]
    merge_bundles.merge(str(tmp_path / "copy"), sources, NoProgress())
    assert (tmp_path / "copy/index.json").read_bytes() == (whole.path / "index.json").read_bytes()
    assert not verify_all(BundleFolder(tmp_path / "copy"), whole.index)


def test_a_lost_drive_is_built_again_without_the_registry(builder: Builder, tmp_path: Path) -> None:
    build(builder, tmp_path / "b", parity=tmp_path / "p")
    shutil.rmtree(tmp_path / "b")
    access = {**builder.document()["registry"], "mirrors": []}
    result = repair(
        str(builder.path), [], None, access, NoProgress(), parts=[str(tmp_path / "b")], parity=str(tmp_path / "p")
    )
    assert (result["changed"], result["fetched"]) == (True, 0)
    assert not verify_all(spread_folder(str(builder.path), [str(tmp_path / "b")]), builder.index)
    assert build(builder, tmp_path / "b", parity=tmp_path / "p")["changed"] is False


def test_a_build_that_fails_in_the_middle_goes_on_where_it_was(
    builder: Builder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*_given: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(build_job, "publish_bundle", cut)
        with pytest.raises(KeyboardInterrupt):
            build(builder, tmp_path / "b")
    assert not (tmp_path / "b/index.json").exists()
    assert build(builder, tmp_path / "b")["fetched"] == 0
    assert not verify_all(spread_folder(str(builder.path), [str(tmp_path / "b")]), builder.index)
