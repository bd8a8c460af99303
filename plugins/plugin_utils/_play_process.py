# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The process of Ansible that a play runs in: helper pods are made for it, and no task works on without it."""

from __future__ import annotations

import multiprocessing
import os
import platform

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.run_identity import RunIdentity
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import ProcessIdentity

_play: ProcessIdentity | None = None


def stay_with_play() -> None:
    """Remember the play before this worker makes a process of its own, whose parent may end long before the play."""
    global _play
    parent = multiprocessing.parent_process()
    _play = ProcessIdentity.of(parent.pid) if parent is not None and parent.pid else None


def play_process() -> ProcessIdentity:
    """Return the process whose workers the tasks are, which is this one when no worker asks."""
    parent = multiprocessing.parent_process()
    return ProcessIdentity.of(parent.pid if parent is not None and parent.pid else os.getpid())


def own_run() -> RunIdentity:
    """Return the run of the play's process."""
    return RunIdentity.held_by(holder_name(play_process().pid))


def play_is_gone() -> bool:
    """Whether the process whose worker this one is has ended, killed perhaps: then the output of tasks is not read."""
    if _play is not None:
        # Where there is no /proc nothing is known of it.
        return _play.start_ticks is not None and not _play.is_alive
    parent = multiprocessing.parent_process()
    # Not parent.is_alive(): workers that were made later hold the pipe open by which it knows.
    return parent is not None and os.getppid() != parent.pid


def holder_name(pid: int) -> str:
    """Return the process ``pid`` of this machine as the holder of a run."""
    process = ProcessIdentity.of(pid)
    return f"{platform.node()} {process.boot_id} {process.pid} {process.start_ticks}"


def is_gone(holder: str) -> bool:
    """Whether ``holder`` was a process of this machine and has ended."""
    machine, *rest = holder.split(" ")
    return machine == platform.node() and len(rest) == 3 and rest[1].isdecimal() and holder_name(int(rest[1])) != holder
