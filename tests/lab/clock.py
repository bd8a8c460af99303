# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab's clock: moves the wall clock of everything in a lab at once, and of plays that are run against it.

One file of eight bytes holds what the lab is ahead of the machine, in nanoseconds. All programs of the lab that are
built from Go modules map it into their memory (``clock_overlay.py``), and so do plays (``environment``) and, from the
first move on, what is started on node hosts; so a move reaches all of them in the same instant. Monotonic time never
moves. Not moved: times of files, Debian's own Go programs (skopeo, podman), and processes that were on a host before.
"""

from __future__ import annotations

import mmap
import os
import struct
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.c_compiler import compile_c
from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

VARIABLE = "FIELDOPS_LAB_CLOCK"
PRELOAD = Path(__file__).parent / "components" / "clock" / "preload.c"
FLAGS = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC")
SECOND = 10**9
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class LabClock:
    """The clock of one lab, kept in ``directory``; shows the machine's time until it is moved."""

    def __init__(self, directory: Path) -> None:
        self.file = directory / "clock"
        self.file.write_bytes(bytes(8))
        self.is_moved = False
        self._on_first_move: list[Callable[[], None]] = []

    @property
    def offset(self) -> int:
        """What the lab is ahead of the machine, in nanoseconds."""
        (offset,) = struct.unpack("=q", self.file.read_bytes())
        return int(offset)

    def now(self) -> datetime:
        """Return the lab's time, in UTC."""
        return datetime.fromtimestamp((time.time_ns() + self.offset) / SECOND, timezone.utc)

    def set(self, moment: str) -> None:
        """Move to a time such as ``2027-03-14T01:59:00Z`` (RFC 3339), from where the clock goes on."""
        wanted = datetime.fromisoformat(moment.replace("Z", "+00:00"))
        if wanted.tzinfo is None:
            raise LabError("set the clock", on=moment, seen="no time zone", advice="Append Z, or an offset from UTC.")
        since_epoch = (wanted - EPOCH) // timedelta(microseconds=1) * 1000
        self._move(since_epoch - time.time_ns())

    def advance(self, seconds: float) -> None:
        """Move forward, or backward by a negative number."""
        self._move(self.offset + int(seconds * SECOND))

    def reset(self) -> None:
        """Show the machine's time again."""
        self._move(0)

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which a play, or any dynamically linked program, follows this clock."""
        return {VARIABLE: str(self.file), "LD_PRELOAD": str(preload())}

    def on_first_move(self, action: Callable[[], None]) -> None:
        """Let something be done once before the clock first moves; at once if it has."""
        if self.is_moved:
            action()
        else:
            self._on_first_move.append(action)

    def _move(self, offset: int) -> None:
        assets = os.environ.get("KUBEBUILDER_ASSETS")
        if assets:
            advice = "Unset KUBEBUILDER_ASSETS: the lab then builds programs that follow its clock."
            raise LabError("move the clock", on=assets, seen="programs with a clock of their own", advice=advice)
        self.is_moved = True
        while self._on_first_move:
            self._on_first_move.pop()()
        with self.file.open("r+b") as file, mmap.mmap(file.fileno(), 8) as page:
            page[:] = struct.pack("=q", offset)


def preload() -> Path:
    """Return the library that moves the clock of a dynamically linked program, compiled and cached."""

    def build(directory: Path) -> None:
        compile_c([*FLAGS, "-o", str(directory / "clock.so"), str(PRELOAD)])

    return cached("clock-preload", key_of([PRELOAD, *FLAGS]), build) / "clock.so"
