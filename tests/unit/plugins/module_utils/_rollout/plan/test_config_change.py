# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t
from datetime import datetime, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import ConfigRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.config_change import (
    APPLIED_DRAIN,
    DESIRED_DRAIN,
    ConfigTarget,
    assignment,
    config_sentence,
    heading,
    restored_cordon,
    seconds_away,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    DONE,
    REBOOTING,
    ROLLOUT_ANNOTATION,
    NodeRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState

PREFIX = "machineconfiguration.openshift.io/"
NEW = ConfigTarget("new")
BUILT = ConfigTarget("new", "registry.example/os@sha256:1")
PAUSED: dict[str, t.Any] = {"metadata": {"name": "worker"}, "spec": {"paused": True}}
OPEN: dict[str, t.Any] = {"metadata": {"name": "worker"}, "spec": {}}


def node(current: str = "old", desired: str = "", state: str = "Done", **more: t.Any) -> dict[str, t.Any]:
    notes = {f"{PREFIX}currentConfig": current, f"{PREFIX}desiredConfig": desired or current, f"{PREFIX}state": state}
    notes.update(more.get("notes", {}))
    record = more.get("record")
    if record:
        notes[ROLLOUT_ANNOTATION] = record.as_text()
    ready = {"type": "Ready", "status": more.get("ready", "True"), "message": "booting"}
    ready["lastTransitionTime"] = "2026-11-21T22:00:00Z"
    return {
        "metadata": {"name": "worker-0", "annotations": {name: value for name, value in notes.items() if value}},
        "spec": {"unschedulable": more.get("cordoned", False)},
        "status": {"conditions": [ready]},
    }


def notes_of(patch: t.Any) -> dict[str, t.Any]:
    return {name.removeprefix(PREFIX): value for name, value in patch["metadata"]["annotations"].items()}


@pytest.mark.parametrize(
    ("found", "target", "written"),
    [
        pytest.param(node(), NEW, {"desiredConfig": "new", "desiredImage": None}, id="a configuration"),
        pytest.param(node(), BUILT, {"desiredConfig": "new", "desiredImage": BUILT.image}, id="and an image"),
        pytest.param(
            node("new", notes={f"{PREFIX}currentImage": "x", f"{PREFIX}desiredImage": "x"}),
            NEW,
            {"desiredConfig": "new", "desiredImage": None},
            id="out of image mode",
        ),
    ],
)
def test_what_the_daemon_is_told(found: dict[str, t.Any], target: ConfigTarget, written: dict[str, t.Any]) -> None:
    assert notes_of(assignment(found, PAUSED, target)) == written


@pytest.mark.parametrize(
    ("found", "target"),
    [
        pytest.param(node(), NEW, id="at rest"),
        pytest.param(node("old", "other", "Working"), ConfigTarget("other"), id="at work on what was rendered before"),
        pytest.param(node("old", "other"), ConfigTarget("other"), id="told, and its daemon has not seen it yet"),
        pytest.param(node("other"), NEW, id="there, and the next one is newer"),
        pytest.param(node("", "other"), ConfigTarget("other"), id="a daemon in its first run"),
        pytest.param(
            node("old", "new", "Working", notes={f"{PREFIX}desiredImage": BUILT.image}), BUILT, id="at work on an image"
        ),
    ],
)
def test_a_target_is_fixed_from_when_it_is_told_until_it_is_reached(
    found: dict[str, t.Any], target: ConfigTarget
) -> None:
    assert heading(NodeState.of(found), NEW) == target


def test_a_daemon_that_was_told_is_not_told_again_even_in_an_open_pool() -> None:
    assert assignment(node("old", "new", "Working"), OPEN, NEW) is None


@pytest.mark.parametrize(
    ("found", "pool", "seen"),
    [
        pytest.param(node(), OPEN, "is open", id="the operator chooses"),
        pytest.param(node("", "", ""), PAUSED, "not managed by a machine-config daemon", id="nobody keeps it"),
        pytest.param(node("old", "other", "Working"), PAUSED, "while it applies other", id="on another way"),
        pytest.param(node("old", "other", "Degraded"), PAUSED, "is Degraded", id="broken on another way"),
    ],
)
def test_when_the_daemon_is_not_told(found: dict[str, t.Any], pool: dict[str, t.Any], seen: str) -> None:
    with pytest.raises(ConfigRefusedError, match=seen):
        assignment(found, pool, NEW)


def passing(phase: str = REBOOTING, *, foreign: bool = True) -> NodeRecord:
    return NodeRecord(phase=phase, since="2026-11-21T22:00:00.000000Z", rollout="r1", found_unschedulable=foreign)


def after(drain: str, record: NodeRecord | None, *, cordoned: bool = False) -> dict[str, t.Any]:
    return node("new", record=record, cordoned=cordoned, notes={APPLIED_DRAIN: drain})


@pytest.mark.parametrize(
    ("found", "restored"),
    [
        pytest.param(after("uncordon-new", passing()), True, id="the daemon has taken it away"),
        pytest.param(after("uncordon-new", passing(), cordoned=True), False, id="it is there"),
        pytest.param(after("uncordon-new", passing(foreign=False)), False, id="there was none before ours"),
        pytest.param(after("uncordon-new", passing(DONE)), False, id="the passage has ended"),
        pytest.param(after("uncordon-new", None), False, id="not on its way"),
        pytest.param(after("uncordon-old", passing()), False, id="a person took it away before the daemon came"),
        pytest.param(after("drain-new", passing()), False, id="the daemon is not there yet"),
    ],
)
def test_whose_cordon_is_put_back(found: dict[str, t.Any], restored: bool) -> None:
    assert restored_cordon(found, NEW) == ({"spec": {"unschedulable": True}} if restored else None)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (node("new"), "worker-0 has new"),
        (node(), "worker-0 has old and requires new"),
        (node("old", "new", "Degraded"), "worker-0: its daemon is Degraded: it reports no reason"),
        (node("old", "new", "Working", ready="False"), "is changing to new: it is not ready: booting"),
        (node("old", "new", "Working", notes={DESIRED_DRAIN: "drain-new"}), "the daemon is waiting for the drain"),
        (
            node("old", "new", "Working", notes={DESIRED_DRAIN: "drain-new", APPLIED_DRAIN: "drain-new"}),
            "the daemon is applying it",
        ),
        (node("new", "new", "Working", notes={DESIRED_DRAIN: "uncordon-new"}), "the daemon requests its uncordon"),
        (node("old", "new", "Done"), "is changing to new: the daemon is Done"),
    ],
)
def test_how_far_it_is(found: dict[str, t.Any], sentence: str) -> None:
    assert sentence in config_sentence(found, NEW)


@pytest.mark.parametrize(
    ("found", "seconds"),
    [
        pytest.param(node("old", "new", "Working", ready="False"), 90, id="it says that it is not ready"),
        pytest.param(node("old", "new", "Working", ready="Unknown"), 90, id="it says nothing any more"),
        pytest.param(node("old", "new", "Working"), 0, id="it is ready"),
        pytest.param(node("old", ready="False"), 0, id="it has not been sent anywhere"),
    ],
)
def test_a_node_on_its_way_is_away_since_it_was_last_ready(found: dict[str, t.Any], seconds: float) -> None:
    assert seconds_away(found, NEW, datetime(2026, 11, 21, 22, 1, 30, tzinfo=timezone.utc)) == seconds
