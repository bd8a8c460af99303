# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The days of a year that a rule selects, as far as they depend on nothing but the kind of year.

There are 14 kinds: a year has 365 or 366 days and starts on one of seven weekdays. What a rule selects in a kind is
worked out once; intervals are left to the caller.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.date_rules import MONTHLY, WEEKLY, YEARLY

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.date_rules import DateRule

Pattern = tuple[int, ...]
"""Days of the year in order; 1 January is 0."""

_LENGTHS = ((31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31), (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31))


def year_pattern(rule: DateRule, leap: bool, first_weekday: int) -> Pattern:
    """Return the days that ``rule`` selects in a year of this kind, its interval aside."""
    if rule.frequency == WEEKLY:
        return _of_weeks(rule, leap, first_weekday)
    ordinals_of_year = rule.frequency == YEARLY and not rule.months
    if ordinals_of_year and any(ordinal for ordinal, _weekday in rule.weekdays):
        months = [_of_year(rule, leap, first_weekday)]
    else:
        months = [days for _month, days in _by_month(rule, leap, first_weekday)]
    if not rule.positions:
        return tuple(day for days in months for day in days)
    if rule.frequency == MONTHLY:
        return tuple(day for days in months for day in _at_positions(days, rule.positions))
    whole = [day for days in months for day in days]
    if rule.frequency == YEARLY:
        return tuple(_at_positions(whole, rule.positions))
    return tuple(day for day in whole if _at_positions([day], rule.positions))


def _by_month(rule: DateRule, leap: bool, first_weekday: int) -> Iterable[tuple[int, list[int]]]:
    start = 0
    for month, length in enumerate(_LENGTHS[leap], 1):
        if not rule.months or month in rule.months:
            days = _of_month(rule, length, (first_weekday + start) % 7)
            yield month, [start + day for day in days]
        start += length


def _of_month(rule: DateRule, length: int, first_weekday: int) -> Sequence[int]:
    """Return the selected days of one month, 0 being its first."""
    if not rule.weekdays:
        return sorted(_month_days(rule, length)) if rule.month_days else range(length)
    chosen = {day for entry in rule.weekdays for day in _occurrences(entry, length, first_weekday)}
    return sorted(chosen & _month_days(rule, length) if rule.month_days else chosen)


def _of_year(rule: DateRule, leap: bool, first_weekday: int) -> list[int]:
    """Return the days of a year by ordinals that count within the year, such as the 20th Monday."""
    length = sum(_LENGTHS[leap])
    chosen = {day for entry in rule.weekdays for day in _occurrences(entry, length, first_weekday)}
    if rule.month_days:
        start = 0
        allowed: set[int] = set()
        for days in _LENGTHS[leap]:
            allowed.update(start + day for day in _month_days(rule, days))
            start += days
        chosen &= allowed
    return sorted(chosen)


def _of_weeks(rule: DateRule, leap: bool, first_weekday: int) -> Pattern:
    """Return the days of a year by whole weeks; those over its edges have days in December before or January after."""
    length = sum(_LENGTHS[leap])
    month_of = [month for month, days in enumerate(_LENGTHS[leap], 1) for _day in range(days)]
    wanted = {weekday for _ordinal, weekday in rule.weekdays}
    chosen: list[int] = []
    begin = -((first_weekday - rule.week_start) % 7)
    for first in range(begin, length, 7):
        days = [
            day
            for day in range(first, first + 7)
            if (first_weekday + day) % 7 in wanted
            and (not rule.months or (month_of[day] if 0 <= day < length else 12 if day < 0 else 1) in rule.months)
        ]
        picked = _at_positions(days, rule.positions) if rule.positions else days
        chosen.extend(day for day in picked if 0 <= day < length)
    return tuple(chosen)


def _month_days(rule: DateRule, length: int) -> set[int]:
    days = (day - 1 if day > 0 else length + day for day in rule.month_days)
    return {day for day in days if 0 <= day < length}


def _occurrences(entry: tuple[int, int], length: int, first_weekday: int) -> Sequence[int]:
    """Return where a weekday falls in a span of days, all of them or the one that its ordinal counts."""
    ordinal, weekday = entry
    every = range((weekday - first_weekday) % 7, length, 7)
    if not ordinal:
        return every
    position = ordinal - 1 if ordinal > 0 else len(every) + ordinal
    return every[position : position + 1] if 0 <= position < len(every) else ()


def _at_positions(days: Sequence[int], positions: Iterable[int]) -> list[int]:
    places = {position - 1 if position > 0 else len(days) + position for position in positions}
    return [days[place] for place in sorted(places) if 0 <= place < len(days)]
