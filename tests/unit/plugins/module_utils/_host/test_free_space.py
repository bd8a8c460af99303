# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Free space where something is going to be written."""

from __future__ import annotations

import os
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.free_space import FreeSpace, free_space

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="file systems are root's")


@as_root
def test_a_small_disk(small_disk: Path) -> None:
    space = free_space(small_disk)
    assert (space.total, space.read_only) == (256 * 1024, False)
    assert 0 < space.free <= space.total
    assert 0 < space.inodes_free < space.inodes_total
    assert space.takes(space.free, files=space.inodes_free)
    assert not space.takes(space.free + 1)
    assert not space.takes(0, files=space.inodes_free + 1)


@as_root
def test_a_read_only_disk_takes_nothing(small_disk: Path, remount: t.Callable[[Path, str], None]) -> None:
    remount(small_disk, "ro")
    assert not free_space(small_disk).takes(0)


def test_of_a_path_to_come_the_nearest_directory_counts(tmp_path: Path) -> None:
    assert free_space(tmp_path / "not/yet/there").path == tmp_path


def test_file_systems_without_a_number_of_inodes(tmp_path: Path) -> None:
    assert FreeSpace(tmp_path, total=10, free=10, inodes_total=0, inodes_free=0, read_only=False).takes(10, files=99)
