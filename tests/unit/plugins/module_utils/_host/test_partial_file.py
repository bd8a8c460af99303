# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files that grow over several sittings: what was written stays, what was not published has no name."""

from __future__ import annotations

import hashlib
import mmap
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import (
    DiskFullError,
    FileAccessError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile

CONTENT = hashlib.shake_128(b"content").digest(3_000_001)
CHUNK = 512 * 1024
CHUNKS = [1, 4095, 4096, 100_000, CHUNK]

KILLED = """
import os, signal, sys
from pathlib import Path
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile
with PartialFile.opened(Path(sys.argv[1])) as partial:
    partial.write(b"x" * 1_000_000)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def aligned(content: bytes) -> memoryview:
    """Return the content in memory that begins with a page, as downloads have it."""
    memory = mmap.mmap(-1, max(1, len(content)))
    memory[: len(content)] = content
    return memoryview(memory)[: len(content)]


def write_all(path: Path, content: bytes, size: int, *, as_pages: bool = True) -> None:
    with PartialFile.opened(path) as partial:
        while partial.position < len(content):
            piece = content[partial.position : partial.position + size]
            partial.write(aligned(piece) if as_pages else piece)


@pytest.mark.parametrize("as_pages", [True, False], ids=["aligned memory", "any memory"])
@pytest.mark.parametrize("size", CHUNKS)
def test_what_is_written_in_any_portions_is_what_lies_there(tmp_path: Path, size: int, as_pages: bool) -> None:
    content = CONTENT[: 200 * size]
    write_all(tmp_path / "part", content, size, as_pages=as_pages)
    assert (tmp_path / "part").read_bytes() == content


def test_sizes_may_change_in_the_middle(tmp_path: Path) -> None:
    with PartialFile.opened(tmp_path / "part") as partial:
        for size in (CHUNK, 17, CHUNK, 4096 * 32, CHUNK - 17, CHUNK):
            partial.write(aligned(CONTENT[partial.position : partial.position + size]))
        position = partial.position
    assert (tmp_path / "part").read_bytes() == CONTENT[:position]


def test_the_next_sitting_continues(tmp_path: Path) -> None:
    write_all(tmp_path / "part", CONTENT[:1_234_567], CHUNK)
    with PartialFile.opened(tmp_path / "part") as partial:
        assert partial.position == 1_234_567
        assert b"".join(bytes(block) for block in partial.blocks()) == CONTENT[:1_234_567]
    write_all(tmp_path / "part", CONTENT, CHUNK)
    assert (tmp_path / "part").read_bytes() == CONTENT


def test_what_a_killed_process_wrote_is_there(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "part")], check=False)
    assert done.returncode == -9
    with PartialFile.opened(tmp_path / "part") as partial:
        assert partial.position == 1_000_000


def test_a_file_that_is_too_long_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "part").write_bytes(b"12345")
    with PartialFile.opened(tmp_path / "part", longest=4) as partial:
        assert partial.position == 0
    with PartialFile.opened(tmp_path / "other", longest=4) as partial:
        partial.write(b"1234")
    with PartialFile.opened(tmp_path / "other", longest=4) as partial:
        assert partial.position == 4


def test_restarting_throws_everything_away(tmp_path: Path) -> None:
    with PartialFile.opened(tmp_path / "part") as partial:
        partial.write(b"wrong")
        partial.restart()
        partial.write(b"right")
    assert (tmp_path / "part").read_bytes() == b"right"


def test_publishing_gives_the_name_and_the_mode(tmp_path: Path) -> None:
    with PartialFile.opened(tmp_path / "part") as partial:
        partial.write(b"content")
        assert not (tmp_path / "blob").exists()
        partial.publish(tmp_path / "blob")
    assert (tmp_path / "blob").read_bytes() == b"content"
    assert stat.S_IMODE((tmp_path / "blob").stat().st_mode) == 0o644
    assert not (tmp_path / "part").exists()


def test_publishing_replaces_what_had_the_name(tmp_path: Path) -> None:
    (tmp_path / "blob").write_bytes(b"damaged")
    with PartialFile.opened(tmp_path / "part") as partial:
        partial.write(b"right")
        partial.publish(tmp_path / "blob")
    assert (tmp_path / "blob").read_bytes() == b"right"


def test_an_empty_file_is_a_file(tmp_path: Path) -> None:
    with PartialFile.opened(tmp_path / "part") as partial:
        assert list(partial.blocks()) == []
        partial.publish(tmp_path / "blob")
    assert (tmp_path / "blob").read_bytes() == b""


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    (tmp_path / "part").symlink_to(victim)
    with pytest.raises(FileAccessError, match="symbolic link"), PartialFile.opened(tmp_path / "part"):
        pass
    assert victim.read_bytes() == b"precious"


def test_a_pipe_in_its_place_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "part")
    with pytest.raises(FileAccessError, match="not a regular file"), PartialFile.opened(tmp_path / "part"):
        pass


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError, match="does not exist"), PartialFile.opened(tmp_path / "no" / "part"):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_full_disk_keeps_what_it_took_and_goes_on_when_there_is_room(small_disk: Path) -> None:
    filler = small_disk / "filler"
    filler.write_bytes(bytes(150_000))
    with pytest.raises(DiskFullError, match="file system is full"):
        write_all(small_disk / "part", CONTENT[:200_000], CHUNK)
    with PartialFile.opened(small_disk / "part") as partial:
        taken = partial.position
        assert b"".join(bytes(block) for block in partial.blocks()) == CONTENT[:taken]
    assert 0 < taken < 200_000
    filler.unlink()
    write_all(small_disk / "part", CONTENT[:200_000], CHUNK)
    assert (small_disk / "part").read_bytes() == CONTENT[:200_000]
