# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A real machine for the door's tests: this one, with real time."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline


@pytest.fixture
def host() -> Host:
    return Host(SystemClock())


@pytest.fixture
def seconds() -> Callable[[float], Deadline]:
    """Real deadlines: ``seconds(10)``."""
    return lambda number: Deadline(number, SystemClock())


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A writable file system of 256 KiB and 20 inodes; only for root."""
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k,nr_inodes=20", "none", str(disk)], check=True)
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.fixture
def remount() -> Callable[[Path, str], None]:
    """Change the options of a mounted file system: ``remount(path, "ro")``."""

    def change(path: Path, options: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{options}", str(path)], check=True)

    return change
