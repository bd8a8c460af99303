# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What was read and judged, in the shape that modules return."""

from __future__ import annotations

import typing as t
from collections.abc import Sequence
from dataclasses import asdict

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.health import (
    ClusterObservation,
    Health,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.left_behind import left_behind
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import (
    VersionState,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import Condition
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

Fields = dict[str, t.Any]


def health_report(seen: ClusterObservation, health: Health) -> Fields:
    """Return the values documented under RETURN of fieldops.openshift.cluster_health_info."""
    return {
        "healthy": health.healthy,
        "settled": health.settled,
        "findings": [asdict(finding) for finding in health.findings],
        "idle_allowances": list(health.idle_allowances),
        "cluster_version": _version(seen.version, seen.pools) if seen.version else None,
        "cluster_operators": [_operator(operator) for operator in seen.operators],
        "machine_config_pools": [asdict(pool) for pool in seen.pools],
        "nodes": [_node(node) for node in seen.nodes],
    }


def _version(version: VersionState, pools: Sequence[PoolState]) -> Fields:
    return {
        "cluster_id": version.cluster_id,
        "channel": version.channel,
        "current_version": version.current_version,
        "desired_version": version.desired_version,
        "desired_image": version.desired_image,
        "left_behind": list(left_behind(version, pools)),
        "history": [asdict(entry) for entry in version.history],
    }


def _operator(operator: OperatorState) -> Fields:
    return {
        "name": operator.name,
        "version": operator.version,
        "settled": operator.is_settled,
        "available": _condition(operator.available),
        "progressing": _condition(operator.progressing),
        "degraded": _condition(operator.degraded),
        "upgradeable": _condition(operator.upgradeable),
    }


def _condition(condition: Condition) -> Fields:
    fields = asdict(condition)
    del fields["type"]
    return fields


def _node(node: NodeState) -> Fields:
    known = asdict(node)
    del known["since"]
    return {
        **known,
        "roles": list(node.roles),
        "pressures": list(node.pressures),
        "updated": node.is_updated,
    }
