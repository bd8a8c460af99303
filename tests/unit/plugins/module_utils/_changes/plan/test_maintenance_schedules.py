# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Maintenance schedules: what the schema allows, field by field, and what the two kinds of emptiness mean."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import MOST_ENTRIES, Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.maintenance_schedules import (
    read_maintenance_schedule,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError

DAILY = {"frequency": "Daily", "daily": {"interval": 1}}


def weekly(**fields: t.Any) -> t.Any:
    return {"frequency": "Weekly", "weekly": {"daysOfWeek": ["Monday"], "interval": 1, **fields}}


def monthly(by: str = "Date", **fields: t.Any) -> t.Any:
    return {"frequency": "Monthly", "monthly": {"by": by, **fields}}


def yearly(by: str = "Date", **fields: t.Any) -> t.Any:
    return {"frequency": "Yearly", "yearly": {"by": by, **fields}}


@pytest.mark.parametrize(
    ("recurrence", "field"),
    [
        ({}, "frequency"),
        ({"frequency": "Hourly"}, "frequency"),
        ({"frequency": "Daily"}, "daily"),
        ({"frequency": "Daily", "daily": {}}, "daily.interval"),
        ({"frequency": "Daily", "daily": {"interval": True}}, "daily.interval"),
        ({"frequency": "Daily", "daily": {"interval": "1"}}, "daily.interval"),
        ({"frequency": "Daily", "daily": {"interval": 1.0}}, "daily.interval"),
        ({**DAILY, "weekly": {"daysOfWeek": ["Monday"], "interval": 1}}, "weekly"),
        ({**DAILY, "rrule": "FREQ=DAILY"}, "rrule"),
        (weekly(interval=27), "weekly.interval"),
        (weekly(interval=0), "weekly.interval"),
        (weekly(daysOfWeek=[]), "weekly.daysOfWeek"),
        (weekly(daysOfWeek="Monday"), "weekly.daysOfWeek"),
        (weekly(daysOfWeek=["monday"]), "weekly.daysOfWeek[0]"),
        (weekly(daysOfWeek=["Monday"] * (MOST_ENTRIES + 1)), "weekly.daysOfWeek"),
        (monthly(), "monthly.date"),
        (monthly(date={"datesOfMonth": [1], "interval": 12}), "monthly.date.interval"),
        (monthly(date={"datesOfMonth": [0], "interval": 1}), "monthly.date.datesOfMonth[0]"),
        (monthly(date={"datesOfMonth": [-1], "interval": 1}), "monthly.date.datesOfMonth[0]"),
        (monthly(date={"datesOfMonth": [1], "interval": 1}, day={}), "monthly.day"),
        (monthly("Day", day={"days": [{"weekOfMonth": "First", "daysOfWeek": "Monday"}], "interval": 1}), "daysOfWeek"),
        (monthly("Day", day={"days": [{"weekOfMonth": "Sixth", "dayOfWeek": "Monday"}], "interval": 1}), "weekOfMonth"),
        (monthly("Week"), "monthly.by"),
        (yearly(date={"datesOfMonth": [1]}), "yearly.date.month"),
        (yearly(date={"datesOfMonth": [1], "month": "Feb"}), "yearly.date.month"),
        (yearly(date={"datesOfMonth": [1], "month": "February", "interval": 1}), "interval"),
        (5, "recurrence"),
        (["FREQ=DAILY"], "recurrence"),
    ],
)
def test_a_recurrence_that_breaks_a_rule(recurrence: object, field: str) -> None:
    with pytest.raises(PolicyError) as caught:
        read_maintenance_schedule(Field("schedule", {"permit": {"recurrence": recurrence}}))
    assert caught.value.on.startswith("schedule.permit.recurrence")
    assert caught.value.on.endswith(field) or field in caught.value.on


@pytest.mark.parametrize(
    ("schedule", "field"),
    [
        ({"permit": {}}, "permit"),
        ({"permit": []}, "permit"),
        ({"permit": "always"}, "permit"),
        ({"permits": {}}, "permits"),
        ({"permit": {"startTime": "24:00"}}, "permit.startTime"),
        ({"permit": {"startTime": "9:00"}}, "permit.startTime"),
        ({"permit": {"startTime": "09:00Z"}}, "permit.startTime"),
        ({"permit": {"startTime": "\u0660\u0669:00"}}, "permit.startTime"),
        ({"permit": {"startTime": "09:00\n"}}, "permit.startTime"),
        *(
            ({"permit": {"duration": duration}}, "permit.duration")
            for duration in (
                "0",
                "0s",
                "-1h",
                "8",
                8,
                "8H",
                "1d",
                "1h 30m",
                "h",
                ".h",
                "0.5s",
                "300y",
                "9" * 30 + "h",
                "",
            )
        ),
        ({"exclude": {}}, "exclude"),
        ({"exclude": [{}]}, "exclude[0].fromDate"),
        ({"exclude": [{"fromDate": "2026-02-29"}]}, "exclude[0].fromDate"),
        ({"exclude": [{"fromDate": "24.12.2026"}]}, "exclude[0].fromDate"),
        ({"exclude": [{"fromDate": "2026-12-24T00:00:00Z"}]}, "exclude[0].fromDate"),
        ({"exclude": [{"fromDate": "2026-12-24", "untilDate": "2026-12-23"}]}, "exclude[0].untilDate"),
        ({"exclude": [{"fromDate": "2026-12-24", "why": "holidays"}]}, "exclude[0].why"),
    ],
    ids=lambda value: value if isinstance(value, str) else repr(value)[:60],
)
def test_a_schedule_that_breaks_a_rule(schedule: object, field: str) -> None:
    with pytest.raises(PolicyError) as caught:
        read_maintenance_schedule(Field("schedule", schedule))
    assert caught.value.on == f"schedule.{field}"


@pytest.mark.parametrize(
    ("duration", "seconds"),
    [
        ("8h", 28800),
        ("1h30m", 5400),
        ("1.5h", 5400),
        ("90m", 5400),
        (".5h", 1800),
        ("30s", 30),
        ("1h0.5m30s", 3660),
        ("+24h", 86400),
        ("1000ms", 1),
        ("1000000us", 1),
        ("1000000\u00b5s", 1),
        ("2562047h", 2562047 * 3600),
    ],
)
def test_durations_are_those_of_go(duration: str, seconds: int) -> None:
    schedule = read_maintenance_schedule(Field("schedule", {"permit": {"duration": duration}}))
    assert schedule.permit is not None
    assert schedule.permit.duration == seconds


def test_a_window_without_a_duration_lasts_until_midnight() -> None:
    schedule = read_maintenance_schedule(Field("schedule", {"permit": {"startTime": "20:30"}}))
    assert schedule.permit is not None
    assert schedule.permit.duration == 3 * 3600 + 1800


@pytest.mark.parametrize(
    "schedule", [{}, {"permit": None}, {"permit": None, "exclude": None}, {"exclude": []}], ids=repr
)
def test_emptiness(schedule: object) -> None:
    assert read_maintenance_schedule(Field("schedule", schedule)).is_empty


def test_a_null_recurrence_is_every_date() -> None:
    schedule = read_maintenance_schedule(Field("schedule", {"permit": {"recurrence": None}}))
    assert schedule.timeline().at(0).until is None
