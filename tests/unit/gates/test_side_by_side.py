# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Gates side by side: all of them, none together with one that it shares something with."""

from __future__ import annotations

import os
import threading
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.gates.side_by_side import (
    NICENESS,
    Gate,
    Shared,
    run_side_by_side,
)

SECONDS = 20
LEAST_FAVOURED = 19
"""The largest niceness that there is; these tests may run in such a lane themselves. Source: setpriority(2)."""


THING = Shared("thing")


def gate(name: str, shares: Shared | None = None) -> Gate:
    return Gate(name, lambda _place: name, shares)


@pytest.mark.parametrize("lanes", [1, 2, 4])
def test_every_gate_runs_once_and_the_failed_ones_are_named(lanes: int) -> None:
    ran: list[str] = []

    def passes(gate: Gate) -> bool:
        ran.append(gate.name)
        return gate.name not in ("b", "d")

    failed = run_side_by_side([gate(name) for name in "abcde"], passes, lanes)
    assert sorted(ran) == list("abcde")
    assert sorted(failed) == ["b", "d"]


def test_in_one_lane_they_keep_their_order() -> None:
    ran: list[str] = []
    run_side_by_side([gate(name) for name in "cab"], lambda gate: not ran.append(gate.name), 1)  # type: ignore[func-returns-value]
    assert ran == ["c", "a", "b"]


def test_two_lanes_are_used_at_once() -> None:
    both = threading.Barrier(2, timeout=SECONDS)
    assert run_side_by_side([gate("a"), gate("b")], lambda _gate: both.wait() >= 0, 2) == []


def test_gates_that_share_something_take_turns_and_others_overtake() -> None:
    overtaken = threading.Event()
    running: list[str] = []

    def passes(gate: Gate) -> bool:
        if gate.name == "free":
            overtaken.set()
            return True
        running.append(gate.name)
        alone = running == [gate.name]
        seen = overtaken.wait(SECONDS)
        running.remove(gate.name)
        return alone and seen

    gates = [gate("first", THING), gate("second", THING), gate("free")]
    assert run_side_by_side(gates, passes, 2) == []


def test_as_many_run_at_once_as_what_they_share_allows() -> None:
    pair = Shared("pair", at_once=2)
    two = threading.Barrier(2, timeout=SECONDS)
    running: set[str] = set()
    most: list[int] = []

    def passes(gate: Gate) -> bool:
        running.add(gate.name)
        most.append(len(running))
        two.wait()
        running.remove(gate.name)
        two.wait()
        return True

    assert run_side_by_side([gate(name, pair) for name in "abcd"], passes, 3) == []
    assert max(most) == 2


def test_what_yields_runs_beside_the_lanes_and_gives_way() -> None:
    both = threading.Barrier(2, timeout=SECONDS)
    niceness: dict[str, int] = {}

    def passes(gate: Gate) -> bool:
        niceness[gate.name] = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        return both.wait() >= 0

    gates = [Gate("reads", lambda _place: "", yields=True), gate("waits")]
    assert run_side_by_side(gates, passes, 1) == []
    assert niceness["reads"] == min(LEAST_FAVOURED, niceness["waits"] + NICENESS)


def test_a_lane_takes_what_yields_when_nothing_else_is_left() -> None:
    both = threading.Barrier(2, timeout=SECONDS)
    gates = [Gate(name, lambda _place: "", yields=True) for name in "ab"]
    assert run_side_by_side(gates, lambda _gate: both.wait() >= 0, 1) == []


def test_after_what_yields_its_lane_takes_what_shares_nothing() -> None:
    both = threading.Barrier(2, timeout=SECONDS)
    begun: list[str] = []

    def passes(gate: Gate) -> bool:
        begun.append(gate.name)
        return gate.yields or both.wait() >= 0

    gates = [Gate("reads", lambda _place: "", yields=True), gate("hosts", THING), gate("free")]
    assert run_side_by_side(gates, passes, 1) == []
    assert sorted(begun) == ["free", "hosts", "reads"]


def test_a_defect_ends_the_run_without_beginning_anything_new() -> None:
    ran: list[str] = []

    def passes(gate: Gate) -> t.NoReturn:
        ran.append(gate.name)
        raise RuntimeError("defect")

    with pytest.raises(RuntimeError, match="defect"):
        run_side_by_side([gate(name) for name in "abc"], passes, 1)
    assert ran == ["a"]
