# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Files: whole or not at all, bounded, and following no link."""

from __future__ import annotations

import os
import socket
import stat
import typing as t
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._host import files
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import (
    DiskFullError,
    FileAccessError,
    FileContentError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import (
    read_end,
    read_file,
    read_json,
    remove_file,
    write_file,
    write_json,
)

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="owners and file systems are root's")

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


def names(directory: Path) -> list[str]:
    return sorted(entry.name for entry in directory.iterdir())


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


class TestWrite:
    def test_a_new_file_has_the_content_and_the_mode_whatever_the_umask(self, tmp_path: Path) -> None:
        old = os.umask(0o077)
        try:
            assert write_file(tmp_path / "f", "grüße\n", mode=0o664)
        finally:
            os.umask(old)
        assert (tmp_path / "f").read_text() == "grüße\n"
        assert mode_of(tmp_path / "f") == 0o664

    def test_the_same_again_changes_nothing(self, tmp_path: Path) -> None:
        path = tmp_path / "f"
        write_file(path, b"x")
        before = path.stat()
        assert not write_file(path, b"x")
        assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)

    @pytest.mark.parametrize(
        ("content", "mode"), [(b"y", 0o644), (b"xx", 0o644), (b"x", 0o600)], ids=["content", "length", "mode"]
    )
    def test_any_difference_is_a_change(self, tmp_path: Path, content: bytes, mode: int) -> None:
        path = tmp_path / "f"
        write_file(path, b"x", mode=0o644)
        assert write_file(path, content, mode=mode)
        assert (path.read_bytes(), mode_of(path)) == (content, mode)

    def test_a_reader_of_the_old_file_keeps_it_whole(self, tmp_path: Path) -> None:
        path = tmp_path / "f"
        write_file(path, b"old" * 1000)
        with path.open("rb") as reader:
            write_file(path, b"new")
            assert reader.read() == b"old" * 1000

    @as_root
    def test_the_owner_is_kept(self, tmp_path: Path) -> None:
        path = tmp_path / "f"
        write_file(path, b"x")
        os.chown(path, 12, 34)
        assert write_file(path, b"y")
        assert (path.stat().st_uid, path.stat().st_gid) == (12, 34)

    def test_nothing_else_is_left_in_the_directory(self, tmp_path: Path) -> None:
        write_file(tmp_path / "f", b"x")
        assert names(tmp_path) == ["f"]


class TestRefusals:
    def test_a_link_is_not_followed_and_stays(self, tmp_path: Path) -> None:
        (tmp_path / "target").write_text("precious")
        (tmp_path / "f").symlink_to("target")
        with pytest.raises(FileAccessError, match="symbolic link"):
            write_file(tmp_path / "f", b"x")
        assert (tmp_path / "target").read_text() == "precious"
        assert (tmp_path / "f").is_symlink()

    def test_a_directory_is_said_to_be_one(self, tmp_path: Path) -> None:
        (tmp_path / "f").mkdir()
        with pytest.raises(FileAccessError, match=r"it is a directory\. Move that directory"):
            write_file(tmp_path / "f", b"x")

    def test_a_missing_directory_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(FileAccessError, match=f"Create {tmp_path}/a first"):
            write_file(tmp_path / "a" / "f", b"x")

    def test_a_file_in_place_of_the_directory(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("")
        with pytest.raises(FileAccessError, match="not a directory"):
            write_file(tmp_path / "a" / "f", b"x")

    def test_a_name_too_long(self, tmp_path: Path) -> None:
        with pytest.raises(FileAccessError, match="name is too long"):
            write_file(tmp_path / ("n" * 300), b"x")

    def test_a_failure_in_the_middle_leaves_the_old_file_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_file(tmp_path / "f", b"old")

        def fail(*_given: object) -> t.NoReturn:
            raise KeyboardInterrupt

        monkeypatch.setattr(files, "set_mode", fail)
        with pytest.raises(KeyboardInterrupt):
            write_file(tmp_path / "f", b"new")
        assert names(tmp_path) == ["f"]
        assert (tmp_path / "f").read_bytes() == b"old"

    @as_root
    def test_a_full_disk(self, small_disk: Path) -> None:
        write_file(small_disk / "f", b"old")
        with pytest.raises(DiskFullError, match=r"file system is full. Free space \(df -h\)") as caught:
            write_file(small_disk / "f", b"n" * 1_000_000)
        assert caught.value.kind == "disk_full"
        assert names(small_disk) == ["f"]
        assert (small_disk / "f").read_bytes() == b"old"

    @as_root
    def test_a_read_only_disk(self, small_disk: Path, remount: t.Callable[[Path, str], None]) -> None:
        remount(small_disk, "ro")
        with pytest.raises(FileAccessError, match="read-only"):
            write_file(small_disk / "f", b"x")


class TestRead:
    def test_content(self, tmp_path: Path) -> None:
        (tmp_path / "f").write_bytes(b"\xff\x00")
        assert read_file(tmp_path / "f") == b"\xff\x00"

    @pytest.mark.parametrize("path", ["f", "a/f"])
    def test_absent_is_none(self, tmp_path: Path, path: str) -> None:
        assert read_file(tmp_path / path) is None

    def test_the_bound_counts(self, tmp_path: Path) -> None:
        (tmp_path / "f").write_bytes(b"12345")
        assert read_file(tmp_path / "f", limit=5) == b"12345"
        with pytest.raises(FileAccessError, match="larger than 4 bytes"):
            read_file(tmp_path / "f", limit=4)

    def test_files_of_the_kernel_have_no_size_but_content(self) -> None:
        assert b"Name:" in (read_file(Path("/proc/self/status")) or b"")

    def test_what_is_no_file_is_refused_without_waiting(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "fifo")
        (tmp_path / "link").symlink_to("fifo")
        (tmp_path / "dir").mkdir()
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(tmp_path / "socket"))
        for name in names(tmp_path):
            with pytest.raises(FileAccessError):
                read_file(tmp_path / name)


