# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bundles on removable media whose file system keeps no modes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do import repair_bundle
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build import build_space, merge_bundles
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import verify_all
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder
from ansible_collections.fieldops.openshift.tests.integration.bundles.media_file_systems import (
    ModelessFolder,
    exfat_folder,
    modeless_folder,
)

__all__ = ["exfat_folder", "modeless_folder"]

PART = 200_000
BUILD = """
import json, sys
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_job import build
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress

print(json.dumps(build(json.load(sys.stdin), sys.argv[1], NoProgress(), None)))
"""


def times(folder: Path) -> dict[str, tuple[int, int]]:
    """Return when each file was written, and its size."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.stat().st_size) for path in files}


def build_apart(builder: Builder, folder: ModelessFolder) -> dict[str, t.Any]:
    """Build in a process with the environment of the folder."""
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder.path / "bundle")],
        input=json.dumps(builder.document()),
        env=folder.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    result: dict[str, t.Any] = json.loads(done.stdout)
    return result


class TestDisksWithoutLargeFiles:
    """FAT holds no file of 4 GiB: the limit is a smaller one here."""

    @pytest.fixture(autouse=True)
    def _small_files(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(build_space, "media_folder", lambda path: BundleFolder(path, part_size=PART))

    def test_large_blobs_are_kept_in_parts_and_verified(self, builder: Builder) -> None:
        assert builder.build()["changed"] is True
        large = [blob for blob in builder.index.blobs.values() if blob.size > PART]
        assert large
        for blob in large:
            assert not builder.folder.blob(blob.digest).exists()
        assert max(path.stat().st_size for path in builder.folder.blobs.iterdir()) == PART
        assert not builder.damages()
        assert builder.build()["changed"] is False

    def test_what_is_no_part_is_in_the_checksums(self, builder: Builder) -> None:
        builder.build()
        checked = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=builder.path, check=False)
        assert checked.returncode == 0

    def test_a_damaged_part_is_repaired_from_a_copy_in_parts(self, builder: Builder, tmp_path: Path) -> None:
        builder.build()
        copy = BundleFolder(tmp_path / "copy")
        merge_bundles.merge(str(copy.path), [str(builder.path)], NoProgress())
        blob = max(builder.index.blobs.values(), key=lambda blob: blob.size)
        part = builder.folder.blobs / f"{blob.digest.hex}.001"
        part.write_bytes(bytes(part.stat().st_size))
        assert len(builder.damages()) == 1
        options = builder.document()["registry"]
        result = repair_bundle.repair(str(builder.path), [str(copy.path)], None, options, NoProgress())
        assert (result["repaired"], result["fetched"]) == ([str(blob.digest)], 0)
        assert not builder.damages()

    def test_from_there_it_is_copied_to_a_disk_that_holds_whole_files(
        self, builder: Builder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        builder.build()
        monkeypatch.setattr(build_space, "media_folder", BundleFolder)
        merge_bundles.merge(str(tmp_path / "whole"), [str(builder.path)], NoProgress())
        whole = BundleFolder(tmp_path / "whole")
        assert all(whole.blob(digest).is_file() for digest in builder.index.blobs)
        assert not verify_all(whole, builder.index)


def test_exfat_keeps_no_modes(exfat_folder: Path) -> None:
    (exfat_folder / "file").touch(0o644)
    (exfat_folder / "file").chmod(0o600)
    assert (exfat_folder / "file").stat().st_mode & 0o777 == 0o777


def test_the_shim_changes_no_modes(modeless_folder: ModelessFolder) -> None:
    path = modeless_folder.path / "file"
    path.touch(0o600)
    script = "import os, sys; os.chmod(sys.argv[1], 0o644); os.fchmod(os.open(sys.argv[1], os.O_RDONLY), 0o755)"
    subprocess.run([sys.executable, "-c", script, str(path)], env=modeless_folder.environment, check=True)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_bundle_is_built_on_exfat(builder: Builder, exfat_folder: Path) -> None:
    on_drive = builder.elsewhere(exfat_folder / "bundle")
    assert on_drive.build()["changed"] is True
    assert not on_drive.damages()


def test_a_second_build_on_exfat_changes_nothing(builder: Builder, exfat_folder: Path) -> None:
    on_drive = builder.elsewhere(exfat_folder / "bundle")
    on_drive.build()
    os.sync()
    before = times(on_drive.path)
    assert on_drive.build()["changed"] is False
    assert times(on_drive.path) == before


def test_a_second_build_where_modes_stay_as_they_are_changes_nothing(
    builder: Builder, modeless_folder: ModelessFolder
) -> None:
    build_apart(builder, modeless_folder)
    before = times(modeless_folder.path)
    assert build_apart(builder, modeless_folder)["changed"] is False
    assert times(modeless_folder.path) == before
