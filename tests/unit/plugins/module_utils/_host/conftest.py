# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A real machine for the door's tests: this one, with real time."""

from __future__ import annotations

import os
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs import Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator


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


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "jobs"


@pytest.fixture
def jobs(host: Host, base: Path, seconds: Callable[[float], Deadline]) -> Iterator[Jobs]:
    """Jobs as detached processes, none of which survives the test."""
    jobs = Jobs(host, base, systemd=False)
    yield jobs
    for directory in base.glob("[a-z]*"):
        jobs.cancel(directory.name, deadline=seconds(20), grace=0)


class Pipe:
    """A named pipe as an event that a job waits for."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = str(path)

    def release(self, text: str = "go") -> None:
        """Let the job go on; returns when it does."""
        Path(self.path).write_text(text)


@pytest.fixture
def pipe(tmp_path: Path) -> Pipe:
    return Pipe(tmp_path / "pipe")
