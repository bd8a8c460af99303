# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A maintenance schedule as the RRULE of a job template's schedule, so that a job starts when a window opens.

The guard in front of each change still decides: a schedule of jobs knows no excluded dates and no end of a window.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import DAY
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.maintenance_schedules import (
    Permit,
    read_maintenance_schedule,
    read_permit,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policies import read_policy
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.recurrence import read_recurrence
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import (
    WEEKLY,
    YEARLY,
    DateRule,
    selected_dates,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.validation import part_of

_RULE = "Specify a policy with a maintenance schedule that has a permit, or such a schedule, permit or recurrence."
_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def job_schedule(document: object, now: int) -> str:
    """Return ``DTSTART:... RRULE:...`` for the windows of ``document`` from ``now`` on, as AWX takes it.

    Raise PolicyError for a document that breaks a rule, has no windows, or whose windows never open.
    """
    field = Field("policy", document)
    permit = _permit(field)
    day = selected_dates(permit.rule).next_from(-((permit.start - now) // DAY))
    if day is None:
        raise field.broken("its windows never open", _RULE)
    first = datetime.fromtimestamp(day * DAY + permit.start, timezone.utc)
    return " ".join([f"DTSTART:{first:%Y%m%dT%H%M%SZ}", *_rrules(permit.rule)])


def job_schedules(policies: Mapping[str, object], now: int) -> dict[str, str]:
    """Return the job schedule of each policy that has windows, by its name."""
    return {name: job_schedule(policy, now) for name, policy in policies.items() if _has_windows(Field(name, policy))}


def _has_windows(field: Field) -> bool:
    schedule = read_policy(field).schedule
    return schedule is not None and schedule.permit is not None


def _rrules(rule: DateRule) -> list[str]:
    """Return RRULE strings that together select what ``rule`` selects.

    AWX takes neither an ordinal in BYDAY nor several values of BYMONTHDAY, so that one rule may become several
    (awx/api/serializers.py, validate_rrule).
    """
    head = f"RRULE:FREQ={rule.frequency};INTERVAL={rule.interval}"
    if rule.frequency == YEARLY:
        head += f";BYMONTH={rule.month}"
    if rule.frequency == WEEKLY:
        return [f"{head};BYDAY={','.join(_CODES[weekday] for _ordinal, weekday in rule.weekdays)}"]
    dates = [f"{head};BYMONTHDAY={day}" for day in rule.month_days]
    days = [f"{head};BYDAY={_CODES[weekday]};BYSETPOS={ordinal}" for ordinal, weekday in rule.weekdays]
    return [*dates, *days] or [head]


def _permit(field: Field) -> Permit:
    part = part_of(field.value)
    if part == "recurrence":
        return Permit(read_recurrence(field))
    if part == "permit":
        return read_permit(field)
    if part == "stanza":
        raise field.broken("it is a stanza", _RULE)
    schedule = read_maintenance_schedule(field) if part == "schedule" else read_policy(field).schedule
    if schedule is None or schedule.permit is None:
        raise field.broken("it has no windows", _RULE)
    return schedule.permit
