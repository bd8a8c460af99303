# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One step of machine_config_pool: pause, open or restore a pool, and read the progress of its nodes."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.server_time import cluster_now
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import CLAIM_OPTION, Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.built_images import read_built_images
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.journal import (
    read_earlier_seconds,
    read_journal,
    write_entries,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock import renewed_by
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.pools import read_members, read_pool
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.read_readiness import (
    read_broken,
    read_missing,
    read_missing_guards,
    read_node_lease,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.rewrite import rewrite
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import Hand
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.estimate import pool_estimate
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_entries import (
    baseline_entries,
    observed_entries,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_faults import (
    Patience,
    PoolSeen,
    fault_of,
    pause_fault,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_pause import (
    is_paused,
    pause_patch,
    restore_patch,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import (
    PoolProgress,
    pool_progress,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.readiness import Before, Expected
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import micro_time
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import DONE, NodeRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import MACHINE_CONFIG_POOL
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pause_record import PauseRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Guard, Permission

Object = dict[str, t.Any]
Patch = t.Optional["Mapping[str, t.Any]"]

NOTHING, UPDATED, PROVED, AT_REST = "nothing", "updated", "proved", "at_rest"

POOL_OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "required": True},
    "paused": {"type": "bool"},
    "restored": {"type": "bool", "default": False},
    "reason": {"type": "str", "default": ""},
    "foreign_pause": {"type": "str", "choices": ["refuse", "open"], "default": "refuse"},
    "wait_for": {"type": "str", "choices": [NOTHING, UPDATED, PROVED, AT_REST], "default": NOTHING},
    "pause_on_fault": {"type": "bool", "default": False},
    "degraded_timeout": {"type": "int", "default": 600},
    "away_timeout": {"type": "int", "default": 1800},
    "rollout": CLAIM_OPTION,
}


def pool_step(client: ClusterClient, options: Mapping[str, t.Any], guard: Guard | None = None) -> Step:
    """Pause, open or restore a pool according to the options of machine_config_pool, and read its progress.

    With a ``guard`` the pool is opened, and stays open, only while change is permitted. Within a rollout the journal
    receives which nodes the operator has started and ended. Raise NoSuchPoolError, ForeignPauseError when others have
    paused it, and PoolDegradedError or NodeAwayError when waiting is no answer.
    """
    claim = Claim.of(options["rollout"])
    hand = Hand(claim, micro_time(client.clock.utcnow()), renewed_by(client, claim))
    pool = read_pool(client, options["name"])
    found = _see(client, options, pool, claim)
    permission = _permission(client, found, options, guard)
    decide = _patch_of(options, hand, permission)
    if claim and (_opens(decide(pool)) or (found.progress.required and options["wait_for"] == NOTHING)):
        found = _with_baseline(client, hand, claim, found)
    before, after = _write(client, options, decide)
    seen = _see(client, options, after, claim) if after is not before else found
    if claim:
        _observe(client, hand, claim, seen)
    restricted = permission is not None and not permission.permitted
    done = client.dry_run or (seen.progress.is_at_rest if restricted else _is_done(client, seen, options, hand))
    changed = after is not before
    shown = {"before": _shown(before), "after": _shown(after)} if changed else None
    return Step(_sentence(seen, permission), done, changed, _objects(seen, permission), diff=shown)


def _sentence(seen: PoolSeen, permission: Permission | None) -> str:
    """Return where the pool stands, in plain words."""
    parts = [seen.progress.sentence]
    proved = sorted(name for name, lacks in (seen.proofs or {}).items() if not lacks)
    if proved:
        parts.append(f"{listed(proved, 5)} verified to be back")
    parts += [f"{name} is not back: {lacks}" for name, lacks in sorted(seen.unproved.items())]
    if permission and not permission.permitted:
        parts.append(permission.sentence)
    return "; ".join(parts)


def _objects(seen: PoolSeen, permission: Permission | None) -> dict[str, t.Any]:
    broken = {name: list(entry.broken) for name, entry in sorted(seen.entries.items()) if entry.broken}
    return {
        "pool": seen.progress.as_data(),
        "unproved": [{"name": name, "lacks": lacks} for name, lacks in sorted(seen.unproved.items())],
        "broken_before": [{"name": name, "broken": lists} for name, lists in broken.items()],
        "permission": permission.as_data() if permission else None,
        "ended": permission.ended if permission else None,
    }


def _see(client: ClusterClient, options: Mapping[str, t.Any], pool: Object, claim: Claim | None) -> PoolSeen:
    members = read_members(client, options["name"])
    image = read_built_images(client).get(options["name"], "")
    progress = pool_progress(pool, [NodeState.of(node) for node in members], image)
    entries = read_journal(client, claim.id).entries if claim else {}
    proofs = _proofs(client, progress, members, entries) if options["wait_for"] == PROVED else None
    return PoolSeen(progress, members, entries, proofs)


def _proofs(
    client: ClusterClient, progress: PoolProgress, members: Sequence[Object], entries: Mapping[str, NodeRecord]
) -> dict[str, str]:
    """Return what each updated node lacks to be back, nothing where it is; what was proved once stays proved."""
    proved = {name for name, entry in entries.items() if entry.phase == DONE}
    lacks = dict.fromkeys(progress.updated, "")
    for node in members:
        name = node["metadata"]["name"]
        if name in lacks and name not in proved:
            entry = entries.get(name)
            before = Before(broken=entry.broken if entry else ())
            expected = Expected(progress.target, progress.image)
            missing = read_missing(client, node, read_node_lease(client, name), before, expected)
            guards = read_missing_guards(client, name) if progress.required else []
            lacks[name] = "; ".join([*missing, *guards])
    return lacks


def _permission(
    client: ClusterClient, seen: PoolSeen, options: Mapping[str, t.Any], guard: Guard | None
) -> Permission | None:
    """Ask the guard where the pool would be opened or kept open.

    A pool that an update requires is one change: only its opening is checked.
    """
    progress = seen.progress
    if guard is None or options["paused"] is not False or progress.is_updated:
        return None
    if progress.required and not progress.paused:
        return None
    earlier = read_earlier_seconds(client, options["rollout"]["id"] if options["rollout"] else "")
    return guard.ask(progress.name, pool_estimate(progress, seen.records, options["guard"]["estimate"], earlier))


def _patch_of(options: Mapping[str, t.Any], hand: Hand, permission: Permission | None) -> Callable[[Object], Patch]:
    rollout = hand.claim.id if hand.claim else ""
    refused = permission is not None and not permission.permitted
    paused = True if refused else options["paused"]
    reason = permission.sentence if permission and refused else options["reason"]

    def decide(pool: Object) -> Patch:
        if options["restored"]:
            return restore_patch(pool, rollout, hand.at, hand.by)
        if paused is None:
            return None
        wanted = PauseRecord(paused, hand.at, hand.by, rollout, reason[:600])
        return pause_patch(pool, wanted, open_foreign=options["foreign_pause"] == "open")

    return decide


def _write(
    client: ClusterClient, options: Mapping[str, t.Any], decide: Callable[[Object], Patch]
) -> tuple[Object, Object]:
    return rewrite(client, MACHINE_CONFIG_POOL, lambda: read_pool(client, options["name"]), decide)


def _opens(patch: Patch) -> bool:
    return ((patch or {}).get("spec") or {}).get("paused") is False


def _with_baseline(client: ClusterClient, hand: Hand, claim: Claim, seen: PoolSeen) -> PoolSeen:
    """Record what is broken of nodes before the operator can start them, and return what the journal knows then.

    The operator can start and finish a node between two looks, or while the play is dead.
    """
    new = {node["metadata"]["name"]: node for node in seen.members if node["metadata"]["name"] not in seen.entries}
    broken = {name: read_broken(client, node) for name, node in new.items()}
    due = baseline_entries(seen.progress, seen.entries, hand, broken)
    if due:
        write_entries(client, claim, due)
    return replace(seen, entries={**seen.entries, **due})


def _observe(client: ClusterClient, hand: Hand, claim: Claim, seen: PoolSeen) -> None:
    ours = {node["metadata"]["name"] for node in seen.members if hand.owns(NodeRecord.of(node))}
    broken = {name: read_broken(client, node) for name, node in _begun_now(seen).items() if name not in ours}
    due = observed_entries(seen.progress, seen.entries, ours, hand, seen.proofs, broken)
    if due:
        write_entries(client, claim, due)


def _begun_now(seen: PoolSeen) -> dict[str, Mapping[str, t.Any]]:
    """Return the nodes that the operator has started since the last check, by name."""
    known = {name for name, entry in seen.entries.items() if entry.is_under_way}
    begun = set(seen.progress.in_flight) - known
    return {node["metadata"]["name"]: node for node in seen.members if node["metadata"]["name"] in begun}


def _is_done(client: ClusterClient, seen: PoolSeen, options: Mapping[str, t.Any], hand: Hand) -> bool:
    progress = seen.progress
    if options["wait_for"] == NOTHING:
        return True
    if options["wait_for"] == AT_REST:
        return progress.is_at_rest
    if progress.is_updated and not seen.unproved:
        return True
    pauses = options["pause_on_fault"]
    patience = Patience(options["degraded_timeout"], options["away_timeout"], pauses)
    fault = fault_of(seen, patience, cluster_now(client), client.clock.utcnow())
    if fault is not None and pauses:
        wanted = {**options, "paused": True, "restored": False, "reason": fault.seen}
        _write(client, options, _patch_of(wanted, hand, None))
    if fault is None and not progress.is_updated:
        fault = pause_fault(progress)
    if fault is not None:
        raise fault
    return False


def _shown(pool: Object) -> dict[str, t.Any]:
    record = PauseRecord.of(pool)
    return {"paused": is_paused(pool), "record": record.words if record else ""}
