# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.journal_entries import Journal
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import (
    StandingRules,
    standing_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    ABORTED,
    DONE,
    DRAINING,
    ROLLOUT_ANNOTATION,
    WAITING,
    NodeRecord,
)

PREFIX = "machineconfiguration.openshift.io/"
OLD, NEW = "rendered-worker-old", "rendered-worker-new"
NODE_BY_NODE = StandingRules(configs={"worker": NEW})
KEEPING = StandingRules(configs={"worker": NEW}, keep_foreign=True)
IMAGE_MODE = StandingRules(configs={"worker": NEW}, images={"worker": "registry.site.example/os@sha256:1"})
POOL = StandingRules(configs={"worker": NEW}, operator_chooses=True)


def node(
    current: str = OLD, desired: str = "", state: str = "Done", *, cordoned: bool = False, phase: str = "", **more: str
) -> dict[str, t.Any]:
    notes = {}
    if current:
        notes = {f"{PREFIX}currentConfig": current, f"{PREFIX}desiredConfig": desired or current}
        notes[f"{PREFIX}state"] = state
    if phase:
        rollout = more.get("rollout", "r1")
        notes[ROLLOUT_ANNOTATION] = NodeRecord(
            phase=phase, since="2026-11-21T22:00:00.000000Z", rollout=rollout
        ).as_text()
    return {
        "metadata": {"name": "worker-0", "annotations": notes},
        "spec": {"unschedulable": cordoned},
        "status": {"conditions": [{"type": "Ready", "status": more.get("ready", "True"), "message": "booting"}]},
    }


@pytest.mark.parametrize(
    ("found", "rules", "standing", "reason"),
    [
        pytest.param(node(), NODE_BY_NODE, "pending", "", id="behind"),
        pytest.param(node(NEW), NODE_BY_NODE, "done", "", id="it has it, whoever brought it there"),
        pytest.param(node(NEW), IMAGE_MODE, "pending", "", id="has the configuration, not the image"),
        pytest.param(node(OLD, NEW, "Working"), NODE_BY_NODE, "held_back", "daemon is Working", id="not by us"),
        pytest.param(node(OLD, NEW, "Working"), POOL, "pending", "", id="on its way, as the operator chose"),
        pytest.param(node(OLD, NEW, "Working", phase=DRAINING), NODE_BY_NODE, "in_progress", "", id="by us"),
        pytest.param(
            node(NEW, phase=DRAINING), NODE_BY_NODE, "in_progress", "", id="has it, is still to be given back"
        ),
        pytest.param(node(NEW, phase=DRAINING, rollout="r2"), NODE_BY_NODE, "held_back", "rollout r2", id="of others"),
        pytest.param(node(phase=DONE), NODE_BY_NODE, "pending", "", id="done once, and behind again"),
        pytest.param(
            node(""), NODE_BY_NODE, "held_back", "not managed by a machine-config daemon", id="nobody keeps it"
        ),
        pytest.param(
            node(cordoned=True), NODE_BY_NODE, "held_back", "it was cordoned by others", id="a foreign cordon"
        ),
        pytest.param(node(cordoned=True), KEEPING, "pending", "", id="a foreign cordon that is kept"),
        pytest.param(node(cordoned=True), POOL, "pending", "", id="a foreign cordon is the operator's concern"),
        pytest.param(node(ready="False"), NODE_BY_NODE, "held_back", "not ready", id="not ready"),
    ],
)
def test_where_a_node_stands(found: dict[str, t.Any], rules: StandingRules, standing: str, reason: str) -> None:
    seen = standing_of(found, "worker", Journal("r1"), rules)
    assert seen.standing == standing
    assert reason in seen.reason


def test_a_node_whose_daemon_is_at_work_counts_as_away() -> None:
    assert standing_of(node(OLD, NEW, "Working"), "worker", Journal("r1"), StandingRules()).is_away
    assert not standing_of(node(), "worker", Journal("r1"), StandingRules()).is_away


@pytest.mark.parametrize(
    ("noted", "entered", "rollout"),
    [
        pytest.param(DONE, DONE, "r1", id="the operator rolled it in this rollout, a play in an earlier one"),
        pytest.param(DONE, WAITING, "r1", id="it waits in this rollout"),
        pytest.param(DONE, DRAINING, "r1", id="the operator has started it in this rollout"),
        pytest.param(DRAINING, DONE, "r0", id="another rollout has started it since"),
        pytest.param(DONE, ABORTED, "r0", id="this rollout was aborted"),
    ],
)
def test_of_which_rollout_the_record_is(noted: str, entered: str, rollout: str) -> None:
    entry = NodeRecord(entered, "2026-11-21T21:00:00.000000Z", rollout="r1")
    journal = Journal("r1", entries={"worker-0": entry})
    seen = standing_of(node(phase=noted, rollout="r0"), "worker", journal, NODE_BY_NODE)
    assert seen.record
    assert seen.record.rollout == rollout


@pytest.mark.parametrize(("why", "told"), [("disk full", f"applies {NEW}: disk full"), ("", f"applies {NEW}")])
def test_a_daemon_that_does_not_go_on_is_quoted(why: str, told: str) -> None:
    found = node(OLD, NEW, "Degraded")
    found["metadata"]["annotations"]["machineconfiguration.openshift.io/reason"] = why
    assert standing_of(found, "worker", Journal("r1"), NODE_BY_NODE).reason.endswith(told)