class TestReadEnd:
    @pytest.mark.parametrize(("size", "end"), [(3, b"789"), (100, b"123456789"), (0, b"")])
    def test_only_the_end_is_read(self, tmp_path: Path, size: int, end: bytes) -> None:
        (tmp_path / "f").write_bytes(b"123456789")
        assert read_end(tmp_path / "f", size) == end

    def test_without_a_file_there_is_none(self, tmp_path: Path) -> None:
        assert read_end(tmp_path / "f", 10) == b""


class TestJson:
    @settings(max_examples=30)
    @given(JSON)
    def test_what_is_written_is_read(self, tmp_path_factory: pytest.TempPathFactory, document: t.Any) -> None:
        path = tmp_path_factory.getbasetemp() / "document.json"
        write_json(path, document, durable=False)
        assert read_json(path) == document
        assert not write_json(path, document, durable=False)

    def test_names_that_are_not_utf8_survive(self, tmp_path: Path) -> None:
        document = {os.fsdecode(b"caf\xe9"): ["ü"]}
        write_json(tmp_path / "f", document)
        assert read_json(tmp_path / "f") == document
        assert (tmp_path / "f").read_bytes().isascii()

    def test_it_is_made_for_people_too(self, tmp_path: Path) -> None:
        write_json(tmp_path / "f", {"b": "ü", "a": 1})
        assert (tmp_path / "f").read_text() == '{\n  "a": 1,\n  "b": "ü"\n}\n'

    def test_absent_is_none(self, tmp_path: Path) -> None:
        assert read_json(tmp_path / "f") is None

    @pytest.mark.parametrize(
        "content",
        [b"", b'{"a": ', b"\xff\xfe", b"[" * 200_000, b"nul\0"],
        ids=["empty", "torn", "not-utf8", "too-deep", "nul"],
    )
    def test_what_is_no_json_is_an_error_that_says_so(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "f").write_bytes(content)
        with pytest.raises(FileContentError, match=f"it has {len(content)} bytes"):
            read_json(tmp_path / "f")

    def test_numbers_that_json_lacks_are_not_written(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="JSON compliant"):
            write_json(tmp_path / "f", float("nan"))
        assert names(tmp_path) == []


class TestRemove:
    def test_a_file_goes_once(self, tmp_path: Path) -> None:
        write_file(tmp_path / "f", b"x")
        assert remove_file(tmp_path / "f")
        assert not remove_file(tmp_path / "f")

    def test_without_a_directory_there_is_no_file(self, tmp_path: Path) -> None:
        assert not remove_file(tmp_path / "a" / "f")

    def test_of_a_link_only_the_link_goes(self, tmp_path: Path) -> None:
        (tmp_path / "target").write_text("precious")
        (tmp_path / "f").symlink_to("target")
        assert remove_file(tmp_path / "f")
        assert names(tmp_path) == ["target"]

    def test_a_directory_stays(self, tmp_path: Path) -> None:
        (tmp_path / "d").mkdir()
        with pytest.raises(FileAccessError, match="directory"):
            remove_file(tmp_path / "d")
