# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What was judged, in the shape that modules return."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import transitions_before
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import write_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.outlook import NEVER_OPENS
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policies import (
    policy_timeline,
    read_policy,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import (
    POOL,
    is_begun,
    pending_on,
    pool_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import (
    Governance,
    Judged,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import reference_of
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import FAULT, Span, Timeline
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import NEVER_OPENS as NEVER
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState

KEPT_TRANSITIONS = 5
PAUSED, UNPAUSED = "ChangesPaused", "ChangesUnpaused"

Fields = dict[str, t.Any]


def resource_report(judged: Judged, changes: Iterable[Mapping[str, t.Any]], warnings: Iterable[str]) -> Fields:
    """Return one resource with its state; ``changes`` are the last ones of its assignment."""
    name, waiting = judged.resource.name, judged.waiting_until
    return {
        "kind": name.kind,
        "name": name.name,
        "namespace": name.namespace,
        "system": name.system,
        **judged.state.as_data(),
        "pending": judged.resource.pending,
        "pending_reason": judged.resource.pending_reason,
        "pending_since": judged.resource.pending_since,
        "waiting_until": write_instant(waiting) if waiting is not None else "",
        "begun": judged.resource.begun,
        "governed": judged.governed.binding,
        "stanza": judged.governed.stanza,
        "overrides": [one.as_data() for one in judged.governed.overrides],
        "changes": [dict(change) for change in changes],
        "warnings": list(warnings),
    }


def node_reports(nodes: Iterable[NodeState], judged: Iterable[Judged]) -> list[Fields]:
    """Return each node with the answer of its pool and which change is pending on it.

    What was started on a node continues even if the pool is restricted; a node in no pool is governed by nothing.
    """
    pools = {one.resource.name.name: one for one in judged if one.resource.name.kind == POOL}
    reports = []
    for node in nodes:
        pool = pools.get(pool_of(node, pools))
        target = pool.resource.target if pool else ""
        reason = pending_on(node, target)
        reports.append(
            {
                "name": node.name,
                "pool": pool.resource.name.name if pool else "",
                "permitted": pool.state.permitted if pool else True,
                "pending": bool(reason),
                "pending_reason": reason,
                "begun": bool(reason) and is_begun(node, target),
            }
        )
    return reports


def policy_reports(governance: Governance, judged: Iterable[Judged], now: int) -> list[Fields]:
    """Return each policy with its faults, its status and the resources that refer to it."""
    users: dict[str, list[str]] = {}
    for one in judged:
        reference = reference_of(one.governed.stanza)
        if reference:
            users.setdefault(reference, []).append(one.resource.name.title)
    return [_policy_report(governance, name, users.get(name, []), now) for name in sorted(governance.by_name)]


def _policy_report(governance: Governance, name: str, used_by: list[str], now: int) -> Fields:
    document = governance.by_name[name]
    given = name in governance.given.policies
    errors: list[dict[str, str]] = []
    try:
        read_policy(Field(f"policy {name}", document))
    except PolicyError as error:
        errors = error.findings()
    timeline = policy_timeline(governance.by_name, name)
    span = timeline.at(now)
    never = not span.permitted and span.until is None and span.outlook == NEVER
    return {
        "name": name,
        "spec": document.get("spec", document) if isinstance(document, Mapping) else None,
        "valid": not errors,
        "errors": errors,
        "warnings": [NEVER_OPENS] if never else [],
        "used_by": used_by,
        "status": policy_status(timeline, now),
        "changes": [] if given else list(governance.policies.documents.get(name, {}).get("changes") or ()),
    }


def policy_status(timeline: Timeline, now: int) -> Fields:
    """Return the status that a policy with this timeline would have in the API at ``now``: it follows from both.

    Source of the fields: openshift/enhancements pull request 1571, "ChangeManagementPolicy Resource".
    """
    span = timeline.at(now)
    reason = timeline.why(now)
    past = transitions_before(timeline, now, KEPT_TRANSITIONS + 1)
    begun = past[-1][0] if past else None
    ready = not (span.until is None and span.outlook == FAULT and not span.permitted)
    conditions = [
        _condition("Ready", ready, "AsExpected" if ready else reason.code, "" if ready else reason.text),
        _condition("ChangesRestricted", not span.permitted, reason.strategy, reason.text),
    ]
    following = None
    if span.until is not None:
        later = timeline.at(span.until)
        following = {**_stretch(later, span.until), "reason": timeline.why(span.until).text}
    history = [_ended(timeline, start, stretch) for start, stretch in past[:-1]]
    current = {**_stretch(span, begun), "reason": reason.text}
    return {"behavior": {"current": current, "next": following, "history": history}, "conditions": conditions}


def _ended(timeline: Timeline, start: int, span: Span) -> Fields:
    return {"strategy": timeline.why(start).strategy, **_stretch(span, start)}


def _stretch(span: Span, start: int | None) -> Fields:
    return {
        "state": UNPAUSED if span.permitted else PAUSED,
        "startTime": None if start is None else write_instant(start),
        "endTime": None if span.until is None else write_instant(span.until),
    }


def _condition(name: str, holds: bool, reason: str, message: str) -> Fields:
    return {"type": name, "status": "True" if holds else "False", "reason": reason, "message": message}
