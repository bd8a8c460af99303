# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A blob as one file or in numbered parts: read alike, resumed alike, and never more than what was opened."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_files import (
    BlobReader,
    PartedFile,
    blob_size,
    part_path,
    remove_blob,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError

CONTENT = bytes(range(250)) * 4
PART = 300


@pytest.fixture
def blob(tmp_path: Path) -> Path:
    return tmp_path / "blob"


def read(blob: Path, start: int = 0, stop: int | None = None) -> bytes | None:
    with BlobReader.opened(blob) as reader:
        return None if reader is None else b"".join(bytes(block) for block in reader.blocks(start, stop))


def write_parts(blob: Path, content: bytes = CONTENT) -> None:
    with PartedFile.opened(blob.with_suffix(".part"), PART, longest=len(CONTENT)) as file:
        file.write(content[file.position :])
        if file.position == len(CONTENT):
            file.publish(blob)


@pytest.mark.parametrize("in_parts", [False, True], ids=["one file", "parts"])
@pytest.mark.parametrize(("start", "stop"), [(0, None), (0, 1), (299, 301), (300, 600), (650, None), (1000, None)])
def test_any_range_is_read(blob: Path, in_parts: bool, start: int, stop: int | None) -> None:
    write_parts(blob) if in_parts else blob.write_bytes(CONTENT)
    assert blob_size(blob) == len(CONTENT)
    assert read(blob, start, stop) == CONTENT[start:stop]


def test_no_part_is_larger_than_allowed(blob: Path) -> None:
    write_parts(blob)
    assert [path.stat().st_size for path in sorted(blob.parent.iterdir())] == [300, 300, 300, 100]
    assert sorted(path.name for path in blob.parent.iterdir()) == ["blob.000", "blob.001", "blob.002", "blob.003"]


def test_content_that_ends_with_a_part_has_no_empty_one(blob: Path) -> None:
    with PartedFile.opened(blob.with_suffix(".part"), 500, longest=1000) as file:
        file.write(CONTENT)
        file.publish(blob)
    assert sorted(path.name for path in blob.parent.iterdir()) == ["blob.000", "blob.001"]


@pytest.mark.parametrize("begun", [0, 1, 299, 300, 301, 999])
def test_what_was_begun_is_continued(blob: Path, begun: int) -> None:
    write_parts(blob, CONTENT[:begun])
    with PartedFile.opened(blob.with_suffix(".part"), PART, longest=len(CONTENT)) as file:
        assert file.position == begun
        assert b"".join(bytes(block) for block in file.blocks()) == CONTENT[:begun]
    write_parts(blob)
    assert read(blob) == CONTENT


@pytest.mark.parametrize("kept", [0, 299, 300, 450])
def test_what_is_not_kept_goes(blob: Path, kept: int) -> None:
    write_parts(blob, CONTENT[:999])
    with PartedFile.opened(blob.with_suffix(".part"), PART, longest=len(CONTENT)) as file:
        file.keep(kept)
        assert file.position == kept
        file.write(CONTENT[kept:])
        file.publish(blob)
    assert read(blob) == CONTENT


def test_parts_of_another_sitting_do_not_survive(blob: Path) -> None:
    for number in range(9):
        part_path(blob, number).write_bytes(b"old")
    write_parts(blob)
    assert read(blob) == CONTENT


def test_removing_takes_every_part(blob: Path) -> None:
    write_parts(blob)
    assert remove_blob(blob) is True
    assert not list(blob.parent.iterdir())
    assert remove_blob(blob) is False


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(lambda path: path.symlink_to("/dev/zero"), id="a link to endless bytes"),
        pytest.param(os.mkfifo, id="a pipe that nothing writes to"),
        pytest.param(lambda path: path.mkdir(), id="a folder"),
    ],
)
def test_what_is_no_regular_file_is_refused_and_never_waited_for(blob: Path, plant: Callable[[Path], None]) -> None:
    plant(blob)
    ended: list[object] = []

    def attempt() -> None:
        with pytest.raises(FileAccessError):
            read(blob)
        ended.append(True)

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(5)
    assert ended
    assert blob_size(blob) is None


def test_a_file_that_grows_is_read_as_it_was_opened(blob: Path) -> None:
    blob.write_bytes(CONTENT)
    with BlobReader.opened(blob) as reader:
        assert reader is not None
        blob.write_bytes(CONTENT * 2)
        assert b"".join(bytes(block) for block in reader.blocks()) == CONTENT


def test_a_file_that_shrinks_is_an_error(blob: Path) -> None:
    blob.write_bytes(CONTENT)
    with BlobReader.opened(blob) as reader:
        assert reader is not None
        blob.write_bytes(b"")
        with pytest.raises(FileAccessError):
            list(reader.blocks())
