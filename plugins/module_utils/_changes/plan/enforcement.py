# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How change management binds all clients: pauses of pools and hosted resources, and the state that admission reads.

A paused pool is rendered and not rolled out by the machine-config operator. HyperShift reconciles neither a
HostedCluster nor a NodePool while its ``pausedUntil`` holds "true" or an instant to come. What nothing governs is never
touched.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import windows_from
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.config_targets import (
    Stretch,
    common_windows,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import write_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import (
    CLUSTER_VERSION,
    ENFORCED,
    PAUSED_BY,
    PAUSED_BY_US,
    POOL,
    Resource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import Judged
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pause_record import (
    PAUSE_ANNOTATION,
    PauseRecord,
)

STATE = "change-state"
"""ConfigMap with what is permitted until when, the parameter of the admission policies."""

ADMISSION = "fieldops-openshift-change-enforcement"
"""The admission policy in extensions/rbac/change-enforcement.yml."""

PUBLISHED, EXPIRES = "published", "expires"
GOVERNED, PAUSED = "governed", "paused"
"""Values of the mark on what is enforced: governed, and for a pool also that we have paused it; it was open before."""

FOR_EVER = "true"

Patch = dict[str, t.Any]


@dataclass(frozen=True)
class Enforced:
    """What becomes of one resource: the ``patch`` that brings it about, None for none, and whether it is paused then.

    ``kept`` says whose pause it is where that is not ours to take away.
    """

    paused: bool
    patch: Patch | None = None
    kept: str = ""


def enforced(judged: Judged, by: str, *, update_begun: bool = False) -> Enforced:
    """Return what to do to a resource so that its state binds all clients; ``by`` is who does it.

    While an update of the release is in progress (``update_begun``) the master pool continues until its end.
    """
    kind = judged.resource.name.kind
    if kind == CLUSTER_VERSION:
        return Enforced(False, _marked(judged, GOVERNED if judged.governed.binding else None))
    return _pool(judged, by, update_begun=update_begun) if kind == POOL else _hosted(judged)


def published(judged: Iterable[Judged], now: int, expires: int) -> dict[str, str]:
    """Return the data of ConfigMap STATE: for each governed resource when change is permitted until it expires.

    Beyond ``expires``, and before it was published, nothing governed is open: a publisher that is dead closes.
    """
    governed = [(one.resource, _windows(one, now, expires)) for one in judged if one.governed.binding]
    configs = common_windows(
        (resource.configs, windows) for resource, windows in governed if resource.name.kind == POOL
    )
    windows = {**{resource.name.key: windows for resource, windows in governed}, **configs}
    moments = {PUBLISHED: write_instant(now), EXPIRES: write_instant(expires)}
    return {**moments, **{key: _written(one) for key, one in windows.items()}}


def binding_of(resource: Resource, patch: Patch | None) -> dict[str, t.Any]:
    """Return what of change management binds a resource once ``patch`` is applied: its mark and its pause."""
    patch = patch or {}
    mark = patch.get("metadata", {}).get("labels", {}).get(ENFORCED, resource.enforced)
    until = patch.get("spec", {}).get("pausedUntil", resource.paused_until)
    paused = patch.get("spec", {}).get("paused", resource.paused)
    return {"enforced": mark or "", "paused": bool(paused or until), "paused_until": until or ""}


def _windows(judged: Judged, now: int, expires: int) -> list[Stretch]:
    open_ones = takewhile(lambda one: one.start < expires, windows_from(judged.governed.timeline, now))
    return [(one.start, expires if one.end is None else min(one.end, expires)) for one in open_ones]


def _written(windows: Iterable[Stretch]) -> str:
    return " ".join(f"{write_instant(start)}/{write_instant(end)}" for start, end in windows)


def _pool(judged: Judged, by: str, *, update_begun: bool) -> Enforced:
    resource, state = judged.resource, judged.state
    held = resource.pause is not None and resource.pause.rollout != "" and resource.pause.paused == resource.paused
    governed = judged.governed.binding
    mark = GOVERNED if governed else None
    if governed and not state.permitted and not update_begun:
        if resource.paused:
            ours = resource.enforced == PAUSED
            return Enforced(True, None if ours else _marked(judged, mark), "" if ours else _whose(judged))
        record = PauseRecord(True, write_instant(state.instant), by, reason=f"change management: {state.sentence}")
        return Enforced(True, _patch(PAUSED, record, paused=True))
    if resource.enforced == PAUSED and resource.paused and not held:
        return Enforced(False, _patch(mark, None, paused=False))
    if resource.enforced == PAUSED and held:
        # The rollout gives the pool back as it has found it, paused; it is opened then.
        return Enforced(resource.paused, None, _whose(judged))
    return Enforced(resource.paused, _marked(judged, mark), _whose(judged) if resource.paused else "")


def _whose(judged: Judged) -> str:
    record = judged.resource.pause
    known = record is not None and record.paused == judged.resource.paused
    return record.words if record is not None and known else "paused by others"


def _marked(judged: Judged, mark: str | None) -> Patch | None:
    return None if (judged.resource.enforced or None) == mark else _patch(mark)


def _patch(mark: str | None, record: PauseRecord | None = None, *, paused: bool | None = None) -> Patch:
    labels = {ENFORCED: mark}
    if paused is None:
        return {"metadata": {"labels": labels}}
    notes = {PAUSE_ANNOTATION: record.as_text() if record else None}
    return {"metadata": {"labels": labels, "annotations": notes}, "spec": {"paused": paused}}


def _hosted(judged: Judged) -> Enforced:
    resource, state = judged.resource, judged.state
    if resource.paused_until and resource.paused_by != PAUSED_BY_US:
        return Enforced(True, kept="paused by others")
    wanted = ""
    if judged.governed.binding and not state.permitted:
        wanted = FOR_EVER if state.next_transition is None else write_instant(state.next_transition)
    if wanted == resource.paused_until:
        return Enforced(bool(wanted))
    notes = {PAUSED_BY: PAUSED_BY_US if wanted else None}
    return Enforced(bool(wanted), {"metadata": {"annotations": notes}, "spec": {"pausedUntil": wanted or None}})
