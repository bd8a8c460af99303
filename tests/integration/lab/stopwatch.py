# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A stopwatch for a machine that others use at the same time."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


class Stopwatch:
    """Measures from its making on.

    ``undisturbed`` is the time that passed, times the part of the machine's processors that others left to this process
    and its descendants. On an idle machine it is the time that passed; the busier others are, the more lenient it is,
    because waits that are no work are shortened too. Other work must not decide whether a time limit is kept.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._others = _others()

    @property
    def seconds(self) -> float:
        """The time that passed."""
        return time.monotonic() - self._started

    @property
    def undisturbed(self) -> float:
        """The time that would have passed without the others."""
        capacity = self.seconds * (os.cpu_count() or 1)
        taken = max(_others() - self._others, 0.0)
        return self.seconds * max(capacity - taken, 0.0) / capacity


def descendants(pid: int) -> list[int]:
    """Return the processes below one."""
    children = [int(word) for path in Path(f"/proc/{pid}/task").glob("*/children") for word in read(path).split()]
    return [*children, *(below for child in children for below in descendants(child))]


def read(path: Path) -> str:
    """Return the text of a file of /proc or /sys; nothing if it has gone or may not be read."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return path.read_text()
    return ""


def _others() -> float:
    """Return the processor seconds that everybody else has used since the machine's start (proc(5), stat)."""
    user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, read(Path("/proc/stat")).split()[1:9])
    own = sum(_used(pid) for pid in (os.getpid(), *descendants(os.getpid())))
    return (user + nice + system + irq + softirq + steal - own) / TICKS


def _used(pid: int) -> int:
    """Return the ticks that a process and those of its children that have ended used."""
    fields = read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return sum(map(int, fields[11:15]))
