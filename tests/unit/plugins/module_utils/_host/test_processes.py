# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Processes told apart for certain."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import typing as t
import uuid
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import RUN_MARKER
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import (
    ProcessIdentity,
    boot_id,
    kill_marked_processes,
    marked_processes,
    send_signal,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

RUN = uuid.uuid4().hex
WAIT = [sys.executable, "-c", "print(flush=True); input()"]


@pytest.fixture
def waiting() -> Iterator[subprocess.Popen[bytes]]:
    """A process that carries the mark RUN, leads a session of its own and ends with the test."""
    process = subprocess.Popen(
        WAIT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, RUN_MARKER: RUN},
        start_new_session=True,
    )
    with process:
        assert process.stdout
        process.stdout.readline()
        yield process
        process.kill()


def test_a_running_process_is_alive(waiting: subprocess.Popen[bytes]) -> None:
    assert ProcessIdentity.of(waiting.pid).is_alive


def test_an_ended_one_is_not_even_while_it_is_a_zombie(waiting: subprocess.Popen[bytes]) -> None:
    identity = ProcessIdentity.of(waiting.pid)
    waiting.kill()
    os.waitid(os.P_PID, waiting.pid, os.WEXITED | os.WNOWAIT)
    assert not identity.is_alive


@pytest.mark.parametrize(
    "change",
    [{"start_ticks": 1}, {"start_ticks": None}, {"boot_id": "00000000-0000-0000-0000-000000000000"}],
    ids=["number-used-again", "never-known", "another-boot"],
)
def test_the_number_alone_proves_nothing(change: dict[str, t.Any]) -> None:
    assert not replace(ProcessIdentity.of(os.getpid()), **change).is_alive


def test_a_name_like_a_line_of_fields_does_not_confuse(tmp_path: t.Any) -> None:
    program = tmp_path / ") Z 1 ("
    program.symlink_to("/bin/sleep")
    with subprocess.Popen([str(program), "60"]) as process:
        assert ProcessIdentity.of(process.pid).is_alive
        process.kill()


def test_the_boot_has_an_id() -> None:
    assert len(boot_id() or "") == 36


def test_marked_processes_are_found_in_whatever_session(waiting: subprocess.Popen[bytes]) -> None:
    assert marked_processes(RUN) == (waiting.pid,)


@pytest.mark.parametrize("run_id", [RUN[:-1], f"{RUN}7", ""], ids=["beginning", "longer", "nothing"])
def test_only_the_whole_mark_counts(waiting: subprocess.Popen[bytes], run_id: str) -> None:
    assert waiting.pid not in marked_processes(run_id)


def test_what_a_run_has_left_is_killed(waiting: subprocess.Popen[bytes]) -> None:
    kill_marked_processes(RUN, Deadline(30, SystemClock()))
    assert marked_processes(RUN) == ()
    assert waiting.wait() == -signal.SIGKILL


def test_a_signal_to_nobody_is_no_error(waiting: subprocess.Popen[bytes]) -> None:
    waiting.kill()
    waiting.wait()
    send_signal(waiting.pid, 15)
