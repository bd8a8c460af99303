# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a rollout does to the cluster by holding a pool that updates require: seen, and yet no fault.

While such a pool is paused the machine-config operator is degraded with RequiredPoolsFailed (its pkg/operator/sync.go,
syncRequiredMachineConfigPools), and after a while the version operator reports the update as failing because of that
operator (cluster-version-operator, pkg/cvo/status.go). Any other reason stays a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import NOTICE, Finding
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import (
    VersionState,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

MACHINE_CONFIG = "machine-config"
POOLS_FAILED = "RequiredPoolsFailed"
ONE_OPERATOR_DEGRADED = "ClusterOperatorDegraded"


def with_expected(
    findings: Iterable[Finding],
    version: VersionState | None,
    operators: Sequence[OperatorState],
    pools: Sequence[PoolState],
) -> Iterator[Finding]:
    """Yield the findings, those as notices that follow from the pause of a rollout."""
    holding = [pool for pool in pools if pool.required and pool.held_by]
    codes = _expected(version, operators) if holding else set()
    for finding in findings:
        if finding.code in codes and finding.name in (MACHINE_CONFIG, "version"):
            advice = f"Expected while rollout {holding[0].held_by} keeps pool {holding[0].name} paused."
            yield replace(finding, severity=NOTICE, advice=advice)
        else:
            yield finding


def _expected(version: VersionState | None, operators: Sequence[OperatorState]) -> set[str]:
    degraded = {one.name: one.degraded.reason for one in operators if one.degraded.is_true}
    if degraded.get(MACHINE_CONFIG) != POOLS_FAILED:
        return set()
    reason = version.failing.reason if version else ""
    is_alone = reason == ONE_OPERATOR_DEGRADED and set(degraded) == {MACHINE_CONFIG}
    return {"operator_degraded", "version_failing"} if is_alone else {"operator_degraded"}
