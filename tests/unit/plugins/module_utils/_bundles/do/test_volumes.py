# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bundle on several drives: written, read in any order, verified, damaged, and repaired."""

from __future__ import annotations

import shutil
import subprocess
import typing as t
from dataclasses import replace
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import remove_bundle
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build import drive_space
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_space import spread_folder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.merge_bundles import merge
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.inspect_bundle import step_to_inspection
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.repair_bundle import repair
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import (
    on_other_drives,
    verify_all,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import DiskFullError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.free_space import FreeSpace, free_space
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import WrongContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import (
    PARITY_FILE,
    VOLUME_FILE,
    NeedsVolumeError,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    simple_bundle,
    write_folder,
)

CONTENTS = {f"component-{number}": bytes([number]) * (1000 + 97 * number) for number in range(30)}
NO_REGISTRY: dict[str, t.Any] = {
    "pull_secret": None,
    "auth_files": [],
    "registries_conf": None,
    "mirrors": [],
    "ca_file": None,
    "certs_dirs": [],
}


class Drives:
    """A bundle in one folder, and the folders of three drives."""

    def __init__(self, base: Path) -> None:
        self.index, stored = simple_bundle(CONTENTS)
        self.source = write_folder(base / "source", self.index, stored)
        (self.source / "index.json.asc").write_text("signature")
        self.a, self.b, self.p = (base / name / "bundle" for name in ("a", "b", "p"))

    def write(self, *, parity: bool = True) -> dict[str, t.Any]:
        """Copy the bundle to the drives."""
        return merge(str(self.a), [str(self.source)], NoProgress(), [str(self.b)], str(self.p) if parity else None)

    def copy(self, target: Path, *drives: Path) -> dict[str, t.Any]:
        """Copy what the connected drives have to a folder."""
        return merge(str(target), [str(drive) for drive in drives], NoProgress())

    def repair(self, **given: t.Any) -> dict[str, t.Any]:
        """Repair the drives with each other."""
        given = {"parts": [str(self.b)], "parity": str(self.p), **given}
        return repair(str(self.a), [], None, NO_REGISTRY, NoProgress(), **given)

    @property
    def together(self) -> BundleFolder:
        """The drives as one bundle."""
        return spread_folder(str(self.a), [str(self.b)])


@pytest.fixture
def drives(tmp_path: Path) -> Drives:
    return Drives(tmp_path)


def names(folder: Path) -> set[str]:
    return {path.name for path in (folder / "blobs/sha256").iterdir()}


def damage(folder: Path) -> Path:
    """Overwrite the largest blob in ``folder``."""
    path = max((folder / "blobs/sha256").iterdir(), key=lambda one: one.stat().st_size)
    path.write_bytes(bytes(path.stat().st_size))
    return path


def inspected(path: Path, *parts: Path, verification: str = "quick") -> dict[str, t.Any]:
    """Return what the module reports, with its sentence."""
    options = dict.fromkeys(("index_digest", "trusted_keys", "base", "site", "mirror_registry"))
    options.update({"path": str(path), "parts": [str(one) for one in parts], "verification": verification})
    step = step_to_inspection(options, SystemClock(), check_mode=False)
    assert step.done
    return {**step.objects, "sentence": step.sentence}


class TestWriting:
    def test_each_blob_is_on_one_drive_whole(self, drives: Drives) -> None:
        drives.write()
        assert names(drives.a) | names(drives.b) == {digest.hex for digest in drives.index.blobs}
        assert not names(drives.a) & names(drives.b)
        assert not names(drives.p)
        loads = [sum(drive.sizes()[0].values()) for drive in (BundleFolder(drives.a), BundleFolder(drives.b))]
        assert max(loads) - min(loads) < 5000

    def test_each_drive_has_the_same_index_and_signature(self, drives: Drives) -> None:
        drives.write()
        for name in ("index.json", "index.json.asc"):
            contents = {(drive / name).read_bytes() for drive in (drives.source, drives.a, drives.b, drives.p)}
            assert len(contents) == 1

    def test_each_drive_can_be_verified_by_itself(self, drives: Drives) -> None:
        drives.write()
        for drive in (drives.a, drives.b, drives.p):
            subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=drive, check=True)
            listed = {line[66:] for line in (drive / "SHA256SUMS").read_text().splitlines()} - {"index.json"}
            assert listed == {f"blobs/sha256/{name}" for name in names(drive)}

    def test_a_second_run_changes_nothing(self, drives: Drives) -> None:
        assert drives.write()["changed"] is True
        before = {path: path.stat().st_mtime_ns for path in drives.a.parents[1].rglob("*") if path.is_file()}
        assert drives.write()["changed"] is False
        assert {path: path.stat().st_mtime_ns for path in drives.a.parents[1].rglob("*") if path.is_file()} == before

    def test_the_parity_is_written_again_when_it_covers_other_blobs(self, drives: Drives) -> None:
        drives.write()
        before = (drives.p / PARITY_FILE).read_bytes()
        moved = max((drives.a / "blobs/sha256").iterdir(), key=lambda one: one.stat().st_size)
        shutil.move(moved, drives.b / "blobs/sha256")
        assert drives.write()["changed"] is True
        assert (drives.p / PARITY_FILE).read_bytes() != before
        shutil.rmtree(drives.b)
        drives.repair()
        assert not verify_all(drives.together, drives.index)

    def test_on_one_drive_there_is_no_document(self, drives: Drives) -> None:
        drives.write()
        shutil.copytree(drives.b / "blobs", drives.a / "blobs", dirs_exist_ok=True)
        drives.copy(drives.a, drives.source)
        assert not (drives.a / VOLUME_FILE).exists()

    def test_what_does_not_fit_is_refused_before_a_byte(self, drives: Drives, monkeypatch: pytest.MonkeyPatch) -> None:
        def small(path: Path) -> FreeSpace:
            return replace(free_space(path), free=drive_space.RESERVE + 10_000)

        monkeypatch.setattr(drive_space, "free_space", small)
        with pytest.raises(DiskFullError, match="a blob is not divided"):
            drives.write()
        assert not names(drives.a) | names(drives.b)


