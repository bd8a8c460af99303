# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A maintenance schedule: permitted windows without excluded dates.

Source: openshift/enhancements pull request 1571, "MaintenanceSchedule Strategy Configuration".
"""

from __future__ import annotations

from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.durations import (
    read_duration,
    read_time_of_day,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    DAY,
    read_date,
    write_date,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.recurrence import read_recurrence
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import EVERY_DAY, DateRule
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import (
    PERMISSIVE,
    SCHEDULE,
    Always,
    Excluding,
    Exclusion,
    Reason,
    Timeline,
    Windows,
    united,
)

_EMPTY_PERMIT = (
    "Omit permit for no windows, or set 'recurrence: null' in it for every date: tools drop empty mappings and "
    "the two would mean opposite things."
)


@dataclass(frozen=True)
class Permit:
    """The windows: ``start`` seconds after midnight UTC of each selected date, ``duration`` seconds long."""

    rule: DateRule = EVERY_DAY
    start: int = 0
    duration: int = DAY


@dataclass(frozen=True)
class MaintenanceSchedule:
    """What was read of a ``maintenanceSchedule``; without ``permit`` all time but the exclusions is meant."""

    permit: Permit | None = None
    exclusions: tuple[Exclusion, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing at all: it restricts."""
        return self.permit is None and not self.exclusions

    def timeline(self, name: str = "") -> Timeline:
        """Return its permission over time; ``name`` follows "the maintenance schedule" in reasons."""
        if self.permit is not None:
            base: Timeline = Windows(self.permit.rule, self.permit.start, self.permit.duration, name)
        else:
            base = Always(True, Reason(PERMISSIVE, f"the maintenance schedule{name} only excludes dates", SCHEDULE))
        return Excluding(base, self.exclusions) if self.exclusions else base


def read_maintenance_schedule(field: Field) -> MaintenanceSchedule:
    """Return the schedule in ``field``; raise PolicyError for one that breaks a rule of the schema."""
    permit, exclusions = field.parts(
        permit=lambda one: one.optional(read_permit),
        exclude=lambda one: one.each(read_exclusion) if one.value not in (None, []) else [],
    )
    return MaintenanceSchedule(permit, united(exclusions))


def read_permit(field: Field) -> Permit:
    """Return the windows of a ``permit``; raise PolicyError for an empty one, see _EMPTY_PERMIT."""
    if field.value == {}:
        raise field.broken("it is empty", _EMPTY_PERMIT)
    rule, begin, lasts = field.parts(
        recurrence=read_recurrence,
        startTime=lambda one: read_time_of_day(one.value, one.path) if one.is_set else 0,
        duration=lambda one: read_duration(one.value, one.path) if one.is_set else None,
    )
    return Permit(rule, begin, DAY - begin if lasts is None else lasts)


def read_exclusion(field: Field) -> Exclusion:
    """Return one entry of ``exclude``: from a date to before another one, or that one date."""
    start, end, reason = field.parts(
        fromDate=lambda one: read_date(one.require().value, one.path),
        untilDate=lambda one: read_date(one.value, one.path) if one.is_set else None,
        reason=lambda one: one.optional(Field.text),
    )
    until = start + 1 if end is None else end
    if until <= start:
        seen = f"{write_date(until)} is not after {write_date(start)}"
        raise PolicyError(f"{field.path}.untilDate", seen, "Set untilDate to the first date after the exclusion.")
    return Exclusion(start * DAY, until * DAY, reason or "")
