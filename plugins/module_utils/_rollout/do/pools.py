# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Pools of the machine-config operator: paused, opened, and watched while it takes their nodes through."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import KIND_NOT_SERVED
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import CLAIM_OPTION, Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.built_images import read_built_images
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.journal import read_journal, write_entries
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.lock import renewed_by
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import (
    ForeignPauseError,
    NoSuchPoolError,
    PoolDegradedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import Hand
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.ending_certificates import (
    EndingCertificate,
    ending_certificates,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_entries import observed_entries
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_pause import (
    PauseRecord,
    is_paused,
    pause_patch,
    pause_words,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import (
    PoolProgress,
    pool_progress,
    progress_of_pools,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import pool_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import micro_time
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    MACHINE_CONFIG_POOL,
    NODE,
    ObjectKind,
)

if t.TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

Object = dict[str, t.Any]

CONTROLLER_CONFIG = ObjectKind("machineconfiguration.openshift.io/v1", "ControllerConfig")

_TRIES = 6
NOTHING, UPDATED, AT_REST = "nothing", "updated", "at_rest"

POOL_OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "required": True},
    "paused": {"type": "bool"},
    "reason": {"type": "str", "default": ""},
    "foreign_pause": {"type": "str", "choices": ["refuse", "open"], "default": "refuse"},
    "until": {"type": "str", "choices": [NOTHING, UPDATED, AT_REST], "default": NOTHING},
    "degraded_timeout": {"type": "int", "default": 600},
    "rollout": CLAIM_OPTION,
}


@dataclass(frozen=True)
class PoolReport:
    """What a step came to."""

    progress: PoolProgress
    done: bool
    changed: bool = False
    diff: Mapping[str, t.Any] = field(default_factory=dict)


def pool_step(client: ClusterClient, options: Mapping[str, t.Any]) -> PoolReport:
    """Pause or open a pool as the options of machine_config_pool say, and look how far its nodes are.

    Within a rollout the journal is told which nodes the operator has begun and ended. Raise NoSuchPoolError,
    ForeignPauseError when somebody else has paused it, and PoolDegradedError.
    """
    claim = Claim.of(options["rollout"])
    by = renewed_by(client, claim)
    before = read_pool(client, options["name"])
    hand = Hand(claim, micro_time(client.clock.utcnow()), by)
    before, after = _pause(client, before, options, hand)
    members = _members(client, options["name"])
    image = read_built_images(client).get(options["name"], "")
    progress = pool_progress(after, [NodeState.of(node) for node in members], image)
    if claim:
        _observe(client, hand, progress, members)
    done = client.dry_run or _is_done(client, after, progress, options)
    changed = after is not before
    shown = {"before": _shown(before), "after": _shown(after)} if changed else {}
    return PoolReport(progress, done, changed, shown)


def read_pools(client: ClusterClient, names: Sequence[str]) -> list[PoolProgress]:
    """Return where the named pools stand, all without names, the required ones first; raise NoSuchPoolError."""
    pools = client.list_objects(MACHINE_CONFIG_POOL)
    unknown = sorted(set(names) - {pool["metadata"]["name"] for pool in pools})
    if unknown:
        raise _no_such_pool(", ".join(unknown))
    nodes = [(pool_of(node, pools), NodeState.of(node)) for node in client.list_objects(NODE)]
    return [one for one in progress_of_pools(pools, nodes, read_built_images(client)) if not names or one.name in names]


def read_ending_certificates(client: ClusterClient, within_days: int) -> list[EndingCertificate]:
    """Return the certificates of nodes that end within some days; none where no machine-config operator tells."""
    try:
        found = client.get(CONTROLLER_CONFIG, "machine-config-controller")
    except ApiError as error:
        if error.reason != KIND_NOT_SERVED:
            raise
        found = None
    return ending_certificates(found, client.clock.utcnow(), within_days)


def read_pool(client: ClusterClient, name: str) -> Object:
    """Return a MachineConfigPool; raise NoSuchPoolError."""
    pool = client.get(MACHINE_CONFIG_POOL, name)
    if pool is None:
        raise _no_such_pool(name)
    return pool


def _pause(client: ClusterClient, pool: Object, options: Mapping[str, t.Any], hand: Hand) -> tuple[Object, Object]:
    """Pause or open the pool, and return it as it was and as it is; its operator writes it often, so several tries."""
    paused = options["paused"]
    if paused is None or is_paused(pool) == paused:
        return pool, pool
    wanted = PauseRecord(paused, hand.at, hand.by, hand.claim.id if hand.claim else "", options["reason"][:600])
    for attempt in range(1, _TRIES + 1):
        patch = pause_patch(pool, wanted, open_foreign=options["foreign_pause"] == "open")
        if patch is None:
            break
        version = pool["metadata"]["resourceVersion"]
        try:
            return pool, client.patch(MACHINE_CONFIG_POOL, options["name"], patch, resource_version=version)
        except ApiError as error:
            if error.status != 409 or attempt == _TRIES:
                raise
        pool = read_pool(client, options["name"])
    return pool, pool


def _members(client: ClusterClient, name: str) -> list[Object]:
    pools = client.list_objects(MACHINE_CONFIG_POOL)
    return [node for node in client.list_objects(NODE) if pool_of(node, pools) == name]


def _observe(client: ClusterClient, hand: Hand, progress: PoolProgress, members: Sequence[Object]) -> None:
    claim = t.cast(Claim, hand.claim)
    ours = {node["metadata"]["name"] for node in members if hand.owns(NodeRecord.of(node))}
    due = observed_entries(progress, read_journal(client, claim.id).entries, ours, hand)
    if due:
        write_entries(client, claim, due)


def _is_done(client: ClusterClient, pool: Object, progress: PoolProgress, options: Mapping[str, t.Any]) -> bool:
    if options["until"] == NOTHING:
        return True
    if options["until"] == AT_REST:
        return progress.is_at_rest
    if progress.is_updated:
        return True
    if is_paused(pool) and progress.is_at_rest:
        raise ForeignPauseError(
            "wait until the pool is updated",
            on=f"MachineConfigPool {progress.name}",
            seen=f"it is {pause_words(pool)}, and {len(progress.waiting)} of its nodes wait",
            advice="Whoever paused it knows why. Open it, or run this again when that may be done.",
            partial={"pool": progress.as_data()},
        )
    if progress.degraded_for(client.clock.utcnow()) > options["degraded_timeout"]:
        raise PoolDegradedError(
            "wait until the pool is updated",
            on=f"MachineConfigPool {progress.name}",
            seen="; ".join(f"{name}: {progress.reasons[name]}" for name in progress.degraded),
            advice="Repair what is named there; the machine-config daemon goes on by itself.",
            partial={"pool": progress.as_data()},
        )
    return False


def _shown(pool: Object) -> dict[str, t.Any]:
    record = PauseRecord.of(pool)
    return {"paused": is_paused(pool), "record": record.words if record else ""}


def _no_such_pool(name: str) -> NoSuchPoolError:
    return NoSuchPoolError(
        "find the pool",
        on=f"MachineConfigPool {name}",
        seen="the cluster has none of this name",
        advice="Check the name, and that these credentials belong to the intended cluster.",
    )
