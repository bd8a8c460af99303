# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Doubts about the release, the operators, the pools and the nodes of a cluster."""

from __future__ import annotations

from collections.abc import Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    Finding,
    fault,
    notice,
    unsettled,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import (
    VersionState,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_OPERATOR,
    CLUSTER_VERSION,
    MACHINE_CONFIG_POOL,
    NODE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState


def version_findings(version: VersionState | None) -> Iterator[Finding]:
    """Yield the doubts about the release; there are none where no ClusterVersion exists."""
    if version is None:
        return
    if version.failing.is_true:
        advice = "The cluster version operator retries on its own. Fix the named cause if the failure persists."
        seen = f"the update fails: {version.failing.message}"
        since = version.failing.last_transition
        yield fault("version_failing", CLUSTER_VERSION, "version", seen, advice, since=since)
    if version.release_accepted.status == "False":
        advice = (
            "The requested release was rejected and nothing was changed. Resolve the reason or withdraw the request."
        )
        seen = f"the requested release is not accepted: {version.release_accepted.message}"
        yield fault("release_refused", CLUSTER_VERSION, "version", seen, advice)
    if version.progressing.is_true:
        seen = version.progressing.message
        yield unsettled("version_progressing", CLUSTER_VERSION, "version", seen, "Wait for the update to end.")
    if version.upgradeable.status == "False":
        advice = "This blocks updates to the next minor version only."
        seen = f"not upgradeable: {version.upgradeable.message}"
        yield notice("version_not_upgradeable", CLUSTER_VERSION, "version", seen, advice)


def operator_findings(operator: OperatorState) -> Iterator[Finding]:
    """Yield the doubts about one cluster operator."""
    name = operator.name
    advice = f"See the messages of 'oc get clusteroperator {name} -o yaml' and its pods."
    if not operator.available.is_true:
        seen = f"is not available: {operator.available.message or 'it has not reported its state'}"
        yield fault(
            "operator_unavailable", CLUSTER_OPERATOR, name, seen, advice, since=operator.available.last_transition
        )
    if operator.degraded.is_true:
        seen, since = f"is degraded: {operator.degraded.message}", operator.degraded.last_transition
        yield fault("operator_degraded", CLUSTER_OPERATOR, name, seen, advice, since=since)
    if operator.progressing.is_true:
        seen, since = f"is progressing: {operator.progressing.message}", operator.progressing.last_transition
        yield unsettled("operator_progressing", CLUSTER_OPERATOR, name, seen, "Wait for it to end.", since=since)
    if operator.upgradeable.status == "False":
        seen = f"is not upgradeable: {operator.upgradeable.message}"
        advice = "This blocks updates to the next minor version."
        yield notice("operator_not_upgradeable", CLUSTER_OPERATOR, name, seen, advice)


def pool_findings(pool: PoolState) -> Iterator[Finding]:
    """Yield the doubts about one pool of nodes."""
    if pool.degraded:
        seen = f"is degraded: {pool.degraded_reason or 'no reason is reported'}"
        advice = "The pool is not updated until the named node is repaired."
        yield fault("pool_degraded", MACHINE_CONFIG_POOL, pool.name, seen, advice)
    if pool.updating and not pool.paused:
        seen = f"is updating: {pool.updated_machines} of {pool.machines} nodes are done"
        yield unsettled("pool_updating", MACHINE_CONFIG_POOL, pool.name, seen, "Wait for the pool to be updated.")
    if pool.paused:
        waiting = pool.machines - pool.updated_machines
        seen = f"is paused with {waiting} of {pool.machines} nodes not updated"
        advice = "This is normal between maintenance windows."
        yield notice("pool_paused", MACHINE_CONFIG_POOL, pool.name, seen, advice)


def node_findings(node: NodeState) -> Iterator[Finding]:
    """Yield the doubts about one node."""
    if not node.ready:
        advice = "Check that the host and its kubelet are running."
        seen, since = f"is not ready: {node.ready_reason}", node.since.get("Ready", "")
        yield fault("node_not_ready", NODE, node.name, seen, advice, since=since)
    for pressure in node.pressures:
        advice = "Free resources on the node before it is changed."
        since = node.since.get(pressure, "")
        yield fault("node_pressure", NODE, node.name, f"reports {pressure}", advice, since=since)
    if node.daemon_state in ("Degraded", "Unreconcilable"):
        seen = f"its machine-config daemon is {node.daemon_state}: {node.daemon_reason}"
        yield fault(
            "daemon_degraded", NODE, node.name, seen, "Fix the cause that the daemon reports. It retries automatically."
        )
    elif node.is_managed and not node.is_updated and node.desired_config != node.current_config:
        seen = f"is changing from {node.current_config} to {node.desired_config}"
        yield unsettled("node_updating", NODE, node.name, seen, "Wait for the machine-config daemon.")
    if not node.schedulable:
        advice = "A user or program cordoned it. Check who did before you uncordon it."
        yield notice("node_cordoned", NODE, node.name, "is cordoned", advice)
