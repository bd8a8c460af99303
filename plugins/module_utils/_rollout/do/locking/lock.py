# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Taking, renewing and giving up the lock of a cluster."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_namespace import create_in_own_namespace
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.reviews import who_am_i
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.server_time import server_time
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.holder_process import is_gone
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import LockHeldError, LockLostError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.lock_state import (
    LEASE_NAME,
    LockState,
    released,
    taken,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import micro_time
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import LEASE

_TRIES = 5
"""How often a change is tried if a renewal interferes, for example that of a play."""
_ON = f"Lease {NAMESPACE}/{LEASE_NAME}"


@dataclass(frozen=True)
class LockChange:
    """The lock before and after; in a dry run ``after`` is what it would be."""

    before: LockState
    after: LockState

    @property
    def changed_hands(self) -> bool:
        """Whether the holder is another one than before."""
        return self.before.holder != self.after.holder


def read_lock(client: ClusterClient) -> LockState:
    """Return who holds the lock."""
    return LockState.of(client.get(LEASE, LEASE_NAME, NAMESPACE))


def take_lock(client: ClusterClient, holder: str, process: Mapping[str, t.Any]) -> LockChange:
    """Take the lock, or renew it if ``holder`` has it already.

    It is taken from another holder when that one's process has certainly ended, or when the lock has not been renewed
    for its whole duration by the server's clock. Raise LockHeldError, which is transient, while neither is so.
    """
    before = read_lock(client)
    if before.holder == holder:
        return LockChange(before, renew_lock(client, holder))
    if before.holder and not is_gone(before.process):
        unrenewed = before.unrenewed_for(server_time(client))
        if unrenewed < before.duration:
            raise _held(before, unrenewed)
    now = micro_time(client.clock.utcnow())
    body = taken(before, holder, who_am_i(client).username, process, now)
    try:
        lease = _write(client, before, body)
    except ApiError as error:
        if error.status != 409:
            raise
        raise _held(read_lock(client), 0.0) from error
    return LockChange(before, LockState.of(lease))


def renew_lock(client: ClusterClient, holder: str) -> LockState:
    """Renew the lock and return it; raise LockLostError when it is not ``holder``'s any more.

    A dry run only looks: in check mode the lock was not acquired.
    """
    for _unused in range(_TRIES):
        lock = read_lock(client)
        if client.dry_run:
            return lock
        if lock.holder != holder:
            raise _lost(lock, holder)
        body = {"spec": {"renewTime": micro_time(client.clock.utcnow())}}
        try:
            return LockState.of(
                client.patch(LEASE, LEASE_NAME, body, NAMESPACE, resource_version=lock.resource_version)
            )
        except ApiError as error:
            if error.status != 409:
                raise
    raise _lost(lock, holder)


def renewed_by(client: ClusterClient, claim: Claim | None) -> str:
    """Renew the lock of ``claim``, if there is one, and return who is at work, by the API's name of the user."""
    if claim:
        lock = renew_lock(client, claim.holder)
        if lock.by and lock.holder == claim.holder:
            return lock.by
    return who_am_i(client).username


def release_lock(client: ClusterClient, holder: str, *, broken_for: str = "") -> LockChange:
    """Release the lock; with ``broken_for``, a reason, also that of others. Nothing happens where it is not held.

    Raise LockHeldError when another one holds it and no reason is given, and ApiError of status 409 when it changed
    hands since then.
    """
    before = read_lock(client)
    if not before.holder:
        return LockChange(before, before)
    if before.holder != holder and not broken_for:
        raise _held(before, 0.0)
    tries = _TRIES
    while True:
        tries -= 1
        try:
            return LockChange(before, _give_up(client, before, holder, broken_for))
        except ApiError as error:
            if error.status != 409 or not tries:
                raise
            known, before = before, read_lock(client)
            if before.holder != known.holder:
                raise


def _give_up(client: ClusterClient, before: LockState, holder: str, broken_for: str) -> LockState:
    note = None
    if before.holder != holder:
        at = micro_time(client.clock.utcnow())
        note = {"by": who_am_i(client).username, "at": at, "reason": broken_for, "from": before.holder}
    lease = client.patch(LEASE, LEASE_NAME, released(note), NAMESPACE, resource_version=before.resource_version)
    return LockState.of(lease)


def _write(client: ClusterClient, before: LockState, body: Mapping[str, t.Any]) -> dict[str, t.Any]:
    if before.exists:
        return client.patch(LEASE, LEASE_NAME, body, NAMESPACE, resource_version=before.resource_version)
    created = create_in_own_namespace(client, LEASE, body)
    return dict(created) or {**body, "metadata": {**body["metadata"], "resourceVersion": "0"}}


def _held(lock: LockState, unrenewed: float) -> LockHeldError:
    left = lock.duration - unrenewed
    return LockHeldError(
        "take the lock of this cluster",
        on=_ON,
        seen=lock.words if lock.holder else "another job took it first",
        advice=f"Wait until that job ends. If it has died, its lock is free after {left:.0f} s without a renewal.",
        partial={"lock": lock.as_data()},
        transient=True,
    )


def _lost(lock: LockState, holder: str) -> LockLostError:
    return LockLostError(
        f"continue as {holder}",
        on=_ON,
        seen=lock.words if lock.holder else "the lock is free",
        advice="Nothing was changed. Check that no other job changes this cluster, then run this again.",
        partial={"lock": lock.as_data()},
    )
