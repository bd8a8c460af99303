# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads what an update is judged by and how far it has come."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.admin_gates import (
    ACKS_NAME,
    ACKS_NAMESPACE,
    GATES_NAME,
    GATES_NAMESPACE,
    AdminGate,
    open_gates,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.preconditions import (
    Precondition,
    Situation,
    preconditions,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_request import (
    ReleaseRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.signature_document import (
    LABEL,
    NAMESPACE,
    holds_signature,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_pool import (
    UpdatePool,
    release_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_progress import (
    UpdateProgress,
    waits_for_last_operator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import VersionState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_OPERATOR,
    CLUSTER_VERSION,
    CONFIG_MAP,
    MACHINE_CONFIG,
    MACHINE_CONFIG_POOL,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.operator_state import OperatorState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import (
    ReleaseVersion,
)

VERSION_NAME = "version"


@dataclass(frozen=True)
class UpdateObservation:
    """The cluster at one check."""

    cluster: VersionState
    operators: tuple[OperatorState, ...]
    pools: tuple[UpdatePool, ...]


def read_observation(client: ClusterClient) -> UpdateObservation:
    """Read version, operators and pools, one request for each page.

    While all that is left is the operator that rolls nodes, read what it has rendered for required pools as well.
    Raise MissingRequirementError where there is no ClusterVersion, and ApiError.
    """
    deadline = client.patience()
    found = client.get(CLUSTER_VERSION, VERSION_NAME, missing_ok=True, deadline=deadline)
    if found is None:
        raise MissingRequirementError(
            "update the cluster",
            on=client.access.server,
            seen="it has no ClusterVersion",
            advice="Use this method on OpenShift only. Roll the nodes of other clusters with roll_nodes.",
        )
    pools = tuple(UpdatePool.of(one) for one in client.list_objects(MACHINE_CONFIG_POOL, deadline=deadline))
    operators = tuple(OperatorState.of(one) for one in client.list_objects(CLUSTER_OPERATOR, deadline=deadline))
    cluster = VersionState.of(found)
    if waits_for_last_operator(cluster, operators):
        pools = tuple(_with_release(client, pool, deadline) if pool.required else pool for pool in pools)
    return UpdateObservation(cluster, operators, pools)


def _with_release(client: ClusterClient, pool: UpdatePool, deadline: Deadline) -> UpdatePool:
    """Return the pool with the release of its configuration: the pool does not show whether it is an old one."""
    name = pool.state.desired_config
    return replace(pool, rendered_for=release_of(client.get(MACHINE_CONFIG, name, deadline=deadline) if name else None))


def read_gates(client: ClusterClient) -> tuple[dict[str, str], dict[str, str]]:
    """Return the changes that may need an acknowledgement, and the acknowledgements."""
    gates = client.get(CONFIG_MAP, GATES_NAME, GATES_NAMESPACE) or {}
    acks = client.get(CONFIG_MAP, ACKS_NAME, ACKS_NAMESPACE) or {}
    return gates.get("data") or {}, acks.get("data") or {}


def unacknowledged(
    observation: UpdateObservation, gates: Mapping[str, str], acks: Mapping[str, str]
) -> tuple[AdminGate, ...]:
    """Return the gates of the present minor version that are still closed."""
    current = ReleaseVersion.parse(observation.cluster.desired_version)
    return open_gates(gates, acks, current.minor_name) if current else ()


def judge(
    client: ClusterClient,
    request: ReleaseRequest,
    observation: UpdateObservation,
    gates: tuple[AdminGate, ...],
    params: Mapping[str, t.Any],
) -> tuple[Precondition, ...]:
    """Return what blocks ``request``, with the signatures that the cluster holds already."""
    situation = Situation(
        cluster=observation.cluster,
        operators=observation.operators,
        pools=observation.pools,
        gates=gates,
        signed=bool(params.get("signature_config_map")) or _is_signed(client, request),
        nodes_without_images=tuple(params.get("nodes_without_images") or ()),
        accepted_risks=frozenset(params.get("accepted_risks") or ()),
        replace_running_update=bool(params.get("replace_running_update")),
    )
    return preconditions(request, situation)


def update_report(
    request: ReleaseRequest, observation: UpdateObservation, progress: UpdateProgress, found: tuple[Precondition, ...]
) -> dict[str, t.Any]:
    """Return the values documented under RETURN of fieldops.openshift.cluster_update."""
    entry = next((one for one in observation.cluster.history if one.image == request.image), None)
    return {
        "release": {
            "image": request.image,
            "version": request.version or (entry.version if entry else ""),
            "state": progress.state,
            "trouble": progress.trouble,
            "waits_for_nodes": progress.waits_for_nodes,
            "rendered": progress.reaches("operators"),
            "started": entry.started if entry else "",
            "completed": entry.completed if entry else "",
            "verified": entry.verified if entry else False,
        },
        "current_version": observation.cluster.current_version,
        "operators_behind": list(progress.operators_behind),
        "pools": [_pool(pool) for pool in observation.pools],
        "preconditions": [asdict(one) for one in found],
    }


def _pool(pool: UpdatePool) -> dict[str, t.Any]:
    state = pool.state
    return {
        "name": state.name,
        "required": pool.required,
        "paused": state.paused,
        "updated": not pool.waits,
        "machines": state.machines,
        "updated_machines": state.updated_machines,
        "degraded_reason": state.degraded_reason,
    }


def _is_signed(client: ClusterClient, request: ReleaseRequest) -> bool:
    return holds_signature(client.list_objects(CONFIG_MAP, NAMESPACE, labels=LABEL), request)
