# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How far the nodes of a pool have come; a partial rollout is as normal as any other state."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_pause import is_paused, pause_words
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pause_record import REQUIRED_LABEL, PauseRecord

UPDATED, ROLLING, HALF_UPDATED, PENDING, DEGRADED = "updated", "rolling", "half_updated", "pending", "degraded"
SHORT_DIGEST = len("sha256:") + 12
_BROKEN = ("Degraded", "Unreconcilable")


@dataclass(frozen=True)
class PoolProgress:
    """A pool and its nodes by where they stand, each a list of names in order.

    ``updated`` have the ``target`` configuration, in image mode also the ``image`` that was built for the pool,
    ``in_flight`` are being changed by their daemons, ``waiting`` have not started, ``degraded`` are in flight and
    have failed; ``reasons`` say of these why. ``seen`` while the operator has seen the last change of the pool: before
    that it may begin with a node although the pool is paused.
    """

    name: str
    target: str
    paused: str
    required: bool
    updated: Sequence[str]
    in_flight: Sequence[str]
    waiting: Sequence[str]
    degraded: Sequence[str]
    reasons: Mapping[str, str]
    degraded_since: str = ""
    record: PauseRecord | None = None
    image: str = ""
    seen: bool = True

    @property
    def size(self) -> int:
        """How many nodes the pool has."""
        return len(self.updated) + len(self.in_flight) + len(self.waiting)

    @property
    def is_updated(self) -> bool:
        """Whether all nodes have what the pool must have."""
        return len(self.updated) == self.size

    @property
    def is_at_rest(self) -> bool:
        """Whether no daemon is at work, nor will be; degraded ones are, and may be forever, so they do not count."""
        return self.seen and not set(self.in_flight) - set(self.degraded)

    @property
    def standing(self) -> str:
        """Return UPDATED, DEGRADED, ROLLING, HALF_UPDATED or PENDING."""
        if self.is_updated:
            return UPDATED
        if self.degraded:
            return DEGRADED
        if self.in_flight:
            return ROLLING
        return HALF_UPDATED if self.updated else PENDING

    def degraded_for(self, now: datetime) -> float:
        """Return for how many seconds the pool has reported that a node is degraded, ``now`` by the cluster's clock."""
        since = instant_of(self.degraded_since)
        return (now - since).total_seconds() if since and self.degraded else 0.0

    @property
    def sentence(self) -> str:
        """Where the pool stands, in plain words."""
        image = f" and image {self.image.rpartition('@')[2][:SHORT_DIGEST]}" if self.image else ""
        parts = [f"pool {self.name}: {len(self.updated)} of {self.size} nodes have {self.target}{image}"]
        working = [name for name in self.in_flight if name not in self.degraded]
        if working:
            parts.append(f"{listed(working)} {'is' if len(working) == 1 else 'are'} in progress")
        if self.degraded:
            parts.append("; ".join(f"{name} is degraded: {self.reasons[name]}" for name in self.degraded[:3]))
        if self.waiting:
            why = f" while the pool is {self.paused}" if self.paused else ""
            parts.append(f"{len(self.waiting)} wait{'s' if len(self.waiting) == 1 else ''}{why}")
        if not self.seen:
            parts.append("the machine-config operator has not processed its last change yet")
        return ", ".join(parts)

    def as_data(self) -> dict[str, t.Any]:
        """Return the pool as module results show it."""
        lists = ("updated", "in_flight", "waiting", "degraded")
        record = self.record
        known = {"paused": record.paused, "at": record.at, "by": record.by, "found": record.found} if record else None
        return {
            "name": self.name,
            "standing": self.standing,
            "target": self.target,
            "image": self.image,
            "paused": bool(self.paused),
            "paused_by": self.paused,
            "required": self.required,
            **{name: list(getattr(self, name)) for name in lists},
            "record": {**known, "rollout": record.rollout, "reason": record.reason} if known and record else None,
            "sentence": self.sentence,
        }


def pool_progress(pool: Mapping[str, t.Any], members: Iterable[NodeState], image: str = "") -> PoolProgress:
    """Return where a MachineConfigPool and the nodes that belong to it stand; ``image`` was built for the pool."""
    target = ((pool.get("spec") or {}).get("configuration") or {}).get("name", "")
    nodes = sorted(members, key=lambda node: node.name)
    at_rest = [node for node in nodes if node.is_updated]
    busy = [node for node in nodes if not node.is_updated]
    there = [node.name for node in at_rest if node.current_config == target and node.current_image == image]
    broken = [node for node in busy if node.daemon_state in _BROKEN]
    condition = conditions_of(pool).get("NodeDegraded")
    return PoolProgress(
        name=pool["metadata"]["name"],
        target=target,
        paused=pause_words(pool) if is_paused(pool) else "",
        required=REQUIRED_LABEL in (pool["metadata"].get("labels") or {}),
        updated=there,
        in_flight=[node.name for node in busy],
        waiting=[node.name for node in at_rest if node.name not in there],
        degraded=[node.name for node in broken],
        reasons={node.name: node.daemon_reason or node.daemon_state for node in broken},
        degraded_since=condition.last_transition if condition and condition.is_true else "",
        record=PauseRecord.of(pool),
        image=image,
        seen=_is_seen(pool),
    )


def progress_of_pools(
    pools: Sequence[Mapping[str, t.Any]], nodes: Iterable[tuple[str, NodeState]], images: Mapping[str, str]
) -> list[PoolProgress]:
    """Return where all pools stand, the required ones first, then by name.

    ``nodes`` come with the names of their pools, ``images`` are those that were built, by pool.
    """
    members: dict[str, list[NodeState]] = {}
    for name, state in nodes:
        members.setdefault(name, []).append(state)
    names = [pool["metadata"]["name"] for pool in pools]
    found = [pool_progress(pool, members.get(name, []), images.get(name, "")) for name, pool in zip(names, pools)]
    return sorted(found, key=lambda one: (not one.required, one.name))


def _is_seen(pool: Mapping[str, t.Any]) -> bool:
    """Whether the status was written for the pool as it is (machine-config-operator, pkg/controller/node/status.go)."""
    observed = (pool.get("status") or {}).get("observedGeneration")
    return observed is None or observed >= pool["metadata"].get("generation", 0)
