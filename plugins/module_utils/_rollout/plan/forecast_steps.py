# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The steps of an update whose forecast is made: the release with the control plane, then each node of the plan."""

from __future__ import annotations

import typing as t
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.forecast import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.next_node import estimate_of
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.order import RolloutPlan, away_limit
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import IN_PROGRESS, PENDING
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

RELEASE = "release and control plane"
OPERATOR = "operator"
NODE_BY_NODE, POOL = "node_by_node", "pool"
CONTROL_PLANE_METHODS = (OPERATOR, NODE_BY_NODE)
WORKER_METHODS = (NODE_BY_NODE, POOL)


@dataclass(frozen=True)
class Expected:
    """What is known of the durations. ``release`` is None without one.

    With ``operator``, the control plane is part of the release; otherwise its nodes are rolled like others. With
    ``by_pool``, the operator rolls the nodes of each other pool, as many at a time as the pool permits.

    ``node_seconds`` count for nodes whose duration is not known. It all begins at ``begins``, now if that is None.
    """

    node_seconds: int
    release: Estimate | None = None
    begins: datetime | None = None
    operator: bool = True
    by_pool: bool = False


def expected_of(options: Mapping[str, t.Any], measured: Estimate) -> Expected:
    """Return what the options of rollout_forecast_info expect; ``measured`` is how long the release took before.

    Raise InvalidInputError for a time that is none.
    """
    begins = instant_of(options["begins"])
    if options["begins"] and begins is None:
        raise InvalidInputError(
            "forecast the rollout",
            on="the option begins",
            seen=f"{options['begins'][:40]!r} is no time in UTC",
            advice="Specify it as 2026-11-28T20:00:00Z.",
        )
    seconds, operator = options["release_seconds"], options["control_plane_method"] == OPERATOR
    stated = Estimate(seconds, f"the release is expected to take {describe_seconds(seconds)}") if seconds else None
    release = measured if stated and measured.seconds else stated
    return Expected(options["node_seconds"], release, begins, operator, options["worker_method"] == POOL)


def steps_of(
    plan: RolloutPlan, expected: Expected, limits: Mapping[str, str], earlier: Mapping[str, float]
) -> list[Step]:
    """Return the steps in order.

    ``limits`` say how many nodes of each pool may be unavailable, ``earlier`` how many seconds nodes took in other
    rollouts.
    """
    with_release = expected.release is not None and expected.operator
    steps = [Step(RELEASE, "", expected.release)] if expected.release else []
    nodes = [
        node
        for node in plan.nodes
        if node.standing in (PENDING, IN_PROGRESS) and not (with_release and node.is_control_plane)
    ]
    sizes = Counter(node.pool for node in plan.nodes)
    if expected.by_pool:
        nodes.sort(key=lambda node: (not node.is_control_plane, [*sizes].index(node.pool)))
    for node in nodes:
        known = estimate_of(node, plan.nodes, earlier)
        together = expected.by_pool and not node.is_control_plane
        beside = away_limit(limits.get(node.pool, "1"), sizes[node.pool]) if together else 1
        steps.append(Step(node.name, node.pool, known if known.seconds else _stated(expected.node_seconds), beside))
    return steps


def _stated(seconds: int) -> Estimate:
    return Estimate(seconds, f"a node is expected to take {describe_seconds(seconds)}")
