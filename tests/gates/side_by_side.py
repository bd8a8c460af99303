# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Gates side by side: each starts as soon as a lane is free, and what it shares with a running one."""

from __future__ import annotations

import os
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .workplace import Workplace

MOST_LANES = 4


@dataclass(frozen=True)
class Shared:
    """What several gates use, of which ``at_once`` may run at the same time."""

    name: str
    at_once: int = 1


@dataclass(frozen=True)
class Gate:
    """A check by name: ``run`` returns its output or raises GateError.

    ``lacks`` says what this machine has not that the gate cannot do without, nothing where it can run.
    """

    name: str
    run: Callable[[Workplace], str]
    shares: Shared | None = None
    lacks: Callable[[], str] = str


def lanes_of_this_machine() -> int:
    """Return how many gates this machine runs at once: more than it has cores were tried, and took no less time."""
    return min(MOST_LANES, len(os.sched_getaffinity(0)) + 1)


def run_side_by_side(gates: Iterable[Gate], passes: Callable[[Gate], bool], lanes: int) -> list[str]:
    """Let ``passes`` run every gate, earlier ones first, and return the names of those for which it is False."""
    pending = list(gates)
    users: Counter[Shared] = Counter()
    failed: list[str] = []
    change = threading.Condition()

    def next_gate() -> Gate | None:
        with change:
            while pending:
                for gate in pending:
                    if gate.shares is None or users[gate.shares] < gate.shares.at_once:
                        pending.remove(gate)
                        if gate.shares:
                            users[gate.shares] += 1
                        return gate
                change.wait()
            return None

    def work() -> None:
        while gate := next_gate():
            passed = False
            try:
                passed = passes(gate)
            finally:
                with change:
                    if gate.shares:
                        users[gate.shares] -= 1
                    if not passed:
                        failed.append(gate.name)
                    change.notify_all()

    with ThreadPoolExecutor(lanes) as pool:
        try:
            for lane in [pool.submit(work) for _lane in range(lanes)]:
                lane.result()
        finally:
            # After Ctrl-C or a defect nothing new begins.
            pending.clear()
    return failed