class TestReading:
    def test_all_drives_at_once(self, drives: Drives, tmp_path: Path) -> None:
        drives.write(parity=False)
        drives.copy(tmp_path / "copy", drives.b, drives.a)
        assert not verify_all(BundleFolder(tmp_path / "copy"), drives.index)

    @pytest.mark.parametrize("order", ["ab", "ba"])
    def test_one_after_the_other(self, drives: Drives, tmp_path: Path, order: str) -> None:
        drives.write(parity=False)
        first, second = ({"a": drives.a, "b": drives.b}[name] for name in order)
        with pytest.raises(NeedsVolumeError) as raised:
            drives.copy(tmp_path / "copy", first)
        other = "AB"["ab".index(order[1])]
        assert f"are there; still needs drive {other} with" in raised.value.seen
        assert [one["name"] for one in raised.value.partial["needed_volumes"]] == [other]
        assert {name for name in names(tmp_path / "copy") if ".part" not in name} == names(first)
        drives.copy(tmp_path / "copy", second)
        assert not verify_all(BundleFolder(tmp_path / "copy"), drives.index)

    def test_a_damaged_blob_is_told_apart_from_a_drive_that_is_not_there(self, drives: Drives, tmp_path: Path) -> None:
        drives.write(parity=False)
        damage(drives.a)
        with pytest.raises(NeedsVolumeError, match="damaged or missing on connected drives"):
            drives.copy(tmp_path / "copy", drives.a)

    def test_the_parity_replaces_a_drive(self, drives: Drives, tmp_path: Path) -> None:
        drives.write()
        drives.copy(tmp_path / "copy", drives.p, drives.b)
        assert not verify_all(BundleFolder(tmp_path / "copy"), drives.index)

    def test_the_parity_replaces_a_drive_in_one_port(self, drives: Drives, tmp_path: Path) -> None:
        drives.write()
        with pytest.raises(NeedsVolumeError, match=r"drive A with .*, or drive P, which replaces any one drive"):
            drives.copy(tmp_path / "copy", drives.b)
        drives.copy(tmp_path / "copy", drives.p)
        assert not verify_all(BundleFolder(tmp_path / "copy"), drives.index)


