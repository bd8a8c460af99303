# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The structured recurrence of the enhancement's latest text: a union of daily, weekly, monthly and yearly rules.

Source: openshift/enhancements pull request 1571, "MaintenanceSchedule Strategy Configuration". All its bounds are
strict: a daily interval is less than 731, a weekly one less than 27, a monthly one less than 12.
"""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import (
    DAILY,
    EVERY_DAY,
    MONTHLY,
    WEEKLY,
    YEARLY,
    DateRule,
)

Days = tuple[tuple[int, int], ...]

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
    days, interval = field.parts(
        daysOfWeek=lambda one: one.each(lambda day: (0, WEEKDAYS.index(day.one_of(WEEKDAYS)))),
        interval=lambda one: one.require().number(1, 26),
    )
    return DateRule(WEEKLY, interval=interval, weekdays=_ordered(days))


def _monthly(field: Field) -> DateRule:
    dates, days, interval = _by_day_or_date(field, interval=lambda one: one.require().number(1, 11))
    return DateRule(MONTHLY, interval=interval, month_days=dates, weekdays=days)


def _yearly(field: Field) -> DateRule:
    dates, days, month = _by_day_or_date(field, month=lambda one: MONTHS.index(one.require().one_of(MONTHS)) + 1)
    return DateRule(YEARLY, month=month, month_days=dates, weekdays=days)


def _by_day_or_date(field: Field, **other: Callable[[Field], int]) -> tuple[tuple[int, ...], Days, int]:
    """Return the dates and the days of the inner union, one of them empty, and the result of ``other``."""
    members = field.mapping("by", "day", "date")
    by = members["by"].require().one_of(("Day", "Date"))
    chosen = _only(members, by.lower(), ("day", "date"), f"by is {by}")
    if by == "Day":
        days, value = chosen.parts(days=lambda one: _ordered(one.each(_day)), **other)
        return (), days, value
    dates, value = chosen.parts(
        datesOfMonth=lambda one: tuple(sorted(set(one.each(lambda date: date.number(1, 31))))), **other
    )
    return dates, (), value


def _day(field: Field) -> tuple[int, int]:
    ordinal, weekday = field.parts(
        weekOfMonth=lambda one: ORDINALS[one.require().one_of(ORDINALS)],
        dayOfWeek=lambda one: WEEKDAYS.index(one.require().one_of(WEEKDAYS)),
    )
    return ordinal, weekday


def _ordered(days: list[tuple[int, int]]) -> Days:
    return tuple(sorted(set(days)))


_READERS = {"Daily": _daily, "Weekly": _weekly, "Monthly": _monthly, "Yearly": _yearly}
