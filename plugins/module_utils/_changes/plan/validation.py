# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is wrong with a document about change management, whichever of its parts it is."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.maintenance_schedules import (
    MaintenanceSchedule,
    Permit,
    read_maintenance_schedule,
    read_permit,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.outlook import HOUR, outlook
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policies import (
    STRATEGIES,
    Policy,
    read_policy,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.recurrence import read_recurrence
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import (
    FIELDS,
    RESOURCE_KINDS,
    read_stanza,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import (
    STRATEGIES as STANZA_STRATEGIES,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import SCHEDULE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate

_OF_STANZAS_ALONE = tuple(one for one in STANZA_STRATEGIES if one not in STRATEGIES)
_PERMIT_FIELDS = frozenset(("recurrence", "startTime", "duration"))


@dataclass(frozen=True)
class Validation:
    """``errors`` name field, what was seen and the rule; ``warnings`` are valid and yet hardly meant."""

    part: str
    errors: tuple[dict[str, str], ...] = ()
    warnings: tuple[str, ...] = ()

    def as_data(self) -> dict[str, t.Any]:
        """Return the judgement as the filter shows it."""
        return {
            "valid": not self.errors,
            "part": self.part,
            "errors": [dict(error) for error in self.errors],
            "warnings": list(self.warnings),
        }


def validate(document: object, now: int = 0) -> Validation:
    """Judge a policy, a stanza, a resource with one, a maintenance schedule or a permit, distinguished by their fields.

    ``now`` is from when on windows are looked at.
    """
    part = part_of(document)
    path, read = _PARTS[part]
    try:
        policy = read(Field(path, document))
    except PolicyError as error:
        return Validation(part, errors=tuple(error.findings()))
    found = outlook(policy, now, Estimate()) if policy else None
    return Validation(part, warnings=found.warnings if found else ())


def part_of(document: object) -> str:
    """Return what ``document`` is meant to be: policy, stanza, schedule, permit or recurrence."""
    if not isinstance(document, Mapping):
        return "policy"
    keys = set(document)
    if document.get("kind") in RESOURCE_KINDS or "changeManagement" in keys or keys & set(FIELDS[1:]):
        return "stanza"
    if document.get("strategy") in _OF_STANZAS_ALONE:
        return "stanza"
    if document.get("strategy") in STRATEGIES:
        return "policy"
    if keys & _PERMIT_FIELDS:
        return "permit"
    if keys & {"permit", "exclude"}:
        return "schedule"
    if "frequency" in keys:
        return "recurrence"
    return "policy"


def _stanza(field: Field) -> None:
    # Which policies exist is no matter of the stanza; any reference is taken for one that is there.
    read_stanza(field, {})


def _scheduled(permit: Permit) -> Policy:
    return Policy(SCHEDULE, MaintenanceSchedule(permit))


_PARTS: dict[str, tuple[str, Callable[[Field], Policy | None]]] = {
    "policy": ("policy", read_policy),
    "stanza": ("changeManagement", _stanza),
    "schedule": ("maintenanceSchedule", lambda field: Policy(SCHEDULE, read_maintenance_schedule(field))),
    "permit": ("permit", lambda field: _scheduled(read_permit(field))),
    "recurrence": ("recurrence", lambda field: _scheduled(Permit(read_recurrence(field), 0, HOUR))),
}
"""Where each part stands, and what reads it as a policy whose windows can be looked at; stanzas have none."""
