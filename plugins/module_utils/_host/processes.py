# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Processes identified reliably although their numbers are reused: by start time, boot and mark of their run."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import RUN_MARKER
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

_PROC = Path("/proc")
_RETRY_SECONDS = 0.02


@dataclass(frozen=True)
class ProcessIdentity:
    """One process of one boot. ``start_ticks`` is field 22 of proc_pid_stat(5); None where there is no /proc."""

    pid: int
    start_ticks: int | None = None
    boot_id: str | None = None

    @classmethod
    def of(cls, pid: int) -> ProcessIdentity:
        """Return the identity of the running process ``pid``."""
        return cls(pid, _start_ticks(pid), boot_id())

    @property
    def is_alive(self) -> bool:
        """Whether this very process still runs; False where that cannot be known."""
        return self.start_ticks is not None and self.boot_id == boot_id() and self.start_ticks == _start_ticks(self.pid)


def boot_id() -> str | None:
    """Return the kernel's random id of this boot, random(4); None where there is none."""
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return None


def marked_processes(run_id: str) -> tuple[int, ...]:
    """Return the processes whose environment carries ``RUN_MARKER=run_id``, in whatever group or session they are.

    A zombie has no environment any more and is not among them, nor is a process of another user, nor the caller.
    """
    if not run_id:
        return ()
    mark = f"{RUN_MARKER}={run_id}".encode()
    found = (pid for pid, environment in _environments() if mark in environment.split(b"\0"))
    return tuple(pid for pid in found if pid != os.getpid())


def kill_marked_processes(run_id: str, deadline: Deadline) -> None:
    """Kill what a run has left; repeatedly, since a process may be created between the search and the signal.

    Raises DeadlineExceededError while one of them does not end.
    """
    while found := marked_processes(run_id):
        for pid in found:
            send_signal(pid, signal.SIGKILL)
        deadline.require(
            "end the processes of an earlier run",
            on=f"the processes {', '.join(map(str, found))}",
            seen="they had not ended",
            advice="Check what they wait for, such as a disk that does not respond.",
        )
        deadline.pause(_RETRY_SECONDS)


def send_signal(pid: int, number: int) -> None:
    """Send signal ``number`` to ``pid``, which may have ended by now."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def _environments() -> Iterator[tuple[int, bytes]]:
    for entry in _PROC.iterdir() if _PROC.is_dir() else ():
        # A process may end while we look, or belong to others.
        with contextlib.suppress(OSError):
            if entry.name.isdigit():
                yield int(entry.name), (entry / "environ").read_bytes()


def _start_ticks(pid: int) -> int | None:
    try:
        # The command name in parentheses may itself contain spaces and parentheses.
        fields = (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    is_dead = fields[0] in (b"Z", b"X")
    return None if is_dead else int(fields[19])
