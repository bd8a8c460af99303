# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Commands measured from outside: wall time, CPU time and memory of a process with all its children.

The machine's page cache makes single runs vary tenfold, so peers alternate in one run, the best of several counts, and
the CPU time stands beside the wall time.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

GB = 1e9
ROUNDS = 5


@dataclass(frozen=True)
class Run:
    """One run: seconds of wall and CPU time, and the largest resident memory of a process in bytes."""

    wall: float
    cpu: float
    memory: int


@dataclass
class Series:
    """The runs of one contestant over ``size`` bytes."""

    name: str
    size: int
    runs: list[Run] = field(default_factory=list)

    @property
    def wall(self) -> float:
        """The best wall time."""
        return min(run.wall for run in self.runs)

    @property
    def cpu(self) -> float:
        """The best CPU time."""
        return min(run.cpu for run in self.runs)

    @property
    def memory(self) -> int:
        """The largest memory of all runs."""
        return max(run.memory for run in self.runs)

    def line(self) -> str:
        """Return the result in one line."""
        median = statistics.median(run.wall for run in self.runs)
        return (
            f"{self.name:<34} {self.wall:7.2f} s best {median:7.2f} s median {self.size / GB / self.wall:6.2f} GB/s "
            f"{self.cpu / (self.size / GB):6.2f} CPU s/GB {self.memory / 1e6:7.0f} MB"
        )


def measured(command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> Run:
    """Run ``command`` and return what it took; a failure ends the benchmark."""
    started = time.perf_counter()
    pid = os.posix_spawnp(str(command[0]), [str(word) for word in command], {**os.environ, **(environment or {})})
    _pid, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - started
    if status:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {os.waitstatus_to_exitcode(status)}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def alternate(contestants: Sequence[tuple[Series, Callable[[], Run]]], rounds: int = ROUNDS) -> None:
    """Let all contestants run once, then all again, ``rounds`` times, and print each result."""
    for number in range(rounds):
        for series, run in contestants:
            os.sync()
            series.runs.append(run())
            sys.stderr.write(f"round {number + 1}: {series.name}: {series.runs[-1].wall:.2f} s\n")
    for series, _run in contestants:
        print(series.line())


def ratio(text: str, value: float, goal: str = "") -> None:
    """Print one ratio, with its goal where it has one."""
    print(f"{text:<60} {value:6.2f}" + (f"  (goal: {goal})" if goal else ""))
