# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads what a rollout is planned from: nodes, pools, rendered configurations, the journal and the lock."""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import checked_id
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.built_images import read_built_images
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.deferred_nodes import deferred_nodes
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.journal import (
    read_earlier_seconds,
    read_journal,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock import read_lock
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import NoSuchNodeError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import (
    FOREIGN_CORDONS,
    HOLD_BACK,
    KEEP,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.forecast import AskAt, Forecast, forecast
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.forecast_steps import Expected, steps_of
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.guards import silent_members
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.journal_entries import Journal
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.kured import kured_obstacle
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.next_node import next_node
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.order import (
    OrderRules,
    RolloutPlan,
    plan_rollout,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import (
    PoolProgress,
    progress_of_pools,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.rollout_report import (
    node_data,
    rollout_report,
    sentence_of,
    unproved,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.space_forecast import SpaceForecast
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import (
    HELD_BACK,
    IN_PROGRESS,
    PENDING,
    RolloutNode,
    StandingRules,
    pool_of,
    standing_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import DONE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    ETCD_NAMESPACE,
    GUARD_SELECTOR,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    DAEMON_SET,
    MACHINE_CONFIG,
    MACHINE_CONFIG_POOL,
    NODE,
    POD,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Guard

Object = dict[str, t.Any]

DIRECT, NODE_BY_NODE, POOL = "direct", "node_by_node", "pool"


@dataclass(frozen=True)
class Selection:
    """Which nodes a rollout is about; no names and no pools mean all nodes."""

    rollout: str
    target: str = ""
    names: Sequence[str] = ()
    pools: Sequence[str] = ()
    control_plane: str = "first"
    max_unavailable: str = ""
    last: Sequence[str] = ()
    set_aside: Sequence[str] = ()
    method: str = DIRECT
    foreign_cordon: str = HOLD_BACK


SELECTION_OPTIONS: dict[str, dict[str, t.Any]] = {
    "id": {"type": "str", "required": True},
    "target": {"type": "str", "default": ""},
    "nodes": {"type": "list", "elements": "str", "default": []},
    "pools": {"type": "list", "elements": "str", "default": []},
    "control_plane": {"type": "str", "choices": ["first", "last"], "default": "first"},
    "max_unavailable": {"type": "str", "default": ""},
    "last": {"type": "list", "elements": "str", "default": []},
    "set_aside": {"type": "list", "elements": "str", "default": []},
    "method": {"type": "str", "choices": [DIRECT, NODE_BY_NODE, POOL], "default": DIRECT},
    "foreign_cordon": {"type": "str", "choices": FOREIGN_CORDONS, "default": HOLD_BACK},
}


def selection_of(options: Mapping[str, t.Any]) -> Selection:
    """Return what the options of rollout_info select."""
    return Selection(
        rollout=checked_id(options["id"]),
        target=options["target"],
        names=options["nodes"],
        pools=options["pools"],
        control_plane=options["control_plane"],
        max_unavailable=options["max_unavailable"],
        last=options["last"],
        set_aside=options["set_aside"],
        method=options["method"],
        foreign_cordon=options["foreign_cordon"],
    )


@dataclass(frozen=True)
class Read:
    """What was read of a rollout: its plan, the journal and pools that go with it, and how many may be away of each."""

    plan: RolloutPlan
    journal: Journal
    pools: Sequence[PoolProgress]
    limits: Mapping[str, str]


def read_rollout(client: ClusterClient, selection: Selection) -> Object:
    """Return where the rollout stands, in the values that rollout_info returns.

    Raise NoSuchNodeError for a name or a pool that the cluster does not have.
    """
    read = _read(client, selection)
    report = rollout_report(read.plan, read.journal)
    report["pools"] = [
        {
            **pool.as_data(),
            "unproved": unproved(pool, read.journal),
            "blocked": read.plan.blocked_pools.get(pool.name, ""),
        }
        for pool in read.pools
    ]
    return {**report, "sentence": _sentence(selection, read.plan), "lock": read_lock(client).as_data()}


def choose_next(client: ClusterClient, selection: Selection, guard: Guard, gone_through: Collection[str]) -> Object:
    """Return the node that may start now, or why none may, in the values that rollout_next returns.

    ``gone_through`` are nodes that a rehearsal has gone through. Raise NoSuchNodeError as ``read_rollout`` does.
    """
    plan = _read(client, selection, gone_through).plan
    chosen = next_node(plan, guard.ask, read_earlier_seconds(client, selection.rollout))
    return {
        "node": node_data(chosen.node) if chosen.node else None,
        "permission": chosen.permission.as_data() if chosen.permission else None,
        "ended": chosen.ended.as_data() if chosen.ended else None,
        "remaining": plan.remaining,
        "sentence": _sentence(selection, plan),
    }


def forecast_rollout(
    client: ClusterClient, selection: Selection, expected: Expected, ask_at: AskAt, space: SpaceForecast
) -> Forecast:
    """Return when the release and the nodes of a rollout start and end.

    ``ask_at`` is that of a guard that answers for any instant. Raise NoSuchNodeError as ``read_rollout`` does.
    """
    read = _read(client, selection)
    steps = steps_of(read.plan, expected, read.limits, read_earlier_seconds(client, selection.rollout))
    held_back = {node.name: node.reason for node in read.plan.nodes if node.standing == HELD_BACK}
    return forecast(steps, expected.begins or client.clock.utcnow(), ask_at, held_back, space)


def _sentence(selection: Selection, plan: RolloutPlan) -> str:
    return f"rollout {selection.rollout}: {sentence_of(plan)}"


def _read(client: ClusterClient, selection: Selection, gone_through: Collection[str] = ()) -> Read:
    journal = read_journal(client, selection.rollout)
    pools, images = client.list_objects(MACHINE_CONFIG_POOL, missing_ok=True), read_built_images(client)
    standing = StandingRules(
        target=selection.target or journal.target,
        configs=_configs(pools) if selection.method != DIRECT else None,
        images=images,
        operator_chooses=selection.method == POOL,
        keep_foreign=selection.foreign_cordon == KEEP,
    )
    nodes = [standing_of(node, pool_of(node, pools), journal, standing) for node in client.list_objects(NODE)]
    every_node = [replace(node, standing=DONE) if node.name in gone_through else node for node in nodes]
    selected = _selected(every_node, selection)
    plan = plan_rollout(selected, every_node, _order_rules(client, selection, pools, (selected, every_node)))
    members = {node.pool for node in selected}
    progress = progress_of_pools(pools, [(node.pool, node.state) for node in every_node], images)
    chosen = [pool for pool in progress if pool.name in members]
    return Read(plan, replace(journal, target=standing.target), chosen, _limits(pools))


def _order_rules(
    client: ClusterClient,
    selection: Selection,
    pools: Sequence[Object],
    nodes: tuple[Sequence[RolloutNode], Sequence[RolloutNode]],
) -> OrderRules:
    selected, every_node = nodes
    return OrderRules(
        control_plane=selection.control_plane,
        max_unavailable={} if selection.max_unavailable else _limits(pools),
        default_unavailable=selection.max_unavailable or "1",
        config_ages=_config_ages(client, selected),
        deferred=(*selection.last, *deferred_nodes(client, every_node, has_operator=bool(pools))),
        set_aside=selection.set_aside,
        # Where the machine-config operator reboots nodes kured does not.
        obstacle="" if pools else kured_obstacle(client.list_objects(DAEMON_SET), client.clock.utcnow()),
        silent_members=_silent_members(client, selected),
    )


def _silent_members(client: ClusterClient, selected: Sequence[RolloutNode]) -> set[str]:
    """Return the nodes whose etcd does not serve, if a node of the control plane must be taken."""
    if not any(node.is_control_plane and node.standing in (IN_PROGRESS, PENDING) for node in selected):
        return set()
    return silent_members(client.list_objects(POD, ETCD_NAMESPACE, labels=GUARD_SELECTOR))


def _selected(every_node: Sequence[RolloutNode], selection: Selection) -> list[RolloutNode]:
    names, pools = set(selection.names), set(selection.pools)
    for kind, wanted, known in (
        ("Node", names, {node.name for node in every_node}),
        ("pool", pools, {node.pool for node in every_node}),
    ):
        unknown = sorted(wanted - known)
        if unknown:
            raise NoSuchNodeError(
                "plan the rollout",
                on=f"{kind} {', '.join(unknown)}",
                seen="the cluster has no node of that name or in that pool",
                advice="Check the names, and that these credentials belong to the intended cluster.",
            )
    return [node for node in every_node if (not names or node.name in names) and (not pools or node.pool in pools)]


def _configs(pools: Sequence[Object]) -> dict[str, str]:
    """Return the configuration that each pool must have."""
    wanted = {pool["metadata"]["name"]: (pool.get("spec") or {}).get("configuration") or {} for pool in pools}
    return {name: str(config.get("name", "")) for name, config in wanted.items()}


def _limits(pools: Sequence[Object]) -> dict[str, str]:
    limits = {pool["metadata"]["name"]: (pool.get("spec") or {}).get("maxUnavailable") for pool in pools}
    return {name: str(limit) for name, limit in limits.items() if limit is not None}


def _config_ages(client: ClusterClient, nodes: Sequence[RolloutNode]) -> dict[str, str]:
    """Return the ages of the nodes' rendered configurations, if there are several to choose from."""
    names = {node.state.current_config for node in nodes} - {""}
    if len(names) < 2:
        return {}
    found = {name: client.get(MACHINE_CONFIG, name) for name in sorted(names)}
    return {name: config["metadata"]["creationTimestamp"] for name, config in found.items() if config}
