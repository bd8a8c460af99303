# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Cordon and uncordon: what to write on a node so that its owner is known afterwards."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import (
    ForeignCordonError,
    NodeBusyError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.written_fields import (
    UNSCHEDULABLE,
    writer_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    ABORTED,
    DRAINING,
    ROLLOUT_ANNOTATION,
    NodeRecord,
)

HOLD_BACK, KEEP = FOREIGN_CORDONS = ["hold_back", "keep"]
"""What may be done with a node that others have cordoned: nothing, or work on it and leave the cordon in the end."""


@dataclass(frozen=True)
class CordonChange:
    """What to write: the record, None to take it away, and the new value of ``spec.unschedulable`` if any."""

    record: NodeRecord | None
    unschedulable: bool | None = None

    @property
    def patch(self) -> dict[str, t.Any]:
        """Return the merge patch that makes the change as a whole."""
        text = self.record.as_text() if self.record else None
        body: dict[str, t.Any] = {"metadata": {"annotations": {ROLLOUT_ANNOTATION: text}}}
        if self.unschedulable is not None:
            body["spec"] = {"unschedulable": True if self.unschedulable else None}
        return body


@dataclass(frozen=True)
class Hand:
    """Who is at work: the claim of a rollout, or none, the instant and the name that goes into the record."""

    claim: Claim | None
    at: str
    by: str = ""

    def owns(self, record: NodeRecord | None) -> bool:
        """Whether ``record`` shows work that this hand has started and not ended."""
        return record is not None and record.is_under_way and record.rollout == (self.claim.id if self.claim else "")

    def advanced(self, record: NodeRecord, phase: str, reason: str = "", **changes: t.Any) -> NodeRecord:
        """Return ``record`` in ``phase``, with the names of who brought it there."""
        who = {"holder": self.claim.holder if self.claim else "", "by": self.by or record.by}
        return record.advanced(phase, self.at, reason=reason, **who, **changes)

    def begun(self, broken: Sequence[str] = ()) -> NodeRecord:
        """Return the first record of a node, with what was broken of it before."""
        claim = self.claim
        return NodeRecord(
            rollout=claim.id if claim else "",
            target=claim.target if claim else "",
            phase=DRAINING,
            since=self.at,
            holder=claim.holder if claim else "",
            by=self.by,
            broken=tuple(broken),
            times={DRAINING: self.at},
        )


def cordon(
    node: Mapping[str, t.Any],
    hand: Hand,
    *,
    keep_foreign: bool,
    broken: Sequence[str] = (),
    leave_schedulable: bool = False,
) -> CordonChange | None:
    """Return what cordons ``node``, None if that has been done; another user's cordon is kept, or refused.

    ``broken`` is kept in the record of a node that is started; one that was started before keeps what it has. With
    ``leave_schedulable`` only the record is written: pods of a single node have no other one.
    Raise NodeBusyError, ForeignCordonError, DamagedRecordError.
    """
    record = NodeRecord.of(node)
    _refuse_busy(node, record, hand)
    unschedulable = is_cordoned(node)
    cordons = None if unschedulable or leave_schedulable else True
    if record and hand.owns(record):
        if not cordons and record.phase == DRAINING:
            return None
        return CordonChange(hand.advanced(record, DRAINING), cordons)
    if unschedulable and not keep_foreign:
        raise _foreign(node, "cordon the node")
    begun = replace(hand.begun(broken), found_unschedulable=unschedulable)
    return CordonChange(begun, cordons)


def uncordon(node: Mapping[str, t.Any], hand: Hand, outcome: str) -> CordonChange | None:
    """Return what gives ``node`` back with ``outcome`` (done, aborted), None if there is nothing of ours on it.

    A cordon that was there before ours stays. Raise NodeBusyError, ForeignCordonError, DamagedRecordError.
    """
    record = NodeRecord.of(node)
    _refuse_busy(node, record, hand)
    unschedulable = is_cordoned(node)
    if not (record and hand.owns(record)):
        if unschedulable:
            raise _foreign(node, "uncordon the node")
        return None
    reason = record.reason if outcome == ABORTED else ""
    kept = hand.advanced(record, outcome, reason) if hand.claim else None
    return CordonChange(kept, False if unschedulable and not record.found_unschedulable else None)


def is_cordoned(node: Mapping[str, t.Any]) -> bool:
    """Return whether new pods are kept away from a Node object."""
    return bool((node.get("spec") or {}).get("unschedulable"))


def _refuse_busy(node: Mapping[str, t.Any], record: NodeRecord | None, hand: Hand) -> None:
    if record is None or not record.is_under_way or hand.owns(record):
        return
    where = f"in rollout {record.rollout}" if record.rollout else "outside any rollout"
    raise NodeBusyError(
        "work on the node",
        on=f"Node {node['metadata']['name']}",
        seen=f"it is in progress {where}, phase {record.phase} since {record.since}, by {record.holder or 'unknown'}",
        advice="Finish that rollout, or abort it, before this one.",
        partial={"record": record.as_data()},
    )


def _foreign(node: Mapping[str, t.Any], attempted: str) -> ForeignCordonError:
    writer = writer_of(node, UNSCHEDULABLE)
    return ForeignCordonError(
        attempted,
        on=f"Node {node['metadata']['name']}",
        seen=f"it was cordoned by others ({writer.words if writer else 'an unknown user'})",
        advice="Contact them, or uncordon the node manually if the cordon is no longer needed. This collection never "
        "does.",
    )
