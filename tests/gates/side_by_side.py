# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Gates side by side: each starts as soon as a lane is free, and so is what it shares with others."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from .workplace import Workplace

MOST_LANES = 4
NICENESS = 10
"""How much nicer what yields is: it takes what processors others leave, about a tenth where they leave none."""


@dataclass(frozen=True)
class Shared:
    """What several gates use, of which ``at_once`` may run at the same time."""

    name: str
    at_once: int = 1


@dataclass(frozen=True)
class Gate:
    """A check by name: ``run`` returns its output or raises GateError.

    ``lacks`` says what this machine has not that the gate cannot do without, nothing where it can run. One that
    ``yields`` computes and waits for nothing: it runs in a lane of its own while others wait, and gives way to them.
    After the last of these, that lane takes others that share nothing.
    """

    name: str
    run: Callable[[Workplace], str]
    shares: Shared | None = None
    lacks: Callable[[], str] = str
    yields: bool = False


def lanes_of_this_machine() -> int:
    """Return how many gates this machine runs at once: with more than it has cores real operators miss their times."""
    return min(MOST_LANES, len(os.sched_getaffinity(0)))


class _Queue:
    """Gates that wait for a lane, and for what they share with running ones."""

    def __init__(self, gates: Iterable[Gate]) -> None:
        self._pending = list(gates)
        self._has_yielding = any(gate.yields for gate in self._pending)
        self._users: Counter[Shared] = Counter()
        self._change = threading.Condition()

    def next(self, *, yielding: bool = False) -> Gate | None:
        """Wait for a gate that may begin and return it, None where none is left.

        With ``yielding`` one that yields, and after the last of them one that shares nothing; else one that does not
        yield, as long as there is such a gate.
        """
        with self._change:
            while pending := self._waiting(yielding=yielding):
                for gate in pending:
                    if self._may_begin(gate):
                        self._pending.remove(gate)
                        self._users.update([gate.shares] if gate.shares else [])
                        return gate
                self._change.wait()
            return None

    def _waiting(self, *, yielding: bool) -> list[Gate]:
        own = [gate for gate in self._pending if gate.yields is yielding]
        if own or not yielding:
            return own or [*self._pending]
        return [gate for gate in self._pending if self._has_yielding and not gate.shares]

    def ended(self, gate: Gate) -> None:
        """Let others have what an ended gate shared with them."""
        with self._change:
            self._users.subtract([gate.shares] if gate.shares else [])
            self._change.notify_all()

    def clear(self) -> None:
        """Let nothing new begin."""
        with self._change:
            self._pending.clear()
            self._change.notify_all()

    def _may_begin(self, gate: Gate) -> bool:
        return gate.shares is None or self._users[gate.shares] < gate.shares.at_once


def run_side_by_side(gates: Iterable[Gate], passes: Callable[[Gate], bool], lanes: int) -> list[str]:
    """Let ``passes`` run every gate, earlier ones first, and return the names of those for which it is False.

    Beside the ``lanes`` there is one for gates that yield.
    """
    queue = _Queue(gates)
    failed: list[str] = []

    def give_way() -> None:
        # On Linux a thread has a niceness of its own, which the processes that it starts inherit.
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICENESS)
        work(yielding=True)

    def work(*, yielding: bool = False) -> None:
        while gate := queue.next(yielding=yielding):
            try:
                passed = passes(gate)
            finally:
                queue.ended(gate)
            if not passed:
                failed.append(gate.name)

    with ThreadPoolExecutor(lanes + 1) as pool:
        try:
            for lane in [*(pool.submit(work) for _lane in range(lanes)), pool.submit(give_way)]:
                lane.result()
        finally:
            queue.clear()  # after Ctrl-C or a defect
    return failed
