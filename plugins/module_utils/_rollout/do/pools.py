# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads pools of the machine-config operator and their nodes."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.built_images import read_built_images
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import NoSuchPoolError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.ending_certificates import (
    ending_certificates,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import (
    PoolProgress,
    progress_of_pools,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import pool_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    MACHINE_CONFIG_POOL,
    NODE,
    ObjectKind,
)

Object = dict[str, t.Any]

CONTROLLER_CONFIG = ObjectKind("machineconfiguration.openshift.io/v1", "ControllerConfig")


def read_pools(client: ClusterClient, names: Sequence[str]) -> list[PoolProgress]:
    """Return where the named pools stand, all without names, the required ones first; raise NoSuchPoolError."""
    pools = client.list_objects(MACHINE_CONFIG_POOL)
    unknown = sorted(set(names) - {pool["metadata"]["name"] for pool in pools})
    if unknown:
        raise _no_such_pool(", ".join(unknown))
    nodes = [(pool_of(node, pools), NodeState.of(node)) for node in client.list_objects(NODE)]
    return [one for one in progress_of_pools(pools, nodes, read_built_images(client)) if not names or one.name in names]


def read_pools_and_certificates(client: ClusterClient, params: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the pools as the module machine_config_pool_info does, and the certificates of nodes that end soon."""
    pools = read_pools(client, params["names"])
    config = client.get(CONTROLLER_CONFIG, "machine-config-controller", missing_ok=True)
    ending = ending_certificates(config, client.clock.utcnow(), params["certificate_days"])
    return {
        "pools": [one.as_data() for one in pools],
        "certificates_at_risk": [one.as_data() for one in ending],
    }


def read_pool(client: ClusterClient, name: str) -> Object:
    """Return a MachineConfigPool; raise NoSuchPoolError."""
    pool = client.get(MACHINE_CONFIG_POOL, name)
    if pool is None:
        raise _no_such_pool(name)
    return pool


def read_members(client: ClusterClient, name: str) -> list[Object]:
    """Return the Node objects of a pool."""
    pools = client.list_objects(MACHINE_CONFIG_POOL)
    return [node for node in client.list_objects(NODE) if pool_of(node, pools) == name]


def _no_such_pool(name: str) -> NoSuchPoolError:
    return NoSuchPoolError(
        "find the pool",
        on=f"MachineConfigPool {name}",
        seen="the cluster has no object of this name",
        advice="Check the name, and that these credentials belong to the intended cluster.",
    )
