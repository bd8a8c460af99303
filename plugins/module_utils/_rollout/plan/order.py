# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who is next: the order of nodes, and how many may be away at once."""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import (
    ARBITER,
    HELD_BACK,
    IN_PROGRESS,
    PENDING,
    RolloutNode,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    DONE,
    DRAINING,
    PASSAGE,
    REBOOTING,
    SKIPPED,
)

_STANDINGS = (IN_PROGRESS, PENDING, HELD_BACK, SKIPPED, DONE)


@dataclass(frozen=True)
class OrderRules:
    """How nodes are ordered and how many may be away.

    ``max_unavailable`` is by pool, a number or a percentage; ``default_unavailable`` for pools that have none.
    ``config_ages`` are the creation times of rendered configurations by name. ``deferred`` are nodes that come last
    in their group because something that the rollout needs runs there. ``set_aside`` are started nodes that are
    not taken up again now. ``obstacle`` is why no node at all may start. ``silent_members`` are nodes whose member
    of etcd does not serve, ready or not.
    """

    control_plane: str = "first"
    max_unavailable: Mapping[str, str] = field(default_factory=dict)
    default_unavailable: str = "1"
    config_ages: Mapping[str, str] = field(default_factory=dict)
    deferred: Collection[str] = ()
    set_aside: Collection[str] = ()
    obstacle: str = ""
    silent_members: Collection[str] = ()


@dataclass(frozen=True)
class RolloutPlan:
    """All nodes of a rollout in order; ``next`` may be taken now, without one ``blocked`` says why if any remain.

    ``blocked_pools`` says why of pools whose nodes wait, and of which none may be taken; nodes in progress go first.
    """

    nodes: Sequence[RolloutNode]
    next: RolloutNode | None
    blocked: str
    cluster_size: int = 0
    blocked_pools: Mapping[str, str] = field(default_factory=dict)

    def named(self, *standings: str) -> list[str]:
        """Return the names of the nodes of these standings, in order."""
        return [node.name for node in self.nodes if node.standing in standings]

    @property
    def remaining(self) -> list[str]:
        """Return the names of the nodes that are still to be done, in order; those held back are not among them."""
        return self.named(IN_PROGRESS, PENDING)


def plan_rollout(selected: Sequence[RolloutNode], every_node: Sequence[RolloutNode], rules: OrderRules) -> RolloutPlan:
    """Return the plan for ``selected`` nodes; ``every_node`` in the cluster counts for who is away.

    Our half-done nodes come first, the furthest before the others. Then the oldest rendered configuration, so that none
    starves (openshift/enhancements, change management), the zone, unzoned last, the age of the node
    (machine-config-operator, pkg/controller/node/node_controller.go) and its name.
    """
    ordered = sorted(selected, key=lambda node: _key(node, rules))
    begun = [node for node in ordered if _goes_on(node, rules)]
    if begun:
        obstacle = _obstacle_of_begun(begun, every_node, rules)
        return RolloutPlan(ordered, None if obstacle else begun[0], obstacle, len(every_node))
    free, blocked_pools = _free_and_blocked(ordered, every_node, rules)
    blocked = "" if free else "; ".join(dict.fromkeys(blocked_pools.values()))
    return RolloutPlan(ordered, free, blocked, len(every_node), blocked_pools)


def _goes_on(node: RolloutNode, rules: OrderRules) -> bool:
    return node.standing == IN_PROGRESS and node.name not in rules.set_aside


def _free_and_blocked(
    ordered: Sequence[RolloutNode], every_node: Sequence[RolloutNode], rules: OrderRules
) -> tuple[RolloutNode | None, dict[str, str]]:
    """Return the first pending node that may be taken, and the pools of which none may be, with the reasons."""
    first: RolloutNode | None = None
    free: set[str] = set()
    obstacles: dict[str, dict[str, None]] = {}
    for node in ordered:
        if node.standing != PENDING or node.pool in free:
            continue
        obstacle = rules.obstacle or _obstacle(node, every_node, rules)
        if obstacle:
            obstacles.setdefault(node.pool, {})[obstacle] = None
        else:
            free.add(node.pool)
            first = first or node
    return first, {pool: "; ".join(found) for pool, found in obstacles.items() if pool not in free}


