# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The progress of the nodes of a pool to its OS image.

Source: machine-config-operator ``pkg/controller/common/layered_node_state.go`` (IsNodeDone, IsDoneAt) and
``pkg/controller/node/node_controller.go``: without a build the desired image of a node is absent.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

Object = Mapping[str, t.Any]


@dataclass(frozen=True)
class NodeStanding:
    """One node: ``image`` is the layered one that it has, empty for the release's; ``state`` is the daemon's word."""

    node: str
    image: str
    desired_image: str
    state: str
    reason: str
    done: bool

    def as_document(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        return dict(vars(self))


def node_standings(
    pool: str, config: str, image: str, nodes: Iterable[Object], config_nodes: Iterable[Object]
) -> list[NodeStanding]:
    """Return where each node of ``pool`` stands.

    ``config`` is the rendered configuration that it must have, ``image`` the layered image, empty where none is
    built. ``config_nodes`` are MachineConfigNodes, which know the pool of each node.
    """
    members = {
        str(one["metadata"]["name"])
        for one in config_nodes
        if ((one.get("spec") or {}).get("pool") or {}).get("name") == pool
    }
    states = [NodeState.of(one) for one in nodes]
    return [_standing(one, config, image) for one in sorted(states, key=lambda one: one.name) if one.name in members]


def pool_sentence(pool: PoolState, standings: Sequence[NodeStanding], image: str) -> str:
    """Return where the pool stands, in one line; ``image`` is what its nodes must run."""
    total = max(pool.machines, len(standings))
    done = sum(one.done for one in standings)
    text = f"{done} of {total} nodes of pool {pool.name} have {image or 'the image of the release'}"
    if done < total and pool.paused:
        return f"{text}; the pool is paused"
    failed = next((one for one in standings if one.state == "Degraded"), None)
    if failed:
        return f"{text}; {failed.node} is degraded: {failed.reason or 'it reports no reason'}"
    if pool.degraded and done < total:
        return f"{text}; the pool is degraded: {pool.degraded_reason or 'it reports no reason'}"
    working = next((one for one in standings if not one.done), None)
    return f"{text}; {working.node} is {working.state or 'waiting'}" if working else text


def has_arrived(pool: PoolState, standings: Sequence[NodeStanding]) -> bool:
    """Whether every machine of the pool is done."""
    return len(standings) >= pool.machines and all(one.done for one in standings)


def _standing(node: NodeState, config: str, image: str) -> NodeStanding:
    done = node.is_updated and node.current_config == config and node.current_image == image
    return NodeStanding(
        node.name, node.current_image, node.desired_image, node.daemon_state, node.daemon_reason, done and node.ready
    )
