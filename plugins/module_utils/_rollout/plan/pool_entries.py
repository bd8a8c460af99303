# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the journal says of nodes that the machine-config operator takes through by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import Hand
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import PoolProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    DONE,
    DRAINING,
    FAILED,
    REBOOTING,
    WAITING,
    NodeRecord,
)


def observed_entries(
    progress: PoolProgress,
    entries: Mapping[str, NodeRecord],
    ours: set[str],
    hand: Hand,
    proofs: Mapping[str, str] | None = None,
    broken: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, NodeRecord]:
    """Return the entries that have become due, by node: started, failed, rebooted or done since the last check.

    ``ours`` are nodes that carry a record of their own; their steps write their entries. ``proofs`` say of updated
    nodes what they lack to be back, nothing of those that are; without it an updated node is done. ``broken`` says what
    was broken before of nodes that are started.
    """
    due = _due_in_flight(progress, entries, ours, hand, broken or {})
    for name in progress.updated:
        if name in ours:
            continue
        entry = _due_updated(entries.get(name), hand, None if proofs is None else proofs.get(name, ""))
        if entry is not None:
            due[name] = entry
    return due


def baseline_entries(
    progress: PoolProgress, entries: Mapping[str, NodeRecord], hand: Hand, broken: Mapping[str, Sequence[str]]
) -> dict[str, NodeRecord]:
    """Return the entries, by node, that keep what was broken of nodes before the operator can start them."""
    return {
        name: replace(hand.begun(broken.get(name, ())), phase=WAITING, times={WAITING: hand.at})
        for name in (*progress.updated, *progress.waiting)
        if name not in entries
    }


def _begun(entry: NodeRecord | None, hand: Hand, broken: Sequence[str] = ()) -> NodeRecord:
    """Return the first record of a node; what was known to be broken while it waited counts, not what is now."""
    begun = hand.begun(entry.broken if entry and entry.phase == WAITING else broken)
    return replace(begun, times={**_waited(entry), **begun.times})


def _waited(entry: NodeRecord | None) -> Mapping[str, str]:
    return entry.times if entry and entry.phase == WAITING else {}


def _due_in_flight(
    progress: PoolProgress,
    entries: Mapping[str, NodeRecord],
    ours: set[str],
    hand: Hand,
    broken: Mapping[str, Sequence[str]],
) -> dict[str, NodeRecord]:
    due: dict[str, NodeRecord] = {}
    for name in progress.in_flight:
        entry = entries.get(name)
        if name in ours:
            continue
        if name in progress.degraded:
            reason = progress.reasons[name]
            known = entry if entry and entry.is_under_way else _begun(entry, hand, broken.get(name, ()))
            if (known.phase, known.reason) != (FAILED, reason[:600]):
                due[name] = hand.advanced(known, FAILED, reason)
        elif not (entry and entry.is_under_way):
            due[name] = _begun(entry, hand, broken.get(name, ()))
        elif entry.phase == FAILED:
            due[name] = entry.advanced(DRAINING, entry.times.get(DRAINING, hand.at))
    return due


def _due_updated(entry: NodeRecord | None, hand: Hand, lacks: str | None) -> NodeRecord | None:
    """Return the entry of a node that has its configuration; ``lacks`` is None where no proof is requested."""
    begun = entry if entry and entry.is_under_way else None
    if lacks:
        if begun is None and entry and entry.phase == DONE:
            return None
        known = begun or replace(_begun(entry, hand), times=_waited(entry))
        return None if known.phase == REBOOTING else hand.advanced(known, REBOOTING)
    if begun is not None:
        return hand.advanced(begun, DONE)
    if lacks is None or (entry and entry.phase == DONE):
        return None
    # It was updated before the first check, so that it is not known when it started.
    return replace(_begun(entry, hand), phase=DONE, times={**_waited(entry), DONE: hand.at})