def away_limit(max_unavailable: str, size: int) -> int:
    """Return how many of ``size`` nodes may be away: a number, or a percentage rounded down, and at least one.

    Source: machine-config-operator, pkg/controller/node/node_controller.go, maxUnavailable. Raise InvalidInputError.
    """
    text = max_unavailable.strip()
    number = text.removesuffix("%")
    if not (number.isascii() and number.isdigit() and len(number) < 6):
        raise InvalidInputError(
            "use max_unavailable",
            on=repr(max_unavailable[:40]),
            seen="it is neither a number of nodes nor a percentage",
            advice="Use a whole number such as 2, or a percentage such as 10%.",
        )
    limit = size * int(number) // 100 if text.endswith("%") else int(number)
    return max(1, limit)


def quorum_limit(members: int) -> int:
    """Return how many of ``members`` of etcd may be away at once.

    A cluster of one or two has none to spare; its nodes are still rolled one at a time, with the API away during that
    time.
    """
    return max(1, (members - 1) // 2)


def _obstacle(
    node: RolloutNode, every_node: Sequence[RolloutNode], rules: OrderRules, waiting: Collection[str] = ()
) -> str:
    """Return why ``node`` may not be taken out of service now; nodes that are ``waiting`` for it are not away."""
    others = [other for other in every_node if other.name != node.name]
    pool = [other for other in others if other.pool == node.pool]
    allowed = "1" if node.pool == ARBITER else rules.max_unavailable.get(node.pool, rules.default_unavailable)
    limit = away_limit(allowed, len(pool) + 1)
    away = [other for other in pool if other.is_away and other.name not in waiting]
    if len(away) >= limit:
        return f"{limit} of {len(pool) + 1} nodes of pool {node.pool} may be unavailable, and {_unavailable(away)}"
    return _quorum_obstacle(node, every_node, rules, waiting)


def _obstacle_of_begun(begun: Sequence[RolloutNode], every_node: Sequence[RolloutNode], rules: OrderRules) -> str:
    """Return why the first of the started nodes may not go on: others may have been lost since it was started.

    A drained node is out of service already; only etcd loses something if it goes down.
    """
    node, *others = begun
    waiting = [one.name for one in others if one.state.ready and one.name not in rules.silent_members]
    phase = node.record.resumes_in if node.record else DRAINING
    if phase == REBOOTING:
        return ""
    obstacle_of = _obstacle if phase == DRAINING else _quorum_obstacle
    return obstacle_of(node, every_node, rules, waiting)


def _quorum_obstacle(
    node: RolloutNode, every_node: Sequence[RolloutNode], rules: OrderRules, waiting: Collection[str]
) -> str:
    if not node.is_control_plane:
        return ""
    members = [one for one in every_node if one.is_control_plane]
    missing = [one for one in members if (one.is_away or one.name in rules.silent_members) and one.name not in waiting]
    if node.standing == IN_PROGRESS:
        missing = [one for one in missing if one.name != node.name]
    if len(missing) < quorum_limit(len(members)):
        return ""
    return f"etcd could lose its quorum of {len(members)} members: {_unavailable(missing)}"


def _unavailable(nodes: Sequence[RolloutNode]) -> str:
    return listed(f"{node.name} is unavailable ({_why_away(node)})" for node in nodes)


def _why_away(node: RolloutNode) -> str:
    if not node.is_away:
        return "its etcd member is not serving"
    return node.reason or ("not ready" if not node.state.ready else "not schedulable")


def _key(node: RolloutNode, rules: OrderRules) -> tuple[t.Any, ...]:
    state = node.state
    group = node.is_control_plane == (rules.control_plane == "last")
    age = rules.config_ages.get(state.current_config, "")
    return (
        _STANDINGS.index(node.standing),
        _begun_key(node),
        group,
        node.name in rules.deferred,
        (age == "", age),
        (state.zone == "", state.zone),
        state.created,
        state.name,
    )


def _begun_key(node: RolloutNode) -> tuple[int, str]:
    if node.record is None or node.standing != IN_PROGRESS:
        return 0, ""
    phase = node.record.resumes_in
    return -PASSAGE.index(phase) if phase in PASSAGE else 0, node.record.since
