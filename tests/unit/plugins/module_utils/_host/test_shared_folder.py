# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A private folder of several processes: it stays while one of them runs that has joined it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host import shared_folder
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import ProcessIdentity
from ansible_collections.fieldops.openshift.plugins.module_utils._host.shared_folder import join_folder, leave_folder
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

Seconds = Callable[[float], Deadline]

OURS = ProcessIdentity.of(os.getpid())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "private"


@pytest.fixture
def other() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def test_the_last_to_leave_removes_it(folder: Path, other: subprocess.Popen[bytes], seconds: Seconds) -> None:
    theirs = ProcessIdentity.of(other.pid)
    for member in (OURS, theirs):
        join_folder(folder, member, seconds(5))
    (folder / "token").write_text("secret")
    (folder / "keys").mkdir()
    (folder / "link").symlink_to("/nowhere")
    assert not leave_folder(folder, OURS, seconds(5))
    assert (folder / "token").exists()
    assert leave_folder(folder, theirs, seconds(5))
    assert not folder.exists()


def test_a_killed_process_does_not_keep_it(folder: Path, other: subprocess.Popen[bytes], seconds: Seconds) -> None:
    for member in (OURS, ProcessIdentity.of(other.pid)):
        join_folder(folder, member, seconds(5))
    other.kill()
    other.wait()
    assert leave_folder(folder, OURS, seconds(5))
    assert not folder.exists()


def test_a_process_that_joins_twice_leaves_once(folder: Path, seconds: Seconds) -> None:
    for _time in range(2):
        join_folder(folder, OURS, seconds(5))
    assert leave_folder(folder, OURS, seconds(5))


def test_what_is_not_there_is_gone(folder: Path, seconds: Seconds) -> None:
    assert leave_folder(folder, OURS, seconds(5))


def test_a_process_that_joins_during_the_removal_keeps_it(
    folder: Path, other: subprocess.Popen[bytes], seconds: Seconds, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = ProcessIdentity.of(other.pid)

    def remove_file_then_join(path: Path) -> bool:
        removed = remove_file(path)
        if path.name == ".lock":
            join_folder(folder, theirs, seconds(5))
        return removed

    join_folder(folder, OURS, seconds(5))
    monkeypatch.setattr(shared_folder, "remove_file", remove_file_then_join)
    assert not leave_folder(folder, OURS, seconds(5))
    assert (folder / f"process-{other.pid}").exists()


def test_a_folder_that_another_has_removed_is_made_again(folder: Path, seconds: Seconds) -> None:
    """Two processes: each joins and leaves again and again, and finds its own file in between."""
    failures: list[BaseException] = []

    def use(member: ProcessIdentity) -> None:
        try:
            for _time in range(50):
                join_folder(folder, member, seconds(20))
                assert (folder / f"process-{member.pid}").exists()
                leave_folder(folder, member, seconds(20))
        except BaseException as error:
            failures.append(error)

    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        members = (OURS, ProcessIdentity.of(other.pid))
        threads = [threading.Thread(target=use, args=(member,)) for member in members]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        other.communicate(b"\n")
    assert failures == []
