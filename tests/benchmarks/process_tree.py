# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A command with all processes that it starts: its CPU time, and the memory that they have together at most."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
INTERVAL = 0.05


@dataclass(frozen=True)
class TreeRun:
    """What a command took: seconds, seconds of processors, and bytes of memory; ``output`` is what it wrote."""

    wall: float
    cpu: float
    memory: int
    output: bytes


def run_tree(command: Sequence[str | Path], environment: Mapping[str, str]) -> TreeRun:
    """Run ``command``; a failure ends the benchmark.

    Memory that processes share counts once: it is the sum of their proportional set sizes (Linux,
    Documentation/filesystems/proc.rst). Its samples, every 50 ms, can miss a shorter peak.
    """
    began = time.perf_counter()
    started = subprocess.Popen(
        [*map(str, command)], env=dict(environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    sampler = _Sampler(started.pid)
    sampler.start()
    assert started.stdout
    output = started.stdout.read()
    _pid, status, usage = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - began
    sampler.ended.set()
    sampler.join()
    if status:
        raise SystemExit(f"{command} ended with {started.returncode}: {output.decode()[-2000:]}")
    return TreeRun(wall, usage.ru_utime + usage.ru_stime, sampler.most, output)


class _Sampler(threading.Thread):
    """Keeps the largest sum of all samples of a process and its descendants."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self._root = root
        self.most = 0
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(INTERVAL):
            self.most = max(self.most, sum(map(_proportional, _tree(self._root))))


def _tree(root: int) -> Iterator[int]:
    children: dict[int, list[int]] = {}
    for path in PROC.glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(path.parent.name))
    waiting = [root]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += children.get(one, [])


def _proportional(process: int) -> int:
    with contextlib.suppress(OSError):
        for line in (PROC / str(process) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0
