# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writing down in which phase of a rollout a node is: first in the journal, then on the node."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import Claim, checked_id
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.journal import read_journal, write_entry
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock import renewed_by
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.node_write import read_node, rewrite_node
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.read_readiness import read_node_lease
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import JournalError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import CordonChange, Hand
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.readiness import heartbeat_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import micro_time
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    FAILED,
    REBOOTING,
    SKIPPED,
    WAITING,
    NodeRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result


def record_step(client: ClusterClient, options: Mapping[str, t.Any]) -> Result:
    """Do what the options of rollout_record ask for; see ``record_phase``."""
    option = options["rollout"]
    claim = Claim(checked_id(option["id"]), option["target"], option["holder"])
    return record_phase(client, claim, options["node"], options["phase"], options["reason"])


def record_phase(client: ClusterClient, claim: Claim, name: str, phase: str, reason: str) -> Result:
    """Write that ``name`` is in ``phase`` of the rollout, and why.

    The phase ``rebooting`` also keeps the boot to end; a node that has it already keeps what was written
    before, so that a second call detects whether it has rebooted. ``skipped`` needs no started node and is written to
    the journal alone, with the user's name. Raise JournalError when the node is not in progress in this rollout.
    """
    by = renewed_by(client, claim)
    node = read_node(client, name)
    journal = read_journal(client, claim.id)
    now = micro_time(client.clock.utcnow())
    hand = Hand(claim, now, by)
    before = _present(NodeRecord.of(node), journal.entries.get(name), hand)
    skipping = phase == SKIPPED
    after = _skipped(before, hand, reason) if skipping else _advanced(client, node, before, hand, phase, reason)
    if after != before:
        write_entry(client, claim, name, after)
    if after != before and not skipping:
        rewrite_node(client, name, lambda found: _note(found, after, hand))
    record, rebooted = after.as_data(), _has_rebooted(node, after)
    return Result(
        after != before,
        {"record": record, "boot_id": after.boot_id, "heartbeat": after.heartbeat, "rebooted": rebooted},
        diff={"before": before.as_data() if before else {}, "after": record},
    )


def _present(noted: NodeRecord | None, entry: NodeRecord | None, hand: Hand) -> NodeRecord | None:
    own = [record for record in (noted, entry) if record and hand.claim and record.rollout == hand.claim.id]
    return max((record for record in own if record.phase != WAITING), key=lambda record: record.since, default=None)


def _skipped(before: NodeRecord | None, hand: Hand, reason: str) -> NodeRecord:
    if before and before.phase == SKIPPED and before.reason == reason:
        return before
    if before and before.is_under_way:
        raise _out_of_turn(hand, f"it is in phase {before.phase}", "Finish the node, or abort the rollout, first.")
    return replace(hand.begun(), phase=SKIPPED, reason=reason, times={SKIPPED: hand.at})


def _advanced(
    client: ClusterClient, node: Mapping[str, t.Any], before: NodeRecord | None, hand: Hand, phase: str, reason: str
) -> NodeRecord:
    if before is None and (client.dry_run or phase == FAILED):
        before = hand.begun()
    if before is None or not before.is_under_way:
        seen = f"it is in phase {before.phase}" if before else "the node has not started"
        raise _out_of_turn(hand, seen, "Drain the node as a step of this rollout first.")
    if phase != REBOOTING:
        if before.phase == phase and before.reason == reason:
            return before
        return hand.advanced(before, phase, reason)
    if before.resumes_in == REBOOTING and before.boot_id:
        return before if before.phase == REBOOTING else hand.advanced(before, REBOOTING)
    name = node["metadata"]["name"]
    heartbeat = heartbeat_of(node, read_node_lease(client, name))
    boot_id = NodeState.of(node).boot_id
    return hand.advanced(before, REBOOTING, boot_id=boot_id, heartbeat=heartbeat)


def _note(node: Mapping[str, t.Any], record: NodeRecord, hand: Hand) -> Mapping[str, t.Any] | None:
    """Return the patch that writes ``record`` on its node, nothing where the node does not carry a record of ours."""
    noted = NodeRecord.of(node)
    return CordonChange(record).patch if hand.owns(noted) and noted != record else None


def _has_rebooted(node: Mapping[str, t.Any], record: NodeRecord) -> bool:
    boot_id = NodeState.of(node).boot_id
    return bool(record.boot_id and boot_id and boot_id != record.boot_id)


def _out_of_turn(hand: Hand, seen: str, advice: str) -> JournalError:
    rollout = hand.claim.id if hand.claim else ""
    return JournalError("record the phase of the node", on=f"rollout {rollout}", seen=seen, advice=advice)
