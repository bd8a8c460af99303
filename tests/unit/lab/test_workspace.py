# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Processes of a workspace end with it, with their owner, and with their leash."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import subprocess
import sys
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace, sweep_abandoned

OWNER = """
import sys
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace
workspace = Workspace("test")
print(workspace.start("sleeper", ["sleep", "1000"]).pid, workspace.directory, flush=True)
sys.stdin.read()
"""

POLITE = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended well"))
print("started", flush=True)
time.sleep(1000)
"""


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    made = Workspace("test")
    yield made
    made.close()


def test_closing_ends_the_processes_and_removes_the_directory() -> None:
    workspace = Workspace("test")
    sleeper = workspace.start("sleeper", ["sleep", "1000"])
    with Watched(sleeper.pid) as descriptor:
        workspace.close()
        assert has_ended(descriptor)
    assert not workspace.directory.exists()


def test_closing_twice_is_closing_once(workspace: Workspace) -> None:
    workspace.close()
    workspace.close()


def test_an_owner_that_is_killed_leaves_nothing() -> None:
    owner = subprocess.Popen([sys.executable, "-c", OWNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert owner.stdout
    assert owner.stdin
    pid, directory = owner.stdout.readline().split()
    with Watched(int(pid)) as descriptor:
        owner.kill()
        assert has_ended(descriptor)
    owner.wait()
    owner.stdout.close()
    owner.stdin.close()
    assert wait_removed(Path(directory))


def test_a_leash_that_is_killed_takes_its_process_along(workspace: Workspace) -> None:
    sleeper = workspace.start("sleeper", ["sleep", "1000"])
    leash = int(Path(f"/proc/{sleeper.pid}/stat").read_text().rpartition(")")[2].split()[1])
    with Watched(sleeper.pid) as descriptor:
        os.kill(leash, signal.SIGKILL)
        assert has_ended(descriptor)


def test_stopping_lets_a_process_end_by_itself(workspace: Workspace) -> None:
    process = workspace.start("polite", [sys.executable, "-c", POLITE])
    while not process.log.exists() or not process.log.read_text():
        process.require_running()
    process.stop()
    assert "ended well" in process.log.read_text()


def test_a_process_that_ended_is_reported_with_its_last_words(workspace: Workspace) -> None:
    process = workspace.start("failing", [sys.executable, "-c", "import sys; sys.exit('no disk')"])
    assert process.wait(10)
    with pytest.raises(LabError, match="exit status 1: no disk"):
        process.require_running()


def test_the_directory_of_a_living_owner_is_not_swept(workspace: Workspace) -> None:
    assert workspace.directory not in sweep_abandoned()
    assert workspace.directory.is_dir()


def test_a_directory_that_nobody_holds_is_swept(workspace: Workspace) -> None:
    abandoned = workspace.directory.with_name(f"{workspace.directory.name}x")
    abandoned.mkdir()
    (abandoned / ".lock").touch()
    assert abandoned in sweep_abandoned()
    assert not abandoned.exists()


def test_a_directory_that_is_swept_before_it_is_locked_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sweep looks for directories that nobody holds, and may find one that is a moment old."""
    taken: list[Path] = []
    lock = fcntl.flock

    def sweep_first(handle: t.TextIO, operation: int) -> None:
        directory = Path(handle.name).parent
        if operation == fcntl.LOCK_SH and not taken:
            taken.append(directory)
            assert directory in sweep_abandoned()
        lock(handle, operation)

    monkeypatch.setattr(fcntl, "flock", sweep_first)
    workspace = Workspace("test")
    assert taken != [workspace.directory]
    assert not taken[0].exists()
    assert workspace.directory.is_dir()
    workspace.close()


class Watched:
    """A process watched by a file descriptor that becomes readable when it has ended (pidfd_open(2))."""

    def __init__(self, pid: int) -> None:
        self._descriptor = os.pidfd_open(pid)

    def __enter__(self) -> int:
        return self._descriptor

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)


def has_ended(descriptor: int) -> bool:
    return bool(select.select([descriptor], [], [], 10)[0])


def wait_removed(directory: Path) -> bool:
    from ansible_collections.fieldops.openshift.tests.lab.workspace import LOCK

    lock = directory / LOCK
    for _again in range(1000):
        if not lock.exists() and not directory.exists():
            return True
        select.select([], [], [], 0.01)
    return False
