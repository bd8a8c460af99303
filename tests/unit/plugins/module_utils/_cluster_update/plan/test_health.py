# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    FAULT,
    NOTICE,
    UNSETTLED,
    Finding,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.health import (
    ClusterObservation,
    Health,
    assess,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import VersionState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

Objects = dict[str, dict[str, t.Any]]


def conditions(**wanted: str | tuple[str, str]) -> dict[str, t.Any]:
    pairs = {name: value if isinstance(value, tuple) else (value, "") for name, value in wanted.items()}
    return {"conditions": [{"type": name, "status": s, "message": m} for name, (s, m) in pairs.items()]}


def version(**wanted: t.Any) -> dict[str, t.Any]:
    history = [{"state": "Completed", "version": "4.20.1", "image": "i", "startedTime": "s", "completionTime": "c"}]
    settled = {"Available": "True", "Progressing": "False", "Failing": "False"}
    return {"metadata": {"name": "version"}, "status": {"history": history, **conditions(**{**settled, **wanted})}}


def operator(**wanted: t.Any) -> dict[str, t.Any]:
    settled = {"Available": "True", "Progressing": "False", "Degraded": "False"}
    return {"metadata": {"name": "etcd"}, "status": conditions(**{**settled, **wanted})}


def pool(paused: bool = False, **wanted: t.Any) -> dict[str, t.Any]:
    counts = {"machineCount": 3, "updatedMachineCount": 1}
    return {"metadata": {"name": "worker"}, "spec": {"paused": paused}, "status": {**counts, **conditions(**wanted)}}


def node(unschedulable: bool = False, daemon: str = "Done", desired: str = "a", **wanted: t.Any) -> dict[str, t.Any]:
    prefix = "machineconfiguration.openshift.io/"
    notes = {prefix + "currentConfig": "a", prefix + "desiredConfig": desired, prefix + "state": daemon}
    return {
        "metadata": {"name": "w1", "annotations": {**notes, prefix + "reason": "disk full"}},
        "spec": {"unschedulable": unschedulable},
        "status": conditions(**{"Ready": "True", **wanted}),
    }


def health(**changed: dict[str, t.Any]) -> Health:
    return health_after("", changed)


def health_after(before: str, changed: Objects) -> Health:
    objects: Objects = {"version": version(), "operator": operator(), "pool": pool(), "node": node(), **changed}
    return assess(
        ClusterObservation(
            version=VersionState.of(objects["version"]),
            operators=(OperatorState.of(objects["operator"]),),
            pools=(PoolState.of(objects["pool"]),),
            nodes=(NodeState.of(objects["node"]),),
        ),
        broken_before=before,
    )


def test_a_cluster_at_rest() -> None:
    found = health()
    assert (found.healthy, found.settled, found.findings) == (True, True, ())
    assert found.sentence == ("healthy and settled: 1 of 1 nodes ready, 1 of 1 operators available, version 4.20.1")


@pytest.mark.parametrize(
    ("changed", "kind", "seen"),
    [
        ({"version": version(Failing=("True", "bad manifest"))}, "ClusterVersion", "the update fails: bad manifest"),
        ({"version": version(ReleaseAccepted=("False", "no signature"))}, "ClusterVersion", "no signature"),
        ({"operator": operator(Available="False")}, "ClusterOperator", "is not available"),
        ({"operator": operator(Available="Unknown")}, "ClusterOperator", "is not available: it has not reported"),
        ({"operator": operator(Degraded=("True", "one member"))}, "ClusterOperator", "is degraded: one member"),
        ({"pool": pool(Degraded=("True", "node w1"))}, "MachineConfigPool", "is degraded: node w1"),
        ({"node": node(Ready=("False", "stopped"))}, "Node", "is not ready: stopped"),
        ({"node": node(DiskPressure="True")}, "Node", "reports DiskPressure"),
        ({"node": node(daemon="Degraded")}, "Node", "its machine-config daemon is Degraded: disk full"),
    ],
)
def test_faults(changed: Objects, kind: str, seen: str) -> None:
    found = health(**changed)
    (fault,) = found.findings
    assert (fault.severity, fault.kind, found.healthy, found.settled) == (FAULT, kind, False, False)
    assert seen in fault.seen
    assert found.sentence.startswith(f"1 fault: {kind} {fault.name} ")


SINCE = "2026-11-21T21:00:00Z"
FAILS: Objects = {"version": version(Failing="True")}
DEGRADED: Objects = {"operator": operator(Degraded="True")}
HANGS: Objects = {"operator": operator(Progressing="True")}
AWAY: Objects = {"node": node(Ready="False")}
FULL: Objects = {"node": node(DiskPressure="True")}


def lasting(changed: Objects, name: str = "") -> Objects:
    """Let all conditions of objects have begun at one time."""
    (kind, found), *_none = changed.items()
    conditions = [{**one, "lastTransitionTime": SINCE} for one in found["status"]["conditions"]]
    metadata = {**found["metadata"], **({"name": name} if name else {})}
    return {kind: {**found, "metadata": metadata, "status": {**found["status"], "conditions": conditions}}}


@pytest.mark.parametrize(
    ("changed", "before", "settled"),
    [
        pytest.param(lasting(DEGRADED), "2026-11-21T21:05:00Z", True, id="an operator"),
        pytest.param(lasting(HANGS), "2026-11-21T21:05:00Z", True, id="an operator that comes to no end"),
        pytest.param(lasting(AWAY), "2026-11-21T21:05:00Z", True, id="another node"),
        pytest.param(lasting(FULL), "2026-11-21T21:05:00Z", True, id="a node under pressure"),
        pytest.param(lasting(FAILS), "2026-11-21T21:05:00Z", True, id="the update because of one of them"),
        pytest.param(lasting(DEGRADED), "2026-11-21T21:04:59Z", False, id="for a short time only"),
        pytest.param(lasting(DEGRADED), "2026-11-21T20:00:00Z", False, id="since then"),
        pytest.param(lasting(DEGRADED), "", False, id="nothing was started"),
        pytest.param(DEGRADED, "2026-11-21T21:05:00Z", False, id="since when is not known"),
        pytest.param(
            lasting(DEGRADED, "machine-config"), "2026-11-21T21:05:00Z", False, id="the operator that changes nodes"
        ),
    ],
)
def test_what_was_broken_before_does_not_count_and_is_named(changed: Objects, before: str, settled: bool) -> None:
    found = health_after(before, changed)
    (finding,) = found.findings
    assert (found.settled, finding.broken_before) == (settled, settled)


def test_what_is_no_instant_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="is not an instant"):
        health_after("yesterday", {})


