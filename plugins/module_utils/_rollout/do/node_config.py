# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Giving one node of a paused pool its next rendered configuration, and watching its daemon go there."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.server_time import cluster_now
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import CLAIM_OPTION, Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.built_images import read_built_images
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock import renew_lock
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.node_write import read_node, rewrite_node
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.pools import read_pool
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import (
    ConfigRefusedError,
    NodeAwayError,
    PoolDegradedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.config_change import (
    ConfigTarget,
    assignment,
    config_sentence,
    heading,
    restored_cordon,
    seconds_away,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import is_cordoned
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import pool_progress
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import pool_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    MACHINE_CONFIG,
    MACHINE_CONFIG_POOL,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

NODE_CONFIG_OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "required": True},
    "config": {"type": "str", "default": ""},
    "degraded_timeout": {"type": "int", "default": 600},
    "away_timeout": {"type": "int", "default": 1800},
    "rollout": CLAIM_OPTION,
}


def node_config_data(node: Mapping[str, t.Any], pool: str, target: ConfigTarget) -> dict[str, t.Any]:
    """Return what a node has and must have, as modules return it."""
    state = NodeState.of(node)
    return {
        "pool": pool,
        "config": target.config,
        "image": target.image,
        "current_config": state.current_config,
        "desired_config": state.desired_config,
        "current_image": state.current_image,
        "daemon_state": state.daemon_state,
        "daemon_reason": state.daemon_reason,
        "updated": target.is_reached_by(state),
        "schedulable": not is_cordoned(node),
    }


def node_config_step(client: ClusterClient, options: Mapping[str, t.Any]) -> Step:
    """Assign the configuration unless it is assigned, restore a foreign cordon, and read the progress.

    Without a ``config`` it is that of the pool, and an assigned one is waited for before anything newer. Raise
    NoSuchNodeError, NoSuchPoolError, ConfigRefusedError, PoolDegradedError when the daemon cannot go on, and
    NodeAwayError when the node does not come back.
    """
    claim = Claim.of(options["rollout"])
    if claim:
        renew_lock(client, claim.holder)
    _node, pool, wanted = _situation(client, options)

    def decide(found: Mapping[str, t.Any]) -> Mapping[str, t.Any] | None:
        target = _target(found, wanted, options)
        return assignment(found, pool, target) or restored_cordon(found, target)

    before, after = rewrite_node(client, options["name"], decide)
    done = client.dry_run or wanted.is_reached_by(NodeState.of(after))
    target = _target(after, wanted, options)
    if not done:
        _require_progress(client, options, after, pool, target)
    return Step(
        config_sentence(after, target),
        done,
        changed=after is not before,
        objects=node_config_data(after, pool["metadata"]["name"], target),
        diff={"before": _shown(before), "after": _shown(after)} if before is not after else None,
        next_delay=3.0,
    )


def _require_progress(
    client: ClusterClient,
    options: Mapping[str, t.Any],
    node: Mapping[str, t.Any],
    pool: Mapping[str, t.Any],
    target: ConfigTarget,
) -> None:
    """Refuse to wait on for a daemon that cannot go on, and for a node that does not come back."""
    state, now = NodeState.of(node), cluster_now(client)
    progress = pool_progress(pool, [state])
    stands = node_config_data(node, progress.name, target)
    if progress.degraded_for(now) > options["degraded_timeout"]:
        raise PoolDegradedError(
            "apply the configuration of the node",
            on=f"Node {state.name}",
            seen=f"its machine-config daemon is {state.daemon_state}: {state.daemon_reason or 'it reports no reason'}",
            advice="Fix the named cause. The daemon retries automatically. Then run this again.",
            partial=stands,
        )
    if seconds_away(node, target, now) > options["away_timeout"]:
        raise NodeAwayError(
            "apply the configuration of the node",
            on=f"Node {state.name}",
            seen=f"it has not been ready for more than {options['away_timeout']} s: {state.ready_reason}",
            advice="Check on its console how far it booted and whether its kubelet runs. Then run this again.",
            partial=stands,
        )


def _target(node: Mapping[str, t.Any], wanted: ConfigTarget, options: Mapping[str, t.Any]) -> ConfigTarget:
    return wanted if options["config"] else heading(NodeState.of(node), wanted)


def _situation(
    client: ClusterClient, options: Mapping[str, t.Any]
) -> tuple[dict[str, t.Any], dict[str, t.Any], ConfigTarget]:
    node = read_node(client, options["name"])
    name = pool_of(node, client.list_objects(MACHINE_CONFIG_POOL))
    pool = read_pool(client, name)
    wanted = ((pool.get("spec") or {}).get("configuration") or {}).get("name", "")
    config = options["config"] or wanted
    if config != wanted and client.get(MACHINE_CONFIG, config) is None:
        raise ConfigRefusedError(
            "assign a configuration to the node",
            on=f"Node {options['name']}",
            seen=f"there is no MachineConfig {config}",
            advice=f"Specify a rendered configuration of pool {name}, or none for the current one of the pool.",
        )
    return node, pool, ConfigTarget(config, read_built_images(client).get(name, ""))


def _shown(node: Mapping[str, t.Any]) -> dict[str, t.Any]:
    state = NodeState.of(node)
    return {
        "desired_config": state.desired_config,
        "desired_image": state.desired_image,
        "unschedulable": is_cordoned(node),
    }
