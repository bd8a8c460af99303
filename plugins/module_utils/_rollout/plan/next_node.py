# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which node may start now, with the permission for it, or why a rollout ends here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.estimate import (
    median_of,
    seconds_per_node,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.order import RolloutPlan
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import HELD_BACK, RolloutNode
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import DONE, REBOOTING
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import (
    RESTRICTED,
    Estimate,
    Permission,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

BLOCKED, FAILED = "blocked", "failed"


@dataclass(frozen=True)
class Ended:
    """Why no node starts: ``outcome`` is DONE, HELD_BACK, BLOCKED, FAILED or RESTRICTED.

    ``next_permitted`` is an instant where change is restricted and a later opening is known, else empty.
    """

    outcome: str
    reason: str = ""
    next_permitted: str = ""

    def as_data(self) -> dict[str, str]:
        """Return the end as module results show it."""
        return {"outcome": self.outcome, "reason": self.reason, "next_permitted": self.next_permitted}


@dataclass(frozen=True)
class NextNode:
    """Either ``node``, with the permission where one was needed, or why the rollout has ``ended``."""

    node: RolloutNode | None = None
    permission: Permission | None = None
    ended: Ended | None = None


def next_node(
    plan: RolloutPlan, ask: Callable[[str, Estimate], Permission], earlier: Mapping[str, float] | None = None
) -> NextNode:
    """Return the node that may start now; ``ask`` is called for its pool, with the expected duration.

    ``earlier`` are the seconds that nodes took in other rollouts. A node whose reboot was started may finish, without
    permission.
    """
    node = plan.next
    if node is None:
        return NextNode(ended=_end_of(plan))
    if node.record is not None and node.record.resumes_in == REBOOTING:
        return NextNode(node)
    permission = ask(node.pool, estimate_of(node, plan.nodes, earlier or {}))
    if permission.permitted:
        return NextNode(node, permission)
    return NextNode(permission=permission, ended=Ended(RESTRICTED, permission.sentence, permission.next_permitted))


def estimate_of(node: RolloutNode, nodes: Sequence[RolloutNode], earlier: Mapping[str, float]) -> Estimate:
    """Return how long ``node`` is expected to take.

    As long as the last time, else as the nodes that are done, else as other nodes took in ``earlier`` rollouts.
    """
    before = node.record.seconds if node.record else None
    before = earlier.get(node.name) if before is None else before
    if before is not None:
        return Estimate(before, f"{node.name} took {describe_seconds(round(before))} in the last rollout")
    others = seconds_per_node(one.record for one in nodes if one.record and one.standing == DONE)
    if others is None:
        known = median_of(earlier.values())
        return Estimate(known or 0, f"nodes took {describe_seconds(round(known))} each before" if known else "")
    return Estimate(others, f"the nodes before {node.name} took {describe_seconds(round(others))} each")


def _end_of(plan: RolloutPlan) -> Ended:
    if plan.blocked:
        return Ended(BLOCKED, plan.blocked)
    if plan.remaining:
        return Ended(FAILED, _reasons(plan, plan.remaining, "failed"))
    held = plan.named(HELD_BACK)
    return Ended(HELD_BACK, _reasons(plan, held, "is held back")) if held else Ended(DONE)


def _reasons(plan: RolloutPlan, names: Sequence[str], what: str) -> str:
    return "; ".join(f"{node.name} {what}: {node.reason}" for node in plan.nodes if node.name in names)
