# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""When waiting for the nodes of a pool is no answer any more."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import (
    ForeignPauseError,
    NodeAwayError,
    PoolDegradedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.config_change import (
    ConfigTarget,
    seconds_away,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import PoolProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import DONE, REBOOTING, NodeRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState

REPAIR = "Fix the named cause; the machine-config daemon retries automatically. Then run this again."


@dataclass(frozen=True)
class Patience:
    """After how many seconds a degraded pool, and a node that does not come back, count as failed.

    ``pauses`` where the pool is paused then.
    """

    degraded: float
    away: float
    pauses: bool = False


@dataclass(frozen=True)
class PoolSeen:
    """A pool with its nodes as Node objects, its entries in the journal, and what updated nodes lack to be back."""

    progress: PoolProgress
    members: Sequence[Mapping[str, t.Any]]
    entries: Mapping[str, NodeRecord] = field(default_factory=dict)
    proofs: Mapping[str, str] | None = None

    @property
    def records(self) -> list[NodeRecord]:
        """What is known of nodes: of this rollout if any is done in it, else of the last one that took them itself."""
        entries = [entry for entry in self.entries.values() if entry.phase == DONE]
        return entries or [record for node in self.members if (record := NodeRecord.of(node))]

    @property
    def unproved(self) -> dict[str, str]:
        """What is missing, by node, of those that have the configuration and are not back yet."""
        return {name: lacks for name, lacks in (self.proofs or {}).items() if lacks}


def fault_of(seen: PoolSeen, patience: Patience, now: datetime, ours: datetime) -> FieldOpsError | None:
    """Return the error that ends the wait for a pool, None while waiting may help.

    It is ``now`` by the cluster's clock, and by ``ours``, which stamps the journal.
    """
    progress = seen.progress
    known: dict[str, t.Any] = {"on": _named(progress), "partial": {"pool": progress.as_data()}}
    paused = "The pool is paused, so no further node starts. " if patience.pauses else ""
    if progress.degraded_for(now) > patience.degraded:
        told = "; ".join(f"{name}: {progress.reasons[name]}" for name in progress.degraded)
        return PoolDegradedError("wait until the pool is updated", seen=told, advice=f"{paused}{REPAIR}", **known)
    away = _away(seen, patience.away, now, ours)
    if not away:
        return None
    told = "; ".join(f"{name}: {why}" for name, why in sorted(away.items()))
    return NodeAwayError(
        "wait until the nodes of the pool are back",
        seen=f"for more than {patience.away:.0f} s: {told}",
        advice=f"{paused}Check the named cause, and on its console how far it booted. Then run this again.",
        **known,
    )


def pause_fault(progress: PoolProgress) -> FieldOpsError | None:
    """Return the error for a pool that will not be updated because others keep it paused."""
    if not (progress.paused and progress.is_at_rest):
        return None
    return ForeignPauseError(
        "wait until the pool is updated",
        on=_named(progress),
        seen=f"it is {progress.paused}, and {len(progress.waiting)} of its nodes are waiting",
        advice="Contact the user who paused it. Unpause it, or run this again when that is possible.",
        partial={"pool": progress.as_data()},
    )


def _away(seen: PoolSeen, longest: float, now: datetime, ours: datetime) -> dict[str, str]:
    target = ConfigTarget(seen.progress.target, seen.progress.image)
    away = {
        node["metadata"]["name"]: f"it is not ready: {NodeState.of(node).ready_reason}"
        for node in seen.members
        if seconds_away(node, target, now) > longest
    }
    for name, lacks in seen.unproved.items():
        entry = seen.entries.get(name)
        since = instant_of(entry.since) if entry and entry.phase == REBOOTING else None
        if since is not None and (ours - since).total_seconds() > longest:
            away[name] = lacks
    return away


def _named(progress: PoolProgress) -> str:
    return f"MachineConfigPool {progress.name}"