class TestInspecting:
    def test_all_drives(self, drives: Drives) -> None:
        drives.write()
        found = inspected(drives.b, drives.p, drives.a)
        assert (found["damage"], found["needed_volumes"]) == ([], [])
        assert "still needs" not in found["sentence"]

    def test_one_drive(self, drives: Drives) -> None:
        drives.write()
        found = inspected(drives.a)
        assert (found["intact"], found["damage"]) == (None, [])
        assert [one["name"] for one in found["needed_volumes"]] == ["B"]
        assert "still needs drive B" in found["sentence"]

    def test_what_a_drive_should_have_and_has_not_is_damage(self, drives: Drives) -> None:
        drives.write()
        lost = next((drives.a / "blobs/sha256").iterdir())
        lost.unlink()
        found = inspected(drives.a)
        assert found["intact"] is False
        assert [one["blob"] for one in found["damage"]] == [f"sha256:{lost.name}"]

    def test_a_document_hides_no_damage(self, drives: Drives) -> None:
        """Who changes a drive can write any document: what is on the drive is read all the same."""
        drives.write(parity=False)
        shutil.copy(drives.b / VOLUME_FILE, drives.a / VOLUME_FILE)
        changed = damage(drives.a)
        folder = BundleFolder(drives.a)
        damages = verify_all(folder, drives.index, on_other_drives(folder, drives.index))
        assert [damage.blob.digest.hex for damage in damages if "its digest is" in damage.problem] == [changed.name]

    def test_folders_of_different_bundles_are_refused(self, drives: Drives, tmp_path: Path) -> None:
        drives.write()
        index, stored = simple_bundle({"other": b"other"})
        with pytest.raises(WrongContentError, match="different bundles"):
            inspected(drives.a, write_folder(tmp_path / "other", index, stored))


class TestRepairing:
    def test_nothing_to_repair(self, drives: Drives) -> None:
        drives.write()
        result = drives.repair()
        assert (result["changed"], result["repaired"]) == (False, [])

    def test_one_damaged_blob(self, drives: Drives) -> None:
        drives.write()
        damaged = damage(drives.b)
        assert drives.repair()["repaired"] == [f"sha256:{damaged.name}"]
        assert not verify_all(drives.together, drives.index)
        assert drives.repair()["changed"] is False

    @pytest.mark.parametrize("lost", ["a", "b"])
    def test_a_lost_drive(self, drives: Drives, lost: str) -> None:
        drives.write()
        shutil.rmtree(getattr(drives, lost))
        result = drives.repair()
        assert (result["changed"], result["fetched"]) == (True, 0)
        assert not verify_all(drives.together, drives.index)
        assert (getattr(drives, lost) / "index.json.asc").read_text() == "signature"
        assert drives.repair()["changed"] is False

    def test_a_damaged_parity(self, drives: Drives) -> None:
        drives.write()
        path = drives.p / PARITY_FILE
        right = path.read_bytes()
        path.write_bytes(bytes(len(right)))
        assert drives.repair()["changed"] is True
        assert path.read_bytes() == right

    def test_one_drive_alone_takes_no_blobs_of_the_others(self, drives: Drives) -> None:
        drives.write()
        before = names(drives.a)
        assert drives.repair(parts=[], parity=None)["repaired"] == []
        assert names(drives.a) == before
        assert (drives.a / VOLUME_FILE).exists()


def test_a_bundle_on_drives_is_removed_from_all_of_them(drives: Drives) -> None:
    drives.write()
    (drives.b / "notes.txt").write_text("mine")
    assert remove_bundle(spread_folder(str(drives.a), [str(drives.b)], str(drives.p)), SystemClock())
    assert [path.name for path in drives.b.iterdir()] == ["notes.txt"]
    assert not drives.a.exists()
    assert not drives.p.exists()
