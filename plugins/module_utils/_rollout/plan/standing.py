# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The state of each node in a rollout: done, in progress, waiting, or held back by others."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import is_cordoned
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.journal_entries import Journal
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.written_fields import (
    UNSCHEDULABLE,
    writer_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.label_selector import selects
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    DONE,
    SKIPPED,
    WAITING,
    DamagedRecordError,
    NodeRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState

IN_PROGRESS = "in_progress"
PENDING = "pending"
HELD_BACK = "held_back"

CONTROL_PLANE_ROLES = frozenset({"master", "control-plane"})
MASTER, ARBITER, WORKER = "master", "arbiter", "worker"


@dataclass(frozen=True)
class RolloutNode:
    """A node in a rollout; ``standing`` is IN_PROGRESS, PENDING, HELD_BACK, skipped or done, ``reason`` says why."""

    state: NodeState
    pool: str
    standing: str
    reason: str
    record: NodeRecord | None

    @property
    def name(self) -> str:
        """The name of the node."""
        return self.state.name

    @property
    def is_control_plane(self) -> bool:
        """Whether it may be a member of etcd: control plane and arbiter nodes are."""
        return self.pool in (MASTER, ARBITER)

    @property
    def is_away(self) -> bool:
        """Whether it is out of service, or is about to be taken out of service by a rollout."""
        under_way = self.record is not None and self.record.is_under_way
        # A daemon at work is about to take it away, as machine-config-operator's IsUnavailableForUpdate has it.
        changing = bool(self.state.desired_config) and not self.state.is_updated
        return under_way or changing or not self.state.ready or not self.state.schedulable


@dataclass(frozen=True)
class StandingRules:
    """What decides where nodes stand.

    The rollout is for ``target``. Where the machine-config operator brings nodes to a configuration, ``configs`` names
    it by pool, and ``images`` the image of each pool in image mode; a node that has both is done whatever brought it
    there. ``operator_chooses`` where the operator also decides which node is next. ``keep_foreign`` takes nodes that
    others have cordoned as well.
    """

    target: str = ""
    configs: Mapping[str, str] | None = None
    images: Mapping[str, str] = field(default_factory=dict)
    operator_chooses: bool = False
    keep_foreign: bool = False


def standing_of(node: Mapping[str, t.Any], pool: str, journal: Journal, rules: StandingRules) -> RolloutNode:
    """Return where a Node object stands in the rollout of ``journal``."""
    state = NodeState.of(node)
    entry = journal.entries.get(state.name)
    try:
        record = _later(NodeRecord.of(node), entry, journal.rollout)
    except DamagedRecordError as error:
        return RolloutNode(state, pool, HELD_BACK, f"{error.seen}. {error.advice}", None)
    if entry and entry.phase == SKIPPED and not (record and record.is_under_way):
        return RolloutNode(state, pool, SKIPPED, entry.reason, entry)
    if record and record.is_under_way and record.rollout == journal.rollout:
        return RolloutNode(state, pool, IN_PROGRESS, record.reason, record)
    if _is_done(state, pool, record, journal.rollout, rules):
        return RolloutNode(state, pool, DONE, "", record)
    obstacle = _obstacle(node, state, record, rules)
    return RolloutNode(state, pool, HELD_BACK if obstacle else PENDING, obstacle, record)


def pool_of(node: Mapping[str, t.Any], pools: Sequence[Mapping[str, t.Any]]) -> str:
    """Return the name of the MachineConfigPool that a node belongs to, or its role's where there are no pools.

    Source: machine-config-operator, pkg/helpers/helpers.go, GetPrimaryPoolForNode: the control plane first, then a
    custom pool, then worker. A pool without a selector, or with an empty one, has no nodes.
    """
    labels = node["metadata"].get("labels") or {}
    roles = set(NodeState.of(node).roles)
    if roles & CONTROL_PLANE_ROLES:
        return MASTER
    if ARBITER in roles:
        return ARBITER
    custom = [
        pool["metadata"]["name"]
        for pool in pools
        if pool["metadata"]["name"] not in (MASTER, ARBITER, WORKER)
        and any((selector := (pool.get("spec") or {}).get("nodeSelector") or {}).values())
        and selects(selector, labels)
    ]
    return min(custom) if custom else WORKER


def _later(noted: NodeRecord | None, entry: NodeRecord | None, rollout: str) -> NodeRecord | None:
    """Return the record that was written last; a kill may have left the node and the journal one phase apart.

    A node that carries a record of this rollout does not wait for it, even if its journal was lost and begun again.
    """
    if noted is None or entry is None:
        return entry if noted is None else noted
    if noted.rollout != rollout:
        is_ours = entry.is_under_way or (entry.phase in (WAITING, DONE) and not noted.is_under_way)
        return entry if is_ours else noted
    return noted if entry.phase == WAITING else max(noted, entry, key=lambda record: record.since)


def _is_done(state: NodeState, pool: str, record: NodeRecord | None, rollout: str, rules: StandingRules) -> bool:
    if rules.configs is not None:
        is_other = record is not None and record.is_under_way
        has_both = state.current_config == rules.configs.get(pool) and state.current_image == rules.images.get(pool, "")
        return not is_other and state.is_updated and has_both
    if record is None or record.phase != DONE:
        return False
    return record.rollout == rollout or (rules.target != "" and record.target == rules.target)


def _obstacle(node: Mapping[str, t.Any], state: NodeState, record: NodeRecord | None, rules: StandingRules) -> str:
    if record and record.is_under_way:
        where = f"in rollout {record.rollout}" if record.rollout else "outside any rollout"
        return f"it is in progress {where}, phase {record.phase} since {record.since}"
    if rules.configs is not None:
        obstacle = _obstacle_of_daemon(state, rules)
        if obstacle or rules.operator_chooses:
            return obstacle
    if is_cordoned(node) and not rules.keep_foreign:
        writer = writer_of(node, UNSCHEDULABLE)
        return f"it was cordoned by others ({writer.words if writer else 'an unknown user'})"
    return "" if state.ready else f"it is not ready: {state.ready_reason}"


def _obstacle_of_daemon(state: NodeState, rules: StandingRules) -> str:
    if not state.is_managed:
        return "it is not managed by a machine-config daemon"
    if rules.operator_chooses or state.is_updated:
        return ""
    why = f": {state.daemon_reason}" if state.daemon_reason else ""
    return f"its machine-config daemon is {state.daemon_state or 'silent'} while it applies {state.desired_config}{why}"
