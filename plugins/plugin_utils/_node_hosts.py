# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nodes and pools as hosts of an inventory, with the variables and the groups that follow from their objects."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import pool_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

Object = t.Mapping[str, t.Any]


@dataclass(frozen=True)
class NodeHost:
    """A host: the name of its node, its ``groups`` and its ``variables``."""

    name: str
    groups: tuple[str, ...]
    variables: Mapping[str, t.Any]


def hosts_of(nodes: Sequence[Object], pools: Sequence[Object], address_types: Sequence[str]) -> list[NodeHost]:
    """Return the hosts in the order of their names; ``address_types`` say what becomes ``ansible_host``."""
    states = {pool["metadata"]["name"]: PoolState.of(pool) for pool in pools}
    found = [_host(node, pool_of(node, pools), states, address_types) for node in nodes]
    return sorted(found, key=lambda host: host.name)


def _host(node: Object, pool: str, pools: Mapping[str, PoolState], address_types: Sequence[str]) -> NodeHost:
    state = NodeState.of(node)
    pending = _is_pending(state, pools.get(pool))
    status = node.get("status") or {}
    addresses = [dict(each) for each in status.get("addresses") or []]
    info = status.get("nodeInfo") or {}
    preferred = [each["address"] for kind in address_types for each in addresses if each["type"] == kind]
    variables: dict[str, t.Any] = {
        "node_name": state.name,
        "node_addresses": addresses,
        "node_pool": pool,
        "node_roles": list(state.roles),
        "node_zone": state.zone,
        "node_labels": dict(node["metadata"].get("labels") or {}),
        "node_ready": state.ready,
        "node_schedulable": state.schedulable,
        "node_pending_change": pending,
        "node_os_image": state.os_image,
        "node_kubelet_version": state.kubelet_version,
        "node_architecture": info.get("architecture", ""),
        "node_current_config": state.current_config,
        "node_desired_config": state.desired_config,
        "node_current_image": state.current_image,
        "node_desired_image": state.desired_image,
        "ansible_node_pod_node": state.name,
        **({"ansible_host": preferred[0]} if preferred else {}),
    }
    return NodeHost(state.name, _groups(state, pool, pending), variables)


def _groups(state: NodeState, pool: str, pending: bool) -> tuple[str, ...]:
    return (
        "nodes",
        f"pool_{pool}",
        *(f"role_{role}" for role in state.roles),
        *([f"zone_{state.zone}"] if state.zone else []),
        *(["pending_change"] if pending else []),
        *([] if state.ready else ["not_ready"]),
        *([] if state.schedulable else ["unschedulable"]),
    )


def _is_pending(state: NodeState, pool: PoolState | None) -> bool:
    """Whether a change waits for the node: its daemon's own, or one that its pool has not given to it yet."""
    if not state.is_managed:
        return False
    is_behind = pool is not None and bool(pool.desired_config) and pool.desired_config != state.current_config
    return is_behind or not state.is_updated
