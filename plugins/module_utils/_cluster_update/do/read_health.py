# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads what the health of a cluster is judged by."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_checks import (
    CHECKS,
    ClusterReading,
    further_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.health import (
    ClusterObservation,
    assess,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.health_report import health_report
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import VersionState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_OPERATOR,
    CLUSTER_VERSION,
    MACHINE_CONFIG_POOL,
    NODE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

CHECK_SECONDS = 120.0
"""How long all further checks together may try."""

HEALTH_OPTIONS: Mapping[str, Mapping[str, t.Any]] = {
    "checks": {"type": "list", "elements": "str", "choices": list(CHECKS), "default": []},
    "allowed": {"type": "list", "elements": "str", "default": []},
    "broken_before": {"type": "str", "default": ""},
    "target_version": {"type": "str", "default": ""},
    "pin_method": {"type": "str", "choices": ["node", "pinned_image_set"], "default": "node"},
    "certificate_days": {"type": "int", "default": 30},
    "keep_free_percent": {"type": "int", "default": 15},
    "clock_limit": {"type": "int", "default": 5},
}


def read_health(client: ClusterClient, params: Mapping[str, t.Any]) -> Step:
    """Read the cluster once and return the judgement.

    ``params`` are those of HEALTH_OPTIONS. OpenShift's kinds may be missing: plain Kubernetes is judged by its nodes.
    Raise InvalidInputError, and ApiError when the API does not answer for as long as the client is patient, or refuses.
    """
    deadline = client.patience()
    versions = client.list_objects(CLUSTER_VERSION, missing_ok=True, deadline=deadline)
    seen = ClusterObservation(
        version=VersionState.of(versions[0]) if versions else None,
        operators=tuple(
            OperatorState.of(found)
            for found in client.list_objects(CLUSTER_OPERATOR, missing_ok=True, deadline=deadline)
        ),
        pools=tuple(
            PoolState.of(found)
            for found in client.list_objects(MACHINE_CONFIG_POOL, missing_ok=True, deadline=deadline)
        ),
        nodes=tuple(NodeState.of(found) for found in client.list_objects(NODE, deadline=deadline)),
    )
    further = further_findings(ClusterReading(client, params, seen, Deadline(CHECK_SECONDS, client.clock)))
    health = assess(seen, further, params["allowed"], params["broken_before"])
    return Step(health.sentence, health.settled, objects=health_report(seen, health), next_delay=10.0)
