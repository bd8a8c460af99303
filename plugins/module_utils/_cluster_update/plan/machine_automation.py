# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How each kind of object that adds, removes or replaces machines by itself is paused and resumed.

A ClusterAutoscaler has no switch: it is kept from removing nodes, and from adding more than there are. A
MachineAutoscaler is held at the present size of its target. A MachineHealthCheck has the annotation that its controller
heeds, a NodeHealthCheck a request to pause. Sources: openshift/cluster-autoscaler-operator, pkg/apis/autoscaling/v1
and v1beta1; openshift/machine-api-operator, pkg/controller/machinehealthcheck, which stands still while
``cluster.x-k8s.io/paused`` is there; medik8s/node-healthcheck-operator, api/v1alpha1.
"""

from __future__ import annotations

import copy
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.pause_record import (
    ANNOTATION,
    PAUSE_REQUESTS,
    PAUSED_BY_ANNOTATION,
    PausedField,
    PauseRecord,
)

Object = t.Mapping[str, t.Any]

REQUEST = "fieldops.openshift rolls the nodes of this cluster"
"""Our entry among the requests to pause a NodeHealthCheck."""


@dataclass(frozen=True)
class Change:
    """A merge patch of one object; ``left`` names fields that others changed during the pause and that stay."""

    found: Object
    patch: Mapping[str, t.Any]
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class Author:
    """Who pauses: for the record."""

    by: str
    at: str
    reason: str


def wanted_fields(found: Object, *, nodes: int, replicas: int | None) -> dict[tuple[str, ...], t.Any]:
    """Return the fields that hold ``found`` and their values; none where it cannot be held.

    ``nodes`` is how many nodes the cluster has, ``replicas`` the size of a MachineAutoscaler's target, None where that
    does not exist. Its maximum is at least one, so that an empty target is held by the ClusterAutoscaler alone.
    """
    if found["kind"] == "ClusterAutoscaler":
        return {("spec", "scaleDown", "enabled"): False, ("spec", "resourceLimits", "maxNodesTotal"): nodes}
    if found["kind"] == "MachineAutoscaler":
        if replicas is None:
            return {}
        return {("spec", "minReplicas"): replicas, ("spec", "maxReplicas"): max(1, replicas)}
    if found["kind"] == "NodeHealthCheck":
        return {PAUSE_REQUESTS: [*(_at(found, PAUSE_REQUESTS) or []), REQUEST]}
    return {("metadata", "annotations", PAUSED_BY_ANNOTATION): ""}


def pause(found: Object, author: Author, *, nodes: int, replicas: int | None) -> Change | None:
    """Return what pauses ``found`` and records it in the same write; None where it is paused by us or cannot be.

    What others have paused with the same fields is recorded as it was, and stays paused when we resume.
    """
    wanted = wanted_fields(found, nodes=nodes, replicas=replicas)
    if is_paused(found) or not wanted:
        return None
    fields = [_field(found, path, value) for path, value in wanted.items() if not _holds(found, path)]
    record = PauseRecord(author.by, author.at, author.reason, tuple(_merged(fields)))
    patch: dict[str, t.Any] = {"metadata": {"annotations": {ANNOTATION: record.as_text()}}}
    for one in record.fields:
        _put(patch, one.path, one.paused)
    return Change(found, patch)


def restore(found: Object) -> Change | None:
    """Return what brings ``found`` back to what it was and removes the record; None where we have not paused it.

    A field that is no longer as the pause left it was changed on purpose: it stays. Of requests to pause
    only our own goes.
    """
    record = PauseRecord.on(found)
    if record is None:
        return None
    patch: dict[str, t.Any] = {"metadata": {"annotations": {ANNOTATION: None}}}
    left = []
    for one in record.fields:
        if _at(found, one.path) == one.paused:
            _put(patch, one.path, one.was)
        elif one.path == PAUSE_REQUESTS:
            _put(patch, one.path, [request for request in _at(found, one.path) or [] if request != REQUEST] or None)
        elif _at(found, one.path) != one.was:
            left.append(".".join(one.path))
    return Change(found, patch, tuple(left))


def is_paused(found: Object) -> bool:
    """Whether ``found`` bears our record; raise PauseRecordError when that is damaged."""
    return PauseRecord.on(found) is not None


def described(found: Object) -> dict[str, t.Any]:
    """Return what modules report of an object: whether it is held, by whom, and what it will be again."""
    record = PauseRecord.on(found)
    held = record.fields if record else ()
    return {
        "kind": found["kind"],
        "namespace": found["metadata"].get("namespace"),
        "name": found["metadata"]["name"],
        "paused": record is not None,
        "by": record.by if record else "",
        "since": record.at if record else "",
        "reason": record.reason if record else "",
        "fields": [{"path": ".".join(one.path), "was": one.was, "paused": one.paused} for one in held],
    }


def _holds(found: Object, path: tuple[str, ...]) -> bool:
    """Whether another user's annotation holds it already; any value counts."""
    return path[-1] == PAUSED_BY_ANNOTATION and _at(found, path) is not None


def _field(found: Object, path: tuple[str, ...], value: t.Any) -> PausedField:
    """Return the change at the highest level that is missing, so that restoring takes away all that was added."""
    for depth in range(1, len(path)):
        if path[0] == "spec" and _at(found, path[:depth]) is None:
            nested: t.Any = value
            for part in reversed(path[depth:]):
                nested = {part: nested}
            return PausedField(path[:depth], None, nested)
    return PausedField(path, copy.deepcopy(_at(found, path)), value)


def _merged(fields: Sequence[PausedField]) -> list[PausedField]:
    """Return the fields with those of one path, both added below the same missing level, made into one."""
    by_path: dict[tuple[str, ...], PausedField] = {}
    for one in fields:
        other = by_path.get(one.path)
        paused = {**other.paused, **one.paused} if other else one.paused
        by_path[one.path] = PausedField(one.path, one.was, paused)
    return list(by_path.values())


def _at(found: Object, path: tuple[str, ...]) -> t.Any:
    value: t.Any = found
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _put(patch: dict[str, t.Any], path: tuple[str, ...], value: t.Any) -> None:
    for part in path[:-1]:
        patch = patch.setdefault(part, {})
    patch[path[-1]] = value
