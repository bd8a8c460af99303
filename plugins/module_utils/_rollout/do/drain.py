# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The states that node_drain brings a node to: started, cordoned, drained, schedulable."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.evictions import (
    EvictionOptions,
    NodeEmptying,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.journal import read_journal, write_entry
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock import renew_lock, renewed_by
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.node_write import read_node, rewrite_node
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.read_readiness import read_broken
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import (
    CordonChange,
    Hand,
    cordon,
    is_cordoned,
    uncordon,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.drain_progress import (
    REMOVED,
    TERMINATING,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.written_fields import writer_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of, micro_time
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    DRAINED,
    DRAINING,
    ROLLOUT_ANNOTATION,
    NodeRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import FIELD_MANAGER
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import LEASE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

FIRST_STEP_SECONDS = 4.0
STEP_SECONDS = 15.0
"""How long one step removes pods before it reports its progress; the first one reports sooner."""
SHORTEST_STEP_SECONDS = 1.0
"""How long even the last step has, when the time to wait is all but over."""
HELD_SECONDS = 60.0
"""How long after the renewal of the lock pods are evicted: a job that was stopped for longer may have lost it."""

_SENTENCES = {"cordoned": "is cordoned", "started": "has started and is not cordoned"}
"""What is said of a node in the states in which its pods stay."""

_RECORD_PATH = ("f:metadata", "f:annotations", f"f:{ROLLOUT_ANNOTATION}")


@dataclass(frozen=True)
class DrainRequest:
    """The request to node_drain; ``outcome`` is the phase that is recorded with the uncordon."""

    node: str
    state: str
    claim: Claim | None
    evictions: EvictionOptions
    keep_foreign_cordon: bool = False
    outcome: str = "done"


class NodeDrain:
    """Brings one node to the requested state, in as many steps as it takes, of which ``until`` bounds the last ones."""

    def __init__(self, client: ClusterClient, request: DrainRequest, until: Deadline) -> None:
        self._client = client
        self._request = request
        self._until = until
        self._emptying = NodeEmptying(client, request.node, request.evictions)
        self._first: Mapping[str, t.Any] | None = None
        self._by = ""

    def step(self) -> Step:
        """Take one bounded step; see NodeEmptying, cordon and uncordon for what it raises, and renewed_by."""
        self._by = renewed_by(self._client, self._request.claim)
        held = Deadline(HELD_SECONDS, self._client.clock)
        if self._request.state == "schedulable":
            return self._give_back()
        before, node = self._cordon()
        if self._request.claim and node is not before:
            # Another job that has taken the lock since then may not have seen the cordon when it chose its node.
            renew_lock(self._client, self._request.claim.holder)
        if self._request.state in _SENTENCES:
            return self._report(f"{self._request.node} {_SENTENCES[self._request.state]}", True, before, node)
        seconds = STEP_SECONDS if node is before else FIRST_STEP_SECONDS
        deadline = Deadline(max(SHORTEST_STEP_SECONDS, min(seconds, self._until.remaining)), self._client.clock)
        overdue = self._is_overdue(node)
        progress = self._emptying.step(_cordoned_at(node), deadline, overdue=overdue, held=held)
        over = progress.is_over or self._client.dry_run
        if over and self._client.dry_run:
            node = _with(node, self._decide_advance(node, DRAINED))
        elif over:
            _unused, node = self._advance(DRAINED)
        words = f"{self._request.node} is drained" if progress.is_over else f"{self._request.node}: {progress.sentence}"
        return self._report(words, over, before, node)

    def _cordon(self) -> tuple[Mapping[str, t.Any], dict[str, t.Any]]:
        # The journal is written first: an entry that the node does not show yet counts as started, and is resumed.
        node = read_node(self._client, self._request.node)
        broken = () if self._hand().owns(NodeRecord.of(node)) else read_broken(self._client, node)
        change = self._decide_cordon(node, broken)
        if change is None:
            return node, node
        if self._request.state == "drained":
            self._emptying.check()
        if self._request.claim and change.record:
            write_entry(self._client, self._request.claim, self._request.node, change.record)
        return rewrite_node(self._client, self._request.node, lambda node: _patch(self._decide_cordon(node, broken)))

    def _decide_cordon(self, node: Mapping[str, t.Any], broken: Sequence[str]) -> CordonChange | None:
        record = NodeRecord.of(node)
        hand = self._hand()
        if hand.owns(record) and record and record.phase == DRAINED and is_cordoned(node):
            return None
        return cordon(
            node,
            hand,
            keep_foreign=self._request.keep_foreign_cordon,
            broken=broken,
            leave_schedulable=self._request.state == "started",
        )

    def _give_back(self) -> Step:
        claim, outcome = self._request.claim, self._request.outcome
        before, node = rewrite_node(
            self._client, self._request.node, lambda found: _patch(uncordon(found, self._hand(), outcome))
        )
        if claim:
            self._close_entry(claim, NodeRecord.of(node))
        words = "keeps the cordon that existed before" if is_cordoned(node) else "is schedulable"
        return self._report(f"{self._request.node} {words}", True, before, node)

    def _close_entry(self, claim: Claim, record: NodeRecord | None) -> None:
        """End the journal's entry as the node's record says, or without one (the node was made again) by itself."""
        entry = read_journal(self._client, claim.id).entries.get(self._request.node)
        if record is None or record.rollout != claim.id:
            is_open = entry is not None and entry.is_under_way
            record = self._hand().advanced(entry, self._request.outcome) if entry and is_open else None
        if record and record != entry:
            write_entry(self._client, claim, self._request.node, record)

    def _advance(self, phase: str) -> tuple[Mapping[str, t.Any], dict[str, t.Any]]:
        before, node = rewrite_node(self._client, self._request.node, lambda node: self._decide_advance(node, phase))
        record = NodeRecord.of(node)
        if self._request.claim and record and node is not before:
            write_entry(self._client, self._request.claim, self._request.node, record)
        return before, node

    def _decide_advance(self, node: Mapping[str, t.Any], phase: str) -> Mapping[str, t.Any] | None:
        record = NodeRecord.of(node)
        if record is None or record.phase != DRAINING or not self._hand().owns(record):
            return None
        return CordonChange(self._hand().advanced(record, phase)).patch

    def _is_overdue(self, node: Mapping[str, t.Any]) -> bool:
        record = NodeRecord.of(node)
        begun = instant_of(record.times.get(DRAINING, "")) if record else None
        return self._request.evictions.is_overdue(begun, self._client.clock.utcnow())

    def _hand(self) -> Hand:
        return Hand(self._request.claim, micro_time(self._client.clock.utcnow()), self._by)

    def _report(self, sentence: str, done: bool, before: Mapping[str, t.Any], after: Mapping[str, t.Any]) -> Step:
        self._first = self._first or before
        actions, record = self._client.actions.as_data(), NodeRecord.of(after)
        objects = {
            "schedulable": not is_cordoned(after),
            "drained": done and self._request.state == "drained",
            "pods": self._emptying.progress.as_data(),
            "record": record.as_data() if record else None,
        }
        changed = any(action["kind"] != LEASE.kind for action in actions)
        evicted = [pod.plan.title for pod in self._emptying.progress.with_fate(TERMINATING, REMOVED)]
        diff = {"before": {**_ours(self._first), "evicted": []}, "after": {**_ours(after), "evicted": evicted}}
        return Step(sentence, done, changed, objects, actions, diff if changed else None, next_delay=1.0)


def _ours(node: Mapping[str, t.Any]) -> dict[str, t.Any]:
    record = NodeRecord.of(node)
    return {"unschedulable": is_cordoned(node), "record": record.as_data() if record else None}


def _with(node: dict[str, t.Any], patch: Mapping[str, t.Any] | None) -> dict[str, t.Any]:
    """Return the node as a change of its annotations would leave it, which no API server says in check mode."""
    metadata = node["metadata"]
    annotations = {**metadata.get("annotations", {}), **((patch or {}).get("metadata") or {}).get("annotations", {})}
    return {**node, "metadata": {**metadata, "annotations": annotations}}


def _patch(change: CordonChange | None) -> Mapping[str, t.Any] | None:
    return change.patch if change else None


def _cordoned_at(node: Mapping[str, t.Any]) -> datetime | None:
    """Return the server's time of the write that began the drain: it alone compares with the ages of pods."""
    writer = writer_of(node, _RECORD_PATH)
    return instant_of(writer.at) if writer and writer.manager == FIELD_MANAGER else None
