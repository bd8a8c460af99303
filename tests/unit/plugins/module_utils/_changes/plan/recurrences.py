# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Recurrences in the words of policies, and the days that they select."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import SelectedDates

Recurrence = dict[str, t.Any]


def weekly(*days: str, interval: int = 1) -> Recurrence:
    return {"frequency": "Weekly", "weekly": {"daysOfWeek": list(days), "interval": interval}}


def monthly_dates(dates: Iterable[int], interval: int = 1) -> Recurrence:
    return {"frequency": "Monthly", "monthly": {"by": "Date", "date": _dates(dates, interval=interval)}}


def monthly_days(*days: tuple[str, str], interval: int = 1) -> Recurrence:
    return {"frequency": "Monthly", "monthly": {"by": "Day", "day": _days(days, interval=interval)}}


def yearly_dates(month: str, *dates: int) -> Recurrence:
    return {"frequency": "Yearly", "yearly": {"by": "Date", "date": _dates(dates, month=month)}}


def yearly_days(month: str, *days: tuple[str, str]) -> Recurrence:
    return {"frequency": "Yearly", "yearly": {"by": "Day", "day": _days(days, month=month)}}


def _dates(dates: Iterable[int], **other: t.Any) -> Recurrence:
    return {"datesOfMonth": list(dates), **other}


def _days(days: Iterable[tuple[str, str]], **other: t.Any) -> Recurrence:
    return {"days": [{"weekOfMonth": week, "dayOfWeek": day} for week, day in days], **other}


def days_from(dates: SelectedDates, day: int) -> Iterator[int]:
    """Yield the selected days at or after ``day`` in order."""
    found = dates.next_from(day)
    while found is not None:
        yield found
        found = dates.next_from(found + 1)
