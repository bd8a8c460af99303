# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import FAULT, NOTICE
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.health import (
    ClusterObservation,
    Health,
    assess,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import VersionState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pause_record import (
    PAUSE_ANNOTATION,
    REQUIRED_LABEL,
    PauseRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

Json = dict[str, t.Any]
OURS = PauseRecord(True, "2026-11-21T22:04:00.000000Z", "technician", "update-4.21.4", "one by one")
HELD_ELSEWHERE = PauseRecord(True, "2026-11-21T22:04:00.000000Z", "technician")


def says(kind: str, reason: str, message: str) -> Json:
    return {"conditions": [{"type": kind, "status": "True", "reason": reason, "message": message}]}


def operator(name: str, reason: str) -> OperatorState:
    status = says("Degraded", reason, f"{name} is not well") if reason else {"conditions": []}
    healthy = [{"type": "Available", "status": "True"}, {"type": "Progressing", "status": "False"}]
    return OperatorState.of({"metadata": {"name": name}, "status": {"conditions": [*status["conditions"], *healthy]}})


def pool(record: PauseRecord | None, *, paused: bool = True, required: bool = True) -> PoolState:
    labels = {REQUIRED_LABEL: ""} if required else {}
    notes = {PAUSE_ANNOTATION: record.as_text()} if record else {}
    metadata = {"name": "master", "labels": labels, "annotations": notes}
    return PoolState.of({"metadata": metadata, "spec": {"paused": paused}})


def judged(held: PoolState, degraded: dict[str, str], failing: str = "") -> Health:
    status = says("Failing", failing, "Cluster operator machine-config is degraded") if failing else {}
    version = VersionState.of({"metadata": {"name": "version"}, "status": status})
    operators = tuple(operator(name, reason) for name, reason in degraded.items())
    return assess(ClusterObservation(version, (), (held,), operators))


POOLS_FAILED = {"machine-config": "RequiredPoolsFailed", "etcd": ""}


@pytest.mark.parametrize(
    ("held", "degraded", "failing", "faults"),
    [
        pytest.param(pool(OURS), POOLS_FAILED, "", [], id="the operator says that a pool is paused"),
        pytest.param(pool(OURS), POOLS_FAILED, "ClusterOperatorDegraded", [], id="and so the update fails"),
        pytest.param(
            pool(OURS),
            {"machine-config": "RenderConfigFailed"},
            "",
            ["operator_degraded"],
            id="it is degraded for another reason",
        ),
        pytest.param(
            pool(OURS),
            {**POOLS_FAILED, "etcd": "EtcdMembersDegraded"},
            "ClusterOperatorsDegraded",
            ["version_failing", "operator_degraded"],
            id="another operator is degraded too",
        ),
        pytest.param(
            pool(OURS), POOLS_FAILED, "ImagePullBackOff", ["version_failing"], id="the update fails for another reason"
        ),
        pytest.param(pool(None), POOLS_FAILED, "", ["operator_degraded"], id="others have paused the pool"),
        pytest.param(pool(HELD_ELSEWHERE), POOLS_FAILED, "", ["operator_degraded"], id="paused outside any rollout"),
        pytest.param(pool(OURS, paused=False), POOLS_FAILED, "", ["operator_degraded"], id="it is open"),
        pytest.param(pool(OURS, required=False), POOLS_FAILED, "", ["operator_degraded"], id="no update requires it"),
    ],
)
def test_what_the_pause_of_a_rollout_does_is_no_fault(
    held: PoolState, degraded: dict[str, str], failing: str, faults: list[str]
) -> None:
    found = judged(held, degraded, failing).findings
    assert [one.code for one in found if one.severity == FAULT] == faults


def test_it_is_told_with_the_rollout_that_holds_the_pool() -> None:
    (told,) = (one for one in judged(pool(OURS), POOLS_FAILED).findings if one.code == "operator_degraded")
    assert (told.severity, told.advice) == (NOTICE, "Expected while rollout update-4.21.4 keeps pool master paused.")
