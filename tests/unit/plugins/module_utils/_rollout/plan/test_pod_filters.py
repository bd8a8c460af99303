# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t
from datetime import datetime, timedelta, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pod_filters import (
    LEAVE,
    REFUSE,
    REMOVE,
    DrainRules,
    PodPlan,
    Surroundings,
    plan_pods,
)

NOW = datetime(2026, 11, 21, 22, 0, tzinfo=timezone.utc)
ALL = DrainRules(force=True, delete_local_data=True)

Pod = dict[str, t.Any]


def ago(seconds: float) -> str:
    return (NOW - timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def pod(owner: str = "ReplicaSet", phase: str = "Running", empty_dir: bool = False, **metadata: t.Any) -> Pod:
    owners = [{"kind": owner, "name": "owner", "controller": True}] if owner else []
    return {
        "metadata": {
            "namespace": "shop",
            "name": "web",
            "uid": "u1",
            "creationTimestamp": ago(3600),
            "ownerReferences": owners,
            **metadata,
        },
        "spec": {"volumes": [{"name": "scratch", "emptyDir": {}}] if empty_dir else []},
        "status": {"phase": phase},
    }


def mirror() -> Pod:
    return pod(owner="Node", annotations={"kubernetes.io/config.mirror": "x"})


def helper(**changes: t.Any) -> Pod:
    labels = {"app.kubernetes.io/part-of": "fieldops-openshift"}
    return pod(owner="", **{"namespace": "fieldops-reach-update", "labels": labels, **changes})


def plan(found: Pod, rules: DrainRules, cordoned: float | None = None, daemons: t.Any = ()) -> PodPlan:
    cordoned_at = NOW - timedelta(seconds=cordoned) if cordoned is not None else None
    (planned,) = plan_pods([found], rules, Surroundings(set(daemons), NOW, cordoned_at))
    return planned


DAEMON = [("shop", "owner")]
NONE = DrainRules()


@pytest.mark.parametrize(
    ("found", "rules", "daemons", "action"),
    [
        pytest.param(pod(), NONE, (), REMOVE, id="a pod that is replaced goes"),
        pytest.param(pod(owner="DaemonSet"), NONE, DAEMON, LEAVE, id="a daemon stays"),
        pytest.param(pod(owner="DaemonSet"), NONE, (), REFUSE, id="an orphaned daemon is nobody's"),
        pytest.param(pod(owner="DaemonSet"), ALL, (), REMOVE, id="an orphaned daemon goes by force"),
        pytest.param(pod(owner="DaemonSet", phase="Failed"), NONE, DAEMON, REMOVE, id="a finished daemon goes"),
        pytest.param(pod(owner="DaemonSet", empty_dir=True), NONE, DAEMON, LEAVE, id="a daemon's data is no objection"),
        pytest.param(mirror(), NONE, (), LEAVE, id="a static pod stays"),
        pytest.param(helper(), NONE, (), LEAVE, id="a helper pod stays"),
        pytest.param(helper(), ALL, (), LEAVE, id="a helper pod stays in spite of force"),
        pytest.param(helper(namespace="shop"), NONE, (), REFUSE, id="its label alone is no excuse"),
        pytest.param(helper(labels={}), NONE, (), REFUSE, id="its namespace alone is none either"),
        pytest.param(pod(empty_dir=True), NONE, (), REFUSE, id="local data is kept"),
        pytest.param(pod(empty_dir=True), DrainRules(delete_local_data=True), (), REMOVE, id="local data may go"),
        pytest.param(pod(empty_dir=True, phase="Succeeded"), NONE, (), REMOVE, id="a finished pod's data may go"),
        pytest.param(pod(owner=""), NONE, (), REFUSE, id="a pod of nobody stays"),
        pytest.param(pod(owner=""), DrainRules(force=True), (), REMOVE, id="a pod of nobody goes by force"),
        pytest.param(pod(owner="", phase="Succeeded"), NONE, (), REMOVE, id="a finished pod of nobody goes"),
        pytest.param(pod(owner="", empty_dir=True), DrainRules(force=True), (), REFUSE, id="each needs its permission"),
        pytest.param(
            pod(owner="", empty_dir=True), DrainRules(delete_local_data=True), (), REFUSE, id="force is not implied"
        ),
    ],
)
def test_kubectls_filters(found: Pod, rules: DrainRules, daemons: t.Any, action: str) -> None:
    assert plan(found, rules, daemons=daemons).action == action


def test_all_objections_are_told_at_once() -> None:
    reason = plan(pod(owner="", empty_dir=True), NONE).reason
    assert "emptyDir" in reason
    assert "no controller" in reason


@pytest.mark.parametrize(("seconds", "action"), [(299, REMOVE), (301, LEAVE)])
def test_a_pod_that_has_been_terminating_for_long_is_left(seconds: int, action: str) -> None:
    found = pod(deletionTimestamp=ago(seconds))
    assert plan(found, DrainRules(leave_terminating_after=300)).action == action


def test_without_a_limit_a_terminating_pod_is_waited_for_however_long() -> None:
    assert plan(pod(deletionTimestamp=ago(10**6)), NONE).action == REMOVE


@pytest.mark.parametrize(
    ("created", "action"),
    [(61, REMOVE), (60, REMOVE), (59, LEAVE)],
    ids=["before the cordon", "in the same second", "after it"],
)
def test_a_pod_that_came_after_the_cordon_would_come_again(created: int, action: str) -> None:
    assert plan(pod(creationTimestamp=ago(created)), NONE, cordoned=60).action == action


def test_a_pod_of_another_controllers_kind_is_no_daemon() -> None:
    assert plan(pod(owner="StatefulSet"), NONE, daemons=DAEMON).action == REMOVE


def test_an_owner_that_is_no_controller_replaces_nothing() -> None:
    found = pod(ownerReferences=[{"kind": "ReplicaSet", "name": "owner"}])
    assert plan(found, NONE).action == REFUSE
