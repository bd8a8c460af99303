# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Pauses and resumes what adds, removes or replaces machines by itself."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.differences import difference
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.reviews import who_am_i
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.kinds import (
    CLUSTER_AUTOSCALER,
    MACHINE_AUTOSCALER,
    MACHINE_HEALTH_CHECK,
    NODE_HEALTH_CHECK,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.machine_automation import (
    Author,
    Change,
    described,
    is_paused,
    pause,
    restore,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.shown_diff import diff_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NODE, ObjectKind
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

Object = dict[str, t.Any]
Decide = Callable[[Object], t.Optional[Change]]

AUTOMATION_OPTIONS: Mapping[str, Mapping[str, t.Any]] = {
    "state": {"type": "str", "choices": ["paused", "restored"], "required": True},
    "reason": {"type": "str", "default": ""},
}
KINDS = (CLUSTER_AUTOSCALER, MACHINE_AUTOSCALER, MACHINE_HEALTH_CHECK, NODE_HEALTH_CHECK)
_TRIES = 5


@dataclass
class _Work:
    objects: list[dict[str, t.Any]] = field(default_factory=list)
    left: list[dict[str, t.Any]] = field(default_factory=list)
    changes: list[dict[str, dict[str, t.Any]]] = field(default_factory=list)


def set_automation(client: ClusterClient, params: Mapping[str, t.Any]) -> Result:
    """Bring all of it into ``state``: one write for each object, which carries its record with it.

    Killed at any point and run again, it continues with the objects that are left. Raise ApiError and PauseRecordError.
    """
    decide = _pausing(client, params["reason"]) if params["state"] == "paused" else restore
    work = _Work()
    # An object that acts on another one is paused after it, and resumed before it.
    kinds = KINDS if params["state"] == "paused" else tuple(reversed(KINDS))
    for kind in kinds:
        for found in client.list_objects(kind, missing_ok=True):
            _change(client, kind, found, decide, work)
    return Result(
        changed=bool(work.changes),
        objects={"objects": work.objects, "left": work.left},
        actions=client.actions.as_data() if work.changes else (),
        diff=diff_of(work.changes),
    )


def read_automation(client: ClusterClient) -> dict[str, t.Any]:
    """Return all that adds, removes or replaces machines by itself, and what of it we hold."""
    objects = [described(found) for kind in KINDS for found in client.list_objects(kind, missing_ok=True)]
    return {"objects": objects, "paused": any(one["paused"] for one in objects)}


def _pausing(client: ClusterClient, reason: str) -> Decide:
    author = Author(by=who_am_i(client).username, at=timestamp(client.clock.utcnow()), reason=reason)
    nodes = len(client.list_objects(NODE))

    def decide(found: Object) -> Change | None:
        scales = found["kind"] == MACHINE_AUTOSCALER.kind and not is_paused(found)
        replicas = _replicas(client, found) if scales else None
        return pause(found, author, nodes=nodes, replicas=replicas)

    return decide


def _change(client: ClusterClient, kind: ObjectKind, found: Object, decide: Decide, work: _Work) -> None:
    """Write the change that ``decide`` finds due, onto the very state that it was found for."""
    name, namespace = found["metadata"]["name"], found["metadata"].get("namespace")
    for attempt in range(_TRIES):
        change = decide(found)
        if change is None:
            work.objects.append(described(found))
            return
        version = found["metadata"]["resourceVersion"]
        try:
            after = client.patch(kind, name, change.patch, namespace, resource_version=version)
        except ApiError as error:
            if error.status != 409 or attempt == _TRIES - 1:
                raise
            again = client.get(kind, name, namespace)
            if again is None:
                return
            found = again
            continue
        _note(work, change, after)
        return


def _note(work: _Work, change: Change, after: Object) -> None:
    work.changes.append(difference(change.found, after))
    work.objects.append(described(after))
    if change.left:
        named = {name: described(after)[name] for name in ("kind", "namespace", "name")}
        work.left.append({**named, "fields": list(change.left)})


def _replicas(client: ClusterClient, autoscaler: Object) -> int | None:
    """Return the size of what a MachineAutoscaler scales, None where it is not there."""
    target = (autoscaler.get("spec") or {}).get("scaleTargetRef") or {}
    kind = ObjectKind(str(target.get("apiVersion") or ""), str(target.get("kind") or ""))
    found = client.get(kind, str(target.get("name") or ""), autoscaler["metadata"]["namespace"], missing_ok=True)
    return int((found.get("spec") or {}).get("replicas") or 0) if found else None
