# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One step of rollout_lock: its options, and what they ask for."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock import (
    LockChange,
    release_lock,
    take_lock,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock_holder import lock_holder
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock_renewal import (
    start_renewing,
    stop_renewing,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

LOCK_OPTIONS: dict[str, dict[str, t.Any]] = {
    "state": {"type": "str", "choices": ["held", "released"], "default": "held"},
    "holder": {"type": "str"},
    "renew": {"type": "bool", "default": False},
    "process": {"type": "int"},
    "force": {"type": "bool", "default": False},
    "reason": {"type": "str"},
}


def lock_step(client: ClusterClient, options: Mapping[str, t.Any]) -> Step:
    """Take or release the lock as the options say, and return the outcome.

    ``options`` are all of the module: a lock that is renewed next to the play needs those of the connection.
    """
    holder = lock_holder(options["holder"], options["process"])
    if options["state"] == "released":
        broken_for = options["reason"] if options["force"] else ""
        if not client.dry_run:
            stop_renewing(holder, client.clock)
        return _step("the lock is free", release_lock(client, holder.identity, broken_for=broken_for))
    taken = take_lock(client, holder.identity, holder.process)
    renews = options["renew"] and not client.dry_run and start_renewing(holder, options, client.clock)
    return _step(f"this job holds the lock{' and renews it in the background' if renews else ''}", taken)


def _step(sentence: str, lock: LockChange) -> Step:
    before, after = lock.before.as_data(), lock.after.as_data()
    # When it expires only the server says, which does not in check mode.
    diff = {"before": _known(before), "after": _known(after)}
    return Step(sentence, True, lock.changed_hands, {"lock": after}, diff=diff)


def _known(lock: Mapping[str, t.Any]) -> dict[str, t.Any]:
    return {name: value for name, value in lock.items() if name != "expires"}
