# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A maintenance schedule as the RRULE of a job template's schedule, so that a job starts when a window opens.

The guard in front of each change still decides: a schedule of jobs knows no excluded dates and no end of a window.
"""

from __future__ import annotations

from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.date_rules import WEEKLY
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import DAY, EPOCH_WEEKDAY
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.maintenance_schedules import (
    Permit,
    read_maintenance_schedule,
    read_permit,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policies import read_policy
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.recurrence import read_recurrence
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.rrule import write_rrule
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import selected_dates
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.validation import part_of

_RULE = "Give a policy with a maintenance schedule that has a permit, or such a schedule, permit or recurrence."


def job_schedule(document: object, now: int) -> str:
    """Return ``DTSTART:... RRULE:...`` for the windows of ``document`` from ``now`` on, as AWX takes it.

    Several rules stand side by side where AWX cannot say it in one. Raise PolicyError for a document that breaks a
    rule, has no windows, or whose windows never open.
    """
    field = Field("policy", document)
    permit = _permit(field)
    day = selected_dates(permit.rule).next_from(-((permit.start - now) // DAY))
    if day is None:
        raise field.broken("its windows never open", _RULE)
    if permit.rule.frequency == WEEKLY and permit.rule.positions:
        # The library behind AWX counts positions from DTSTART on, so that the first week has to be whole.
        day -= (day + EPOCH_WEEKDAY - permit.rule.week_start) % 7
    first = datetime.fromtimestamp(day * DAY + permit.start, timezone.utc)
    return " ".join([f"DTSTART:{first:%Y%m%dT%H%M%SZ}", *write_rrule(permit.rule)])


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
