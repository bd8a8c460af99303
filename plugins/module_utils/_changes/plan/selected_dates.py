# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The dates that a rule selects, found by arithmetic: the next one, the previous one, whether there is one at all.

Days and weeks are counted from 1970-01-01. Everything else repeats with the Gregorian calendar every 400 years, which
are 146097 days, 20871 weeks and 4800 months.
"""

from __future__ import annotations

import typing as t
from bisect import bisect_left, bisect_right
from calendar import isleap
from datetime import date
from functools import lru_cache
from math import gcd

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.date_rules import (
    DAILY,
    MONTHLY,
    WEEKLY,
    DateRule,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    EPOCH_ORDINAL,
    EPOCH_WEEKDAY,
    LAST_DAY,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.year_patterns import (
    Pattern,
    year_pattern,
)

if t.TYPE_CHECKING:
    from collections.abc import Iterator

FIRST_YEAR, LAST_YEAR, CYCLE_YEARS = 1970, date.max.year, 400
_CYCLE = {DAILY: 146097, WEEKLY: 20871, MONTHLY: 4800}
_PATIENCE_YEARS = 9
"""So long the next date is looked for before it is proved that there is one: Feb 29 may be eight years away."""


class SelectedDates:
    """All dates of one rule as days since 1970-01-01, none before that day."""

    def __init__(self, rule: DateRule) -> None:
        self.rule = rule
        self._patterns: dict[tuple[bool, int], Pattern] = {}
        self._ever: bool | None = None
        self._longest_gap: int | None = None
        # Weekdays as places within a week that begins on the rule's own first day.
        self._places = sorted({(weekday - rule.week_start) % 7 for _ordinal, weekday in rule.weekdays})
        self._week_offset = (EPOCH_WEEKDAY - rule.week_start) % 7

    def next_from(self, day: int) -> int | None:
        """Return the first selected day at or after ``day``; None when there is none before the year 10000."""
        day = max(day, 0)
        if self.rule.counts_days_alone:
            found: int | None = day + -day % self.rule.interval
        elif self.rule.counts_weeks_alone:
            found = self._next_in_weeks(day)
        else:
            found = self._next_in_years(day)
        return found if found is not None and found <= LAST_DAY else None

    def last_until(self, day: int) -> int | None:
        """Return the last selected day at or before ``day``; None when there is none since 1970."""
        day = min(day, LAST_DAY)
        if day < 0:
            return None
        if self.rule.counts_days_alone:
            return day - day % self.rule.interval
        if self.rule.counts_weeks_alone:
            return self._last_in_weeks(day)
        for year in range(_year_of(day), FIRST_YEAR - 1, -1):
            pattern, start = self._pattern_of(year)
            for place in range(bisect_right(pattern, day - start) - 1, -1, -1):
                if self._counts(start + pattern[place], year):
                    return start + pattern[place]
        return None

    @property
    def ever(self) -> bool:
        """Whether there is any selected date: the proof over the whole calendar, worked out once."""
        if self._ever is None:
            alone = self.rule.counts_days_alone or self.rule.counts_weeks_alone
            self._ever = alone or self._occurs_in_cycle()
        return self._ever

    @property
    def longest_gap(self) -> int:
        """The most days from a selected one to the next, over the whole calendar; worked out once."""
        if self._longest_gap is None:
            self._longest_gap = self._measure_longest_gap()
        return self._longest_gap

    def _next_in_weeks(self, day: int) -> int | None:
        week, place = divmod(day + self._week_offset, 7)
        if week % self.rule.interval == 0:
            later = self._places[bisect_left(self._places, place) :]
            if later:
                return day - place + later[0]
            week += 1
        week += -week % self.rule.interval
        return week * 7 - self._week_offset + self._places[0]

    def _last_in_weeks(self, day: int) -> int | None:
        week, place = divmod(day + self._week_offset, 7)
        earlier = self._places[: bisect_right(self._places, place)] if week % self.rule.interval == 0 else []
        if not earlier:
            week -= week % self.rule.interval or self.rule.interval
            earlier = self._places
        found = week * 7 - self._week_offset + earlier[-1]
        return found if found >= 0 else None

    def _next_in_years(self, day: int) -> int | None:
        first = _year_of(min(day, LAST_DAY))
        for year in range(first, LAST_YEAR + 1):
            if year == first + _PATIENCE_YEARS and not self.ever:
                return None
            pattern, start = self._pattern_of(year)
            for yearday in pattern[bisect_left(pattern, day - start) :]:
                if self._counts(start + yearday, year):
                    return start + yearday
        return None

    def _pattern_of(self, year: int) -> tuple[Pattern, int]:
        """Return the pattern of ``year`` and the day on which that year begins."""
        start = _first_day(year)
        return self._pattern((isleap(year), (start + EPOCH_WEEKDAY) % 7)), start

    def _pattern(self, kind: tuple[bool, int]) -> Pattern:
        pattern = self._patterns.get(kind)
        if pattern is None:
            pattern = self._patterns[kind] = year_pattern(self.rule, *kind)
        return pattern

    def _counts(self, day: int, year: int, interval: int = 0) -> bool:
        """Return whether the day, week, month or year that ``day`` stands in is one that counts."""
        interval = interval or self.rule.interval
        if interval == 1:
            return True
        if self.rule.frequency == DAILY:
            return day % interval == 0
        if self.rule.frequency == WEEKLY:
            return (day + self._week_offset) // 7 % interval == 0
        if self.rule.frequency == MONTHLY:
            month = date.fromordinal(day + EPOCH_ORDINAL).month
            return ((year - FIRST_YEAR) * 12 + month - 1) % interval == 0
        return (year - FIRST_YEAR) % interval == 0

    def _occurs_in_cycle(self) -> bool:
        """Return whether any date of 400 years is selected.

        With an interval that does not divide the cycle the selection shifts from one cycle to the next, by multiples
        of what both have in common; hence only that part of the interval can rule a date out for ever.
        """
        if not any(self._pattern((leap, weekday)) for leap in (False, True) for weekday in range(7)):
            return False
        common = gcd(self.rule.interval, _CYCLE.get(self.rule.frequency, CYCLE_YEARS))
        for year in range(FIRST_YEAR, FIRST_YEAR + CYCLE_YEARS):
            pattern, start = self._pattern_of(year)
            if self.rule.frequency == DAILY and any((start + yearday) % common == 0 for yearday in pattern):
                return True
            if self.rule.frequency != DAILY and any(self._counts(start + yearday, year, common) for yearday in pattern):
                return True
        return False

    def _measure_longest_gap(self) -> int:
        if self.rule.counts_days_alone:
            return self.rule.interval
        if self.rule.counts_weeks_alone:
            again = self._places[0] + 7 * self.rule.interval
            return max(later - place for place, later in zip(self._places, [*self._places[1:], again]))
        return max(self._gaps(), default=LAST_DAY) if self.ever else LAST_DAY

    def _gaps(self) -> Iterator[int]:
        """Yield the gaps of two cycles; those within a kind of year only once where no interval tells years apart."""
        last = None
        known: set[int] = set()
        for year in range(FIRST_YEAR, FIRST_YEAR + 2 * CYCLE_YEARS):
            pattern, start = self._pattern_of(year)
            if self.rule.interval > 1:
                pattern = tuple(yearday for yearday in pattern if self._counts(start + yearday, year))
            if not pattern:
                continue
            if last is not None:
                yield start + pattern[0] - last
            last = start + pattern[-1]
            if self.rule.interval > 1 or id(pattern) not in known:
                known.add(id(pattern))
                yield from (later - day for day, later in zip(pattern, pattern[1:]))


@lru_cache(maxsize=512)
def selected_dates(rule: DateRule) -> SelectedDates:
    """Return the dates of ``rule``; what is learned of them is kept for the next question."""
    return SelectedDates(rule)


def _year_of(day: int) -> int:
    return date.fromordinal(day + EPOCH_ORDINAL).year


def _first_day(year: int) -> int:
    return date(year, 1, 1).toordinal() - EPOCH_ORDINAL
