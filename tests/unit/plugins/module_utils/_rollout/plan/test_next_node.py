# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.next_node import (
    Ended,
    next_node,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.order import RolloutPlan
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import (
    HELD_BACK,
    IN_PROGRESS,
    PENDING,
    RolloutNode,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    DONE,
    DRAINING,
    FAILED,
    REBOOTING,
    NodeRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Permission

BEGUN = "2026-11-21T22:00:00.000000Z"
CLOSED = Permission(False, "MachineConfigPool worker", "it is closed", "2026-11-28T22:00:00Z")


def record(phase: str, minutes: int = 0, rollout: str = "r1", reason: str = "") -> NodeRecord:
    ended = f"2026-11-21T22:{minutes:02}:00.000000Z"
    times = {DRAINING: BEGUN, phase: ended}
    return NodeRecord(phase, ended, rollout=rollout, reason=reason, times=times)


def node(name: str, standing: str, reason: str = "", noted: NodeRecord | None = None) -> RolloutNode:
    state = NodeState.of({"metadata": {"name": name, "labels": {}}})
    return RolloutNode(state, "worker", standing, reason, noted)


class Answers:
    """A guard that answers always the same, and keeps what it was asked."""

    def __init__(self, permission: Permission) -> None:
        self._permission = permission
        self.asked: list[tuple[str, Estimate]] = []

    def ask(self, pool: str, estimate: Estimate) -> Permission:
        self.asked.append((pool, estimate))
        return self._permission


def permitting() -> Answers:
    return Answers(Permission(True, "MachineConfigPool worker", "it is open"))


def test_a_node_comes_with_its_permission() -> None:
    first = node("w1", PENDING)
    chosen = next_node(RolloutPlan([first], first, ""), permitting().ask)
    assert (chosen.node, chosen.ended) == (first, None)
    assert chosen.permission
    assert chosen.permission.permitted


def test_where_change_is_restricted_the_rollout_ends_until_the_next_window() -> None:
    first = node("w1", PENDING)
    chosen = next_node(RolloutPlan([first], first, ""), Answers(CLOSED).ask)
    assert chosen.node is None
    assert chosen.ended == Ended("restricted", "it is closed", "2026-11-28T22:00:00Z")


def test_a_node_whose_reboot_was_begun_may_finish() -> None:
    first = node("w1", IN_PROGRESS, noted=record(REBOOTING))
    guard = Answers(CLOSED)
    assert next_node(RolloutPlan([first], first, ""), guard.ask).node is first
    assert guard.asked == []


@pytest.mark.parametrize(
    ("nodes", "earlier", "seconds", "words"),
    [
        pytest.param([node("w1", PENDING)], {}, 0.0, "", id="nothing is known"),
        pytest.param(
            [node("w1", PENDING)],
            {"w0": 60.0, "w1": 120.0},
            120.0,
            "w1 took 2m in the last rollout",
            id="its own time in the journal of an earlier rollout",
        ),
        pytest.param(
            [node("w1", PENDING)],
            {"w0": 60.0, "m0": 300.0},
            180.0,
            "nodes took 3m each before",
            id="a node that was never rolled",
        ),
        pytest.param(
            [node("w1", PENDING, noted=record(DONE, 17, rollout="earlier")), node("w0", DONE, noted=record(DONE, 5))],
            {"w1": 60.0},
            1020.0,
            "w1 took 17m in the last rollout",
            id="its own time of an earlier rollout",
        ),
        pytest.param(
            [
                node("w1", PENDING),
                node("w0", DONE, noted=record(DONE, 5)),
                node("w2", DONE, noted=record(DONE, 7)),
                node("w3", DONE),
            ],
            {"m0": 60.0},
            360.0,
            "the nodes before w1 took 6m each",
            id="the median of this rollout",
        ),
    ],
)
def test_permission_is_asked_for_as_long_as_a_node_takes(
    nodes: list[RolloutNode], earlier: dict[str, float], seconds: float, words: str
) -> None:
    guard = permitting()
    next_node(RolloutPlan(nodes, nodes[0], ""), guard.ask, earlier)
    assert guard.asked == [("worker", Estimate(seconds, words))]


@pytest.mark.parametrize(
    ("nodes", "blocked", "ended"),
    [
        pytest.param([node("w1", DONE)], "", Ended("done"), id="all are done"),
        pytest.param(
            [node("w0", DONE), node("w1", HELD_BACK, "it is not ready")],
            "",
            Ended("held_back", "w1 is held back: it is not ready"),
            id="others hold what is left",
        ),
        pytest.param(
            [node("w1", PENDING), node("w2", HELD_BACK, "it is cordoned")],
            "1 of 2 nodes may be unavailable",
            Ended("blocked", "1 of 2 nodes may be unavailable"),
            id="too many are away",
        ),
        pytest.param(
            [node("w0", DONE), node("w1", IN_PROGRESS, "no disk", record(FAILED, reason="no disk"))],
            "",
            Ended("failed", "w1 failed: no disk"),
            id="only those are left that were set aside",
        ),
    ],
)
def test_without_a_next_node_the_rollout_has_ended(nodes: list[RolloutNode], blocked: str, ended: Ended) -> None:
    guard = permitting()
    chosen = next_node(RolloutPlan(nodes, None, blocked), guard.ask)
    assert guard.asked == []
    assert (chosen.node, chosen.ended) == (None, ended)
