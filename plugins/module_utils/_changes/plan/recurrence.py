# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The structured recurrence of the enhancement's latest text: a union of daily, weekly, monthly and yearly rules.

Source: openshift/enhancements pull request 1571, "MaintenanceSchedule Strategy Configuration". All its bounds are
strict: a daily interval is less than 731, a weekly one less than 27, a monthly one less than 12.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import (
    DAILY,
    EVERY_DAY,
    MONTHLY,
    WEEKLY,
    YEARLY,
    DateRule,
)

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
ORDINALS = {"First": 1, "Second": 2, "Third": 3, "Fourth": 4, "Fifth": 5, "Last": -1}
FREQUENCIES = {"Daily": "daily", "Weekly": "weekly", "Monthly": "monthly", "Yearly": "yearly"}


def read_recurrence(field: Field) -> DateRule:
    """Return the rule of a recurrence, or null for every date."""
    if not field.is_set:
        return EVERY_DAY
    members = field.mapping("frequency", *FREQUENCIES.values())
    frequency = members["frequency"].require().one_of(FREQUENCIES)
    chosen = _only(members, FREQUENCIES[frequency], FREQUENCIES.values(), f"frequency is {frequency}")
    return _READERS[frequency](chosen)


def _only(members: Mapping[str, Field], wanted: str, union: t.Iterable[str], because: str) -> Field:
    """Return the one member of a union that its discriminant asks for; raise PolicyError when another is there."""
    for name in union:
        if name != wanted and members[name].is_set:
            raise members[name].broken(f"it is set, but {because}", f"Set only {wanted} with it.")
    return members[wanted].require()


def _daily(field: Field) -> DateRule:
    return DateRule(DAILY, interval=field.mapping("interval")["interval"].require().number(1, 730))


def _weekly(field: Field) -> DateRule:
    members = field.mapping("daysOfWeek", "interval")
    days = [(0, WEEKDAYS.index(day.one_of(WEEKDAYS))) for day in members["daysOfWeek"].require().entries()]
    return DateRule(WEEKLY, interval=members["interval"].require().number(1, 26), weekdays=_ordered(days))


def _monthly(field: Field) -> DateRule:
    rule = _by_day_or_date(field, "interval")
    interval = rule["interval"].require().number(1, 11)
    return DateRule(MONTHLY, interval=interval, month_days=_dates(rule), weekdays=_days(rule))


def _yearly(field: Field) -> DateRule:
    rule = _by_day_or_date(field, "month")
    month = MONTHS.index(rule["month"].require().one_of(MONTHS)) + 1
    return DateRule(YEARLY, month=month, month_days=_dates(rule), weekdays=_days(rule))


def _by_day_or_date(field: Field, other: str) -> dict[str, Field]:
    """Return the members of the inner union: either ``days`` or ``datesOfMonth``, and ``other``."""
    members = field.mapping("by", "day", "date")
    by = members["by"].require().one_of(("Day", "Date"))
    chosen = _only(members, by.lower(), ("day", "date"), f"by is {by}")
    return chosen.mapping("days" if by == "Day" else "datesOfMonth", other)


def _dates(rule: Mapping[str, Field]) -> tuple[int, ...]:
    if "datesOfMonth" not in rule:
        return ()
    return tuple(sorted({entry.number(1, 31) for entry in rule["datesOfMonth"].require().entries()}))


def _days(rule: Mapping[str, Field]) -> tuple[tuple[int, int], ...]:
    if "days" not in rule:
        return ()
    chosen = []
    for entry in rule["days"].require().entries():
        members = entry.mapping("weekOfMonth", "dayOfWeek")
        ordinal = ORDINALS[members["weekOfMonth"].require().one_of(ORDINALS)]
        chosen.append((ordinal, WEEKDAYS.index(members["dayOfWeek"].require().one_of(WEEKDAYS))))
    return _ordered(chosen)


def _ordered(days: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(set(days)))


_READERS = {"Daily": _daily, "Weekly": _weekly, "Monthly": _monthly, "Yearly": _yearly}
