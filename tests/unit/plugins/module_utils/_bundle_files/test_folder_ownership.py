# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nothing of others is removed or replaced: only what a bundle's index, checksums or notes name is a bundle's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import (
    keep_blob,
    keep_only,
    note_begun,
    owned_blobs,
    remove_bundle,
    worked_in,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    digest_of,
    simple_bundle,
)

INDEX, STORED = simple_bundle({"release": b"r" * 500, "etcd": b"e" * 300})
CHECKSUMS = "".join(f"{digest.hex}  {blob.path}\n" for digest, blob in INDEX.blobs.items()).encode()
CLOCK = SystemClock()
FOREIGN = digest_of(b"of something else")


@pytest.fixture
def folder(tmp_path: Path) -> BundleFolder:
    """A complete bundle, beside files and blobs of another format."""
    folder = BundleFolder(tmp_path / "disk")
    with worked_in(folder, CLOCK):
        for digest, content in STORED.items():
            keep_blob(folder, digest, content)
        folder.write_index(INDEX, CHECKSUMS)
        keep_only(folder, set(INDEX.blobs), owned_blobs(folder))
    (folder.path / "notes.txt").write_text("of the technician")
    folder.blob(FOREIGN).write_bytes(b"of something else")
    (folder.path / "blobs/mine.txt").write_text("mine")
    return folder


def files(folder: BundleFolder) -> set[str]:
    return {str(path.relative_to(folder.path)) for path in folder.path.rglob("*") if path.is_file()}


OTHERS = {"notes.txt", "blobs/mine.txt", f"blobs/sha256/{FOREIGN.hex}"}


def test_removing_leaves_what_is_not_the_bundles(folder: BundleFolder) -> None:
    assert remove_bundle(folder, CLOCK) is True
    assert files(folder) == OTHERS


def test_a_folder_with_nothing_else_goes(folder: BundleFolder) -> None:
    for name in OTHERS:
        (folder.path / name).unlink()
    assert remove_bundle(folder, CLOCK) is True
    assert not folder.path.exists()
    assert remove_bundle(folder, CLOCK) is False


@pytest.mark.parametrize("content", [b"{", b"", bytes(100)], ids=["cut off", "empty", "zeros"])
def test_a_damaged_index_is_still_the_bundles_by_its_checksums(folder: BundleFolder, content: bytes) -> None:
    folder.index_path.write_bytes(content)
    assert remove_bundle(folder, CLOCK) is True
    assert files(folder) == OTHERS


def test_a_removal_that_was_interrupted_is_completed(folder: BundleFolder) -> None:
    with worked_in(folder, CLOCK):
        for digest in INDEX.blobs:
            note_begun(folder, digest)
        for name in ("index.json", "SHA256SUMS"):
            (folder.path / name).unlink()
    assert remove_bundle(folder, CLOCK) is True
    assert files(folder) == OTHERS


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(lambda path: (path / "index.json").write_text("{}"), id="an index of something else"),
        pytest.param(lambda path: (path / "blobs/sha256").mkdir(parents=True), id="blobs of another format"),
        pytest.param(lambda path: (path / "oci-layout").write_text("{}"), id="an OCI layout"),
        pytest.param(
            lambda path: (
                (path / "index.json").write_text("{}"),
                (path / "SHA256SUMS").write_text(f"{'0' * 64}  app.iso\n"),
            ),
            id="checksums of something else",
        ),
    ],
)
def test_a_folder_of_something_else_is_neither_removed_nor_built_in(
    tmp_path: Path, plant: Callable[[Path], object]
) -> None:
    plant(tmp_path)
    folder = BundleFolder(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(BundleError, match="another format"), worked_in(folder, CLOCK):
        pass
    if folder.index_path.exists():
        with pytest.raises(BundleError, match="another format"):
            remove_bundle(folder, CLOCK)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_build_removes_what_it_began_and_does_not_need_any_more(folder: BundleFolder) -> None:
    left, unfinished = digest_of(b"of a tag that moved"), digest_of(b"begun only")
    with worked_in(folder, CLOCK):
        keep_blob(folder, left, b"of a tag that moved")
        note_begun(folder, unfinished)
        folder.part(unfinished).write_bytes(b"beg")
    with worked_in(folder, CLOCK):
        assert keep_only(folder, set(INDEX.blobs), owned_blobs(folder)) == 1
    assert files(folder) == OTHERS | {"index.json", "SHA256SUMS", *(blob.path for blob in INDEX.blobs.values())}


def test_one_process_works_in_a_folder_at_a_time(folder: BundleFolder) -> None:
    with worked_in(folder, CLOCK), pytest.raises(BundleError, match="another process"), worked_in(folder, CLOCK):
        pass
