# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Locks that end with their holder."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import FileLock, locked
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock


def test_a_held_lock_is_seen_and_a_released_one_is_not(tmp_path: Path, seconds: Callable[[float], Deadline]) -> None:
    path = tmp_path / "lock"
    assert not FileLock.is_held(path)
    lock = FileLock.acquire(path, seconds(10))
    assert FileLock.is_held(path)
    lock.release()
    assert not FileLock.is_held(path)


def test_a_second_holder_waits_until_the_deadline(
    tmp_path: Path, seconds: Callable[[float], Deadline], clock: Clock
) -> None:
    with (
        locked(tmp_path / "lock", seconds(10)),
        pytest.raises(DeadlineExceededError, match="another process still held"),
    ):
        FileLock.acquire(tmp_path / "lock", Deadline(30, clock))
    assert clock.monotonic() == pytest.approx(30)


def test_it_is_free_after_an_error(tmp_path: Path, seconds: Callable[[float], Deadline]) -> None:
    with pytest.raises(KeyError), locked(tmp_path / "lock", seconds(10)):
        raise KeyError
    assert not FileLock.is_held(tmp_path / "lock")


def test_the_lock_of_a_killed_holder_is_free(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    holding = "import fcntl, sys; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); input()"
    holder = subprocess.Popen([sys.executable, "-c", holding, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with holder:
        assert holder.stdout
        holder.stdout.readline()
        assert FileLock.is_held(path)
        holder.send_signal(signal.SIGKILL)
    assert not FileLock.is_held(path)


def test_a_heir_holds_it_on(tmp_path: Path, seconds: Callable[[float], Deadline]) -> None:
    path = tmp_path / "lock"
    lock = FileLock.acquire(path, seconds(10))
    heir = subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, pass_fds=[lock.descriptor]
    )
    with heir:
        lock.release()
        assert FileLock.is_held(path)
    assert not FileLock.is_held(path)


@pytest.mark.parametrize("replaced", [False, True], ids=["gone", "another-file"])
def test_a_lock_on_a_name_that_was_removed_meanwhile_is_worth_nothing(
    tmp_path: Path, seconds: Callable[[float], Deadline], monkeypatch: pytest.MonkeyPatch, replaced: bool
) -> None:
    """The holder before us may remove the file between our opening and our locking it."""
    path = tmp_path / "lock"
    lock_file = fcntl.flock
    removals = iter([True])

    def remove_before(descriptor: int, operation: int) -> None:
        if next(removals, False):
            path.unlink()
            if replaced:
                path.write_text("")
        lock_file(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", remove_before)
    lock = FileLock.acquire(path, seconds(10))
    assert os.fstat(lock.descriptor).st_ino == path.stat().st_ino
    assert FileLock.is_held(path)
    lock.release()


def test_a_link_is_not_followed(tmp_path: Path, seconds: Callable[[float], Deadline]) -> None:
    (tmp_path / "lock").symlink_to("elsewhere")
    with pytest.raises(FileAccessError, match="symbolic link"):
        FileLock.acquire(tmp_path / "lock", seconds(10))
    assert not (tmp_path / "elsewhere").exists()
