# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a run knows the process that it belongs to, also after that has ended."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import ProcessIdentity
from ansible_collections.fieldops.openshift.plugins.plugin_utils import _play_process
from ansible_collections.fieldops.openshift.plugins.plugin_utils._play_process import (
    holder_name,
    is_gone,
    own_run,
    play_is_gone,
    stay_with_play,
)


def test_a_running_process_is_not_gone() -> None:
    assert not is_gone(holder_name(os.getpid()))


def test_an_ended_process_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        holder = holder_name(process.pid)
        assert not is_gone(holder)
        process.communicate(b"\n")
    assert is_gone(holder)


def test_another_process_of_the_same_number_is_not_taken_for_it() -> None:
    machine, boot, pid, ticks = holder_name(os.getpid()).split(" ")
    assert is_gone(f"{machine} {boot} {pid} {int(ticks) - 1}")


@pytest.mark.parametrize("holder", ["", "elsewhere boot 1 1", f"{os.uname().nodename}", "a b c d e", "  1 "])
def test_of_others_nothing_is_concluded(holder: str) -> None:
    assert not is_gone(holder)


def test_a_worker_has_the_run_of_the_process_that_made_it() -> None:
    with multiprocessing.get_context("fork").Pool(1) as workers:
        assert workers.apply(own_run) == own_run()


def stayed() -> bool:
    stay_with_play()
    return play_is_gone()


def test_who_stays_with_a_play_that_runs_goes_on() -> None:
    with multiprocessing.get_context("fork").Pool(1) as workers:
        assert workers.apply(stayed) is False


def test_who_stays_with_a_play_knows_when_it_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        monkeypatch.setattr(_play_process, "_play", ProcessIdentity.of(process.pid))
        assert not play_is_gone()
        process.communicate(b"\n")
    assert play_is_gone()
