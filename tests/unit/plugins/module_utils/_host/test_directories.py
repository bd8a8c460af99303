# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Directories: made, kept private, removed."""

from __future__ import annotations

import os
import stat
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import (
    ensure_directory,
    ensure_private_directory,
    remove_tree,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import DiskFullError, FileAccessError

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="owners and file systems are root's")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_a_directory_is_made_with_those_above_it(tmp_path: Path) -> None:
    assert ensure_directory(tmp_path / "a/b", mode=0o750)
    assert mode_of(tmp_path / "a/b") == 0o750
    assert not ensure_directory(tmp_path / "a/b", mode=0o750)


def test_a_wrong_mode_is_corrected(tmp_path: Path) -> None:
    ensure_directory(tmp_path / "d", mode=0o700)
    assert ensure_directory(tmp_path / "d", mode=0o711)
    assert mode_of(tmp_path / "d") == 0o711


@pytest.mark.parametrize("ensure", [ensure_directory, ensure_private_directory])
def test_a_link_to_a_directory_is_no_directory(tmp_path: Path, ensure: t.Callable[[Path], bool]) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "d").symlink_to("elsewhere")
    with pytest.raises(FileAccessError):
        ensure(tmp_path / "d")


@pytest.mark.parametrize("ensure", [ensure_directory, ensure_private_directory])
def test_a_file_is_in_the_way(tmp_path: Path, ensure: t.Callable[[Path], bool]) -> None:
    (tmp_path / "d").write_text("")
    with pytest.raises(FileAccessError, match="not a directory"):
        ensure(tmp_path / "d")


class TestPrivate:
    def test_only_we_may_enter(self, tmp_path: Path) -> None:
        assert ensure_private_directory(tmp_path / "d")
        assert mode_of(tmp_path / "d") == 0o700
        assert not ensure_private_directory(tmp_path / "d")

    def test_one_that_others_could_read_is_closed(self, tmp_path: Path) -> None:
        ensure_directory(tmp_path / "d", mode=0o755)
        assert ensure_private_directory(tmp_path / "d")
        assert mode_of(tmp_path / "d") == 0o700

    @pytest.mark.parametrize("mode", [0o770, 0o777, 0o1777])
    def test_one_that_others_could_write_is_refused(self, tmp_path: Path, mode: int) -> None:
        ensure_directory(tmp_path / "d", mode=mode)
        with pytest.raises(FileAccessError, match=f"other users can write to it .mode {mode:04o}"):
            ensure_private_directory(tmp_path / "d")

    @as_root
    def test_one_of_somebody_else_is_refused(self, tmp_path: Path) -> None:
        ensure_directory(tmp_path / "d", mode=0o700)
        os.chown(tmp_path / "d", 12, 34)
        with pytest.raises(FileAccessError, match="owned by user 12"):
            ensure_private_directory(tmp_path / "d")


class TestRemoveTree:
    def test_it_goes_with_all_in_it_once(self, tmp_path: Path) -> None:
        ensure_directory(tmp_path / "d/e")
        (tmp_path / "d/e/f").write_text("x")
        assert remove_tree(tmp_path / "d")
        assert not remove_tree(tmp_path / "d")

    def test_links_in_it_are_not_followed(self, tmp_path: Path) -> None:
        ensure_directory(tmp_path / "precious/inner")
        ensure_directory(tmp_path / "d")
        (tmp_path / "d/link").symlink_to(tmp_path / "precious")
        remove_tree(tmp_path / "d")
        assert (tmp_path / "precious/inner").is_dir()

    def test_a_link_itself_is_refused(self, tmp_path: Path) -> None:
        ensure_directory(tmp_path / "precious")
        (tmp_path / "d").symlink_to("precious")
        with pytest.raises(FileAccessError, match="symbolic link"):
            remove_tree(tmp_path / "d")
        assert (tmp_path / "precious").is_dir()


@as_root
def test_a_disk_without_inodes_is_full(small_disk: Path) -> None:
    def fill() -> None:
        for number in range(100):
            ensure_directory(small_disk / str(number))

    with pytest.raises(DiskFullError, match=r"inodes \(df -i\)"):
        fill()
