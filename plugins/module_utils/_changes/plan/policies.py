# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Change management policies: what they say, and whether they can be relied on.

Source: openshift/enhancements pull request 1571, "ChangeManagementPolicy Resource". The cluster-scoped kind and the
namespaced HostedChangeManagementPolicy mean the same.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.maintenance_schedules import (
    MaintenanceSchedule,
    read_maintenance_schedule,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import (
    FAULT,
    PERMISSIVE,
    RESTRICTIVE,
    SCHEDULE,
    Always,
    Reason,
    Timeline,
)

KINDS = ("ChangeManagementPolicy", "HostedChangeManagementPolicy")
STRATEGIES = (PERMISSIVE, RESTRICTIVE, SCHEDULE)


@dataclass(frozen=True)
class Policy:
    """A valid policy; one that is not ``ready`` restricts nevertheless."""

    strategy: str
    schedule: MaintenanceSchedule | None = None
    ready: bool = True

    def timeline(self, name: str) -> Timeline:
        """Return its permission over time; ``name`` is how reasons call it."""
        if not self.ready:
            return fault("PolicyNotReady", f"policy {name} is not ready")
        if self.strategy == PERMISSIVE:
            return Always(True, Reason(PERMISSIVE, f"policy {name} is permissive", PERMISSIVE))
        if self.strategy == RESTRICTIVE:
            return Always(False, Reason(RESTRICTIVE, f"policy {name} is restrictive", RESTRICTIVE))
        if self.schedule is None or self.schedule.is_empty:
            return Always(False, Reason(RESTRICTIVE, f"policy {name} has no maintenance schedule", SCHEDULE))
        return self.schedule.timeline(f" of policy {name}")


def fault(code: str, text: str) -> Timeline:
    """Return the restriction that stands for a document that cannot be relied on."""
    return Always(False, Reason(code, text, RESTRICTIVE), FAULT)


def read_policy(field: Field) -> Policy:
    """Return the policy in ``field``: an API object, ``spec`` with ``ready``, or the content of ``spec`` alone."""
    if not isinstance(field.value, Mapping) or "strategy" in field.value:
        return read_policy_spec(field)
    *_others, policy = field.parts(
        **dict.fromkeys(("apiVersion", "metadata", "status", "ready"), lambda _any: None),
        kind=lambda kind: kind.optional(lambda one: one.one_of(KINDS)),
        spec=lambda spec: read_policy_spec(spec.require()),
    )
    return Policy(policy.strategy, policy.schedule, _is_ready(field.value))


def read_policy_spec(field: Field) -> Policy:
    """Return what the ``spec`` of a policy says."""
    strategy, schedule = field.parts(
        strategy=lambda one: one.require().one_of(STRATEGIES),
        maintenanceSchedule=lambda one: one.optional(read_maintenance_schedule),
    )
    return Policy(strategy, schedule)


def policy_timeline(policies: object, name: str) -> Timeline:
    """Return what the policy called ``name`` permits; one that is missing or breaks a rule restricts.

    ``policies`` is a mapping by name, or a list of API objects.
    """
    found = policies.get(name) if isinstance(policies, Mapping) else _listed(policies, name)
    if found is None:
        return fault("PolicyMissing", f"there is no policy {name}")
    try:
        return read_policy(Field(f"policy {name}", found)).timeline(name)
    except PolicyError as error:
        return fault("InvalidPolicy", f"{error.on}: {error.seen}. {error.advice.rstrip('.')}")


def _listed(policies: object, name: str) -> object | None:
    entries = policies if isinstance(policies, Sequence) and not isinstance(policies, (str, bytes)) else ()
    held = [(entry, entry.get("metadata")) for entry in entries if isinstance(entry, Mapping)]
    named = [entry for entry, metadata in held if isinstance(metadata, Mapping) and metadata.get("name") == name]
    # Two objects of one name leave open which is meant, and nothing may fail open.
    return named[0] if len(named) == 1 else None


def _is_ready(raw: Mapping[str, t.Any]) -> bool:
    """Return whether ``ready`` and the condition Ready, each where it is there, both say so."""
    if "ready" in raw and raw["ready"] is not True:
        return False
    status = raw.get("status")
    conditions = status.get("conditions") if isinstance(status, Mapping) else None
    if not conditions:
        return True
    stated = [
        entry.get("status") for entry in conditions if isinstance(entry, Mapping) and entry.get("type") == "Ready"
    ]
    return stated == ["True"]
