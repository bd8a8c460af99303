# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The dates that a recurrence selects, found by arithmetic: the next, the previous, whether there is one at all.

Days, weeks from Monday on, and months are counted from 1970-01-01. The Gregorian calendar repeats every 400 years,
which are 4800 months, and 146097 days or 20871 whole weeks.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache
from math import gcd

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    EPOCH_ORDINAL,
    EPOCH_WEEKDAY,
    LAST_DAY,
)

DAILY, WEEKLY, MONTHLY, YEARLY = "DAILY", "WEEKLY", "MONTHLY", "YEARLY"
_FIRST_YEAR, _CYCLE_DAYS, _CYCLE_MONTHS = 1970, 146097, 4800


@dataclass(frozen=True)
class DateRule:
    """A recurrence that starts on 1970-01-01 and selects whole dates, with the meanings of RFC 5545, section 3.3.10.

    ``frequency`` and ``interval`` say which days, weeks or months count at all; YEARLY means ``month``, from 1 to 12,
    of every year. ``month_days`` are 1 to 31. ``weekdays`` are pairs of an ordinal within the month, -1 for the last
    and 0 for every one, and a weekday, Monday being 0.
    """

    frequency: str
    interval: int = 1
    month: int = 1
    month_days: tuple[int, ...] = ()
    weekdays: tuple[tuple[int, int], ...] = ()


EVERY_DAY = DateRule(DAILY)


class SelectedDates:
    """All dates of one rule as days since 1970-01-01, none before that day."""

    def __init__(self, rule: DateRule) -> None:
        self.rule = rule
        self._step = 12 if rule.frequency == YEARLY else rule.interval
        self._first = rule.month - 1 if rule.frequency == YEARLY else 0
        cycle = _CYCLE_MONTHS if rule.frequency in (MONTHLY, YEARLY) else 1
        # So many periods that count until they and the calendar repeat together.
        self._cycle = cycle // gcd(cycle, self._step)
        self._patterns: dict[tuple[int, int], tuple[int, ...]] = {}

    def next_from(self, day: int) -> int | None:
        """Return the first selected day at or after ``day``; None when there is none before the year 10000."""
        day = max(day, 0)
        period = self._period_of(min(day, LAST_DAY))
        period += (self._first - period) % self._step
        while self.ever:
            start, selected = self._selected(period)
            for place in selected:
                if start + place >= day:
                    return start + place if start + place <= LAST_DAY else None
            period += self._step
        return None

    def last_until(self, day: int) -> int | None:
        """Return the last selected day at or before ``day``; None when there is none since 1970."""
        day = min(day, LAST_DAY)
        if day < 0 or not self.ever:
            return None
        period = self._period_of(day)
        period -= (period - self._first) % self._step
        while period >= 0:
            start, selected = self._selected(period)
            for place in reversed(selected):
                if 0 <= start + place <= day:
                    return start + place
            period -= self._step
        return None

    @property
    def ever(self) -> bool:
        """Whether there is any selected date: the proof over the whole calendar, worked out once."""
        return self._begin is not None

    @cached_property
    def longest_gap(self) -> int:
        """The most days from a selected one to the next, over the whole calendar; worked out once."""
        if self._begin is None:
            return LAST_DAY
        longest, last = 0, None
        for period in range(self._begin, self._begin + (self._cycle + 1) * self._step, self._step):
            start, selected = self._selected(period)
            if selected:
                longest = max(longest, start + selected[0] - last if last is not None else 0)
                last = start + selected[-1]
        # Weeks are all alike, and the months that there are have been seen.
        within = (selected, *self._patterns.values())
        return max(longest, *(later - place for one in within for place, later in zip(one, one[1:])), 0)

    @cached_property
    def _begin(self) -> int | None:
        """The first period that counts and has a date."""
        periods = range(self._first, self._first + self._cycle * self._step, self._step)
        return next((period for period in periods if self._selected(period)[1]), None)

    def _period_of(self, day: int) -> int:
        """Return the number of the day, week or month that ``day`` is in, that of 1970-01-01 being 0."""
        if self.rule.frequency == DAILY:
            return day
        if self.rule.frequency == WEEKLY:
            return (day + EPOCH_WEEKDAY) // 7
        found = date.fromordinal(day + EPOCH_ORDINAL)
        return (found.year - _FIRST_YEAR) * 12 + found.month - 1

    def _selected(self, period: int) -> tuple[int, tuple[int, ...]]:
        """Return the first day of a period, and where within it the selected ones are."""
        if self.rule.frequency == DAILY:
            return period, (0,)
        if self.rule.frequency == WEEKLY:
            return period * 7 - EPOCH_WEEKDAY, tuple(weekday for _ordinal, weekday in self.rule.weekdays)
        start = _first_day(period)
        kind = (_first_day(period + 1) - start, (start + EPOCH_WEEKDAY) % 7)
        if kind not in self._patterns:
            self._patterns[kind] = tuple(sorted(_chosen(self.rule, *kind)))
        return start, self._patterns[kind]


def _chosen(rule: DateRule, length: int, first_weekday: int) -> set[int]:
    """Return the selected days of a month, 0 being its first."""
    days = {day - 1 for day in rule.month_days if day <= length}
    for ordinal, weekday in rule.weekdays:
        every = range((weekday - first_weekday) % 7, length, 7)
        place = ordinal - 1 if ordinal > 0 else len(every) - 1
        days.update(every[place : place + 1])
    return days


@lru_cache(maxsize=512)
def selected_dates(rule: DateRule) -> SelectedDates:
    """Return the dates of ``rule``; what is learned of them is kept for the next question."""
    return SelectedDates(rule)


def _first_day(month: int) -> int:
    """Return the first day of a month, counted from January 1970 on."""
    cycles, place = divmod(month, _CYCLE_MONTHS)
    first = date(_FIRST_YEAR + place // 12, place % 12 + 1, 1)
    return first.toordinal() - EPOCH_ORDINAL + cycles * _CYCLE_DAYS