@pytest.mark.parametrize(
    ("changed", "kind", "seen"),
    [
        ({"version": version(Progressing=("True", "Working towards 4.20.2"))}, "ClusterVersion", "Working towards"),
        ({"operator": operator(Progressing=("True", "rolling out"))}, "ClusterOperator", "is progressing: rolling out"),
        ({"pool": pool(Updating="True")}, "MachineConfigPool", "is updating: 1 of 3 nodes are done"),
        ({"node": node(desired="b", daemon="Working")}, "Node", "is changing from a to b"),
    ],
)
def test_changes_under_way(changed: Objects, kind: str, seen: str) -> None:
    found = health(**changed)
    (change,) = found.findings
    assert (change.severity, change.kind, found.healthy, found.settled) == (UNSETTLED, kind, True, False)
    assert seen in change.seen


@pytest.mark.parametrize(
    ("changed", "seen"),
    [
        ({"version": version(Upgradeable=("False", "overrides"))}, "not upgradeable: overrides"),
        ({"operator": operator(Upgradeable=("False", "old API"))}, "is not upgradeable: old API"),
        ({"pool": pool(paused=True, Updating="True")}, "is paused with 2 of 3 nodes not updated"),
        ({"node": node(unschedulable=True)}, "is cordoned"),
    ],
)
def test_notices_leave_a_cluster_healthy_and_settled(changed: Objects, seen: str) -> None:
    found = health(**changed)
    (notice,) = found.findings
    assert (notice.severity, found.healthy, found.settled) == (NOTICE, True, True)
    assert seen in notice.seen


def test_faults_come_first() -> None:
    found = health(version=version(Progressing="True"), node=node(Ready="False"))
    assert [finding.severity for finding in found.findings] == [FAULT, UNSETTLED]


def test_a_long_list_is_cut_in_the_sentence_and_whole_in_the_findings() -> None:
    many = tuple(Finding(FAULT, "Node", f"w{number}", "is not ready", "Look.") for number in range(5))
    sentence = Health(findings=many, summary="").sentence
    assert sentence == "5 faults: Node w0 is not ready; Node w1 is not ready; Node w2 is not ready; and 2 more"


def test_plain_kubernetes_is_judged_by_its_nodes() -> None:
    seen = ClusterObservation(version=None, nodes=(NodeState.of(node()),), pools=(), operators=())
    assert assess(seen).sentence == "healthy and settled: 1 of 1 nodes ready"
