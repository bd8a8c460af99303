# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What must hold of each request of a job, judged by rules that are written a second time and more simply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._rollout.model.memory_cluster import (
    Json,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._rollout.model.site import (
    DAEMON,
    pool_label,
)


@dataclass(frozen=True)
class Basis:
    """What a job had read when it asked, and the answer."""

    pool: str
    permitted: bool
    nodes: Sequence[Json]
    pools: Sequence[Json]


def is_started(node: Json) -> bool:
    """Return whether a record shows a node to be started and not ended."""
    record = NodeRecord.of(node)
    return record is not None and record.is_under_way


def is_changing(node: Json) -> bool:
    notes = node["metadata"]["annotations"]
    return bool(notes[f"{DAEMON}currentConfig"] != notes[f"{DAEMON}desiredConfig"])


def is_lost(node: Json) -> bool:
    """Return whether a node is out of service for a reason that is not a job's."""
    ready = next(one["status"] for one in node["status"]["conditions"] if one["type"] == "Ready")
    return ready != "True" or is_changing(node) or (bool(node["spec"].get("unschedulable")) and not is_started(node))


def require_permission(basis: Basis | None, node: Json) -> None:
    assert basis is not None, f"{node['metadata']['name']} was started and no guard was asked"
    assert basis.permitted, f"{node['metadata']['name']} was started while change was restricted"
    assert basis.pool == pool_label(next(one for one in basis.nodes if _name(one) == _name(node)))


def require_room(basis: Basis, node: Json, *, started_count: bool) -> None:
    """Hold that the nodes that were away when the plan was made left room for ``node``."""
    was = next(one for one in basis.nodes if _name(one) == _name(node))
    others = [one for one in basis.nodes if _name(one) != _name(node)]
    pool = [one for one in others if pool_label(one) == pool_label(was)]
    away = [_name(one) for one in pool if is_lost(one) or (started_count and is_started(one))]
    limit = _limit(basis, pool_label(was), len(pool) + 1)
    assert len(away) < limit, f"{_name(node)} was taken while {away} were away, {limit} may be"
    if pool_label(was) == "master":
        assert len(away) < max(1, len(pool) // 2), f"{_name(node)} was taken while {away} were away: the quorum"


def _limit(basis: Basis, pool: str, size: int) -> int:
    found = next(one for one in basis.pools if one["metadata"]["name"] == pool)["spec"].get("maxUnavailable", 1)
    return max(1, size * int(found[:-1]) // 100) if str(found).endswith("%") else max(1, int(found))


def _name(node: Json) -> str:
    return str(node["metadata"]["name"])
