# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the threads of a process are doing, from proc(5)."""

from __future__ import annotations

import contextlib
from pathlib import Path

BUSY = frozenset("RD")  # running, or waiting for a disk
STOPPED = frozenset("TZX")  # by a signal, or for good


def thread_states(pid: int) -> frozenset[str]:
    """Return the states that threads of a process are in; none if there is no such process."""
    found = set()
    for task in Path(f"/proc/{pid}/task").glob("*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            found.add(task.read_text().rpartition(")")[2].split()[0])
    return frozenset(found)
