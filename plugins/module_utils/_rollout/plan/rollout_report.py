# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What was planned, in the shape that modules return."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.estimate import seconds_per_node
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.journal_entries import Journal
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.order import RolloutPlan
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import PoolProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import HELD_BACK, RolloutNode
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import DONE, SKIPPED

Fields = dict[str, t.Any]


def rollout_report(plan: RolloutPlan, journal: Journal) -> Fields:
    """Return the values documented under RETURN of fieldops.openshift.rollout_info, the lock left out."""
    seconds = seconds_per_node(node.record for node in plan.nodes if node.record and node.standing == DONE)
    remaining = plan.remaining
    return {
        "nodes": [node_data(node) for node in plan.nodes],
        "next": node_data(plan.next) if plan.next else None,
        "blocked": plan.blocked,
        "remaining": remaining,
        "done": plan.named(DONE),
        "held_back": plan.named(HELD_BACK),
        "left_out": plan.named(SKIPPED),
        "cluster_size": plan.cluster_size,
        "estimate": {
            "node_seconds": seconds,
            "remaining_seconds": seconds * len(remaining) if seconds is not None else None,
        },
        "journal": {
            "exists": journal.exists,
            "rollout": journal.rollout,
            "target": journal.target,
            "started": journal.started,
            "by": journal.by,
        },
    }


def sentence_of(plan: RolloutPlan) -> str:
    """Say in one line where a rollout stands."""
    done, remaining = len(plan.named(DONE)), len(plan.remaining)
    parts = [f"{done} of {len(plan.nodes)} nodes are done, {remaining} remain"]
    if plan.next:
        parts.append(f"next is {plan.next.name}")
    if plan.blocked:
        parts.append(plan.blocked)
    held = [f"{node.name} is held back: {node.reason}" for node in plan.nodes if node.standing == HELD_BACK]
    return "; ".join([*parts, *held[:3]])


def unproved(pool: PoolProgress, journal: Journal) -> list[str]:
    """Return the nodes of a pool that have their configuration, and that the journal does not know to be back.

    The operator may have taken them through while no run of the rollout looked.
    """
    entries = journal.entries
    return [name for name in pool.updated if name not in entries or entries[name].phase != DONE]


def node_data(node: RolloutNode) -> Fields:
    """Return a node as module results show it."""
    record = node.record
    return {
        "name": node.name,
        "pool": node.pool,
        "is_control_plane": node.is_control_plane,
        "roles": list(node.state.roles),
        "zone": node.state.zone,
        "addresses": list(node.state.addresses),
        "standing": node.standing,
        "reason": node.reason,
        "ready": node.state.ready,
        "schedulable": node.state.schedulable,
        "current_config": node.state.current_config,
        "boot_id": node.state.boot_id,
        "managed_by_bootc_operator": node.state.is_bootc_managed,
        "resumes_in": record.resumes_in if record else "",
        "record": record.as_data() if record else None,
        "seconds": record.seconds if record else None,
    }
