# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t
from datetime import datetime, timedelta, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_faults import (
    Patience,
    PoolSeen,
    fault_of,
    pause_fault,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import pool_progress
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import REBOOTING, NodeRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState

NOW = datetime(2026, 11, 21, 22, 30, tzinfo=timezone.utc)
PREFIX = "machineconfiguration.openshift.io/"
PATIENCE = Patience(degraded=600, away=1800)
Node = dict[str, t.Any]


def node(current: str, state: str = "Done", lost_at: str = "", reason: str = "") -> Node:
    notes = {"currentConfig": current, "desiredConfig": "new", "state": state, "reason": reason}
    ready = {"type": "Ready", "status": "Unknown" if lost_at else "True", "message": "it is silent"}
    return {
        "metadata": {"name": "m0", "annotations": {f"{PREFIX}{key}": value for key, value in notes.items()}},
        "status": {"conditions": [{**ready, "lastTransitionTime": f"2026-11-21T{lost_at or '20:00'}:00Z"}]},
    }


def seen(member: Node, degraded_at: str = "", lacks: str = "", since: str = "") -> PoolSeen:
    condition = {"type": "NodeDegraded", "status": "True", "lastTransitionTime": f"2026-11-21T{degraded_at}:00Z"}
    pool = {
        "metadata": {"name": "master"},
        "spec": {"configuration": {"name": "new"}},
        "status": {"conditions": [condition] if degraded_at else []},
    }
    progress = pool_progress(pool, [NodeState.of(member)])
    entries = {"m0": NodeRecord(REBOOTING, f"2026-11-21T{since}:00.000000Z")} if since else {}
    return PoolSeen(progress, [member], entries, {"m0": lacks})


@pytest.mark.parametrize(
    ("found", "kind", "told"),
    [
        pytest.param(seen(node("old", "Working")), "", "", id="it is on its way"),
        pytest.param(seen(node("old", "Degraded", reason="no space"), "22:25"), "", "", id="degraded for 5 minutes"),
        pytest.param(
            seen(node("old", "Degraded", reason="no space"), "22:15"),
            "pool_degraded",
            "m0: no space",
            id="degraded for 15 minutes",
        ),
        pytest.param(seen(node("old", "Working", lost_at="22:20")), "", "", id="silent for 10 minutes"),
        pytest.param(
            seen(node("old", "Working", lost_at="21:50")),
            "node_away",
            "m0: it is not ready: it is silent",
            id="silent for 40 minutes",
        ),
        pytest.param(seen(node("new"), lacks="no pods", since="22:10"), "", "", id="updated 20 minutes ago"),
        pytest.param(
            seen(node("new"), lacks="no pods", since="21:50"), "node_away", "m0: no pods", id="updated 40 minutes ago"
        ),
        pytest.param(seen(node("new"), lacks="", since="21:50"), "", "", id="back"),
    ],
)
def test_waiting_ends_where_it_is_no_answer(found: PoolSeen, kind: str, told: str) -> None:
    fault = fault_of(found, PATIENCE, NOW, NOW)
    assert (fault.kind if fault else "") == kind
    assert told in (fault.seen if fault else "")


@pytest.mark.parametrize(
    ("found", "behind"),
    [
        pytest.param(seen(node("old", "Working", lost_at="22:20")), "now", id="what the cluster stamps"),
        pytest.param(seen(node("new"), lacks="no pods", since="22:10"), "ours", id="what we stamp"),
    ],
)
def test_what_is_stamped_by_one_clock_is_not_aged_by_the_other(found: PoolSeen, behind: str) -> None:
    hours_later = {"now": NOW + timedelta(hours=3), "ours": NOW + timedelta(hours=3)}
    assert fault_of(found, PATIENCE, **{**hours_later, behind: NOW}) is None


def test_a_fault_says_that_no_further_node_is_taken() -> None:
    fault = fault_of(seen(node("old", "Working", lost_at="21:50")), Patience(600, 1800, pauses=True), NOW, NOW)
    assert fault
    assert fault.advice.startswith("The pool is paused, so no further node starts.")


def test_a_paused_pool_at_rest_is_not_waited_for() -> None:
    waiting = {"metadata": {"name": "master"}, "spec": {"paused": True, "configuration": {"name": "new"}}}
    behind = {"metadata": {"name": "m0", "annotations": {f"{PREFIX}{key}": "old" for key in CONFIGS} | DONE}}
    fault = pause_fault(pool_progress(waiting, [NodeState.of(behind)]))
    assert fault
    assert "1 of its nodes are waiting" in fault.seen


CONFIGS = ("currentConfig", "desiredConfig")
DONE = {f"{PREFIX}state": "Done"}
