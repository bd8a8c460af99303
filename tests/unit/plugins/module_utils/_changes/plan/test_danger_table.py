# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What general calendar libraries take and should not: each row gets the specified answer or names field and rule."""

from __future__ import annotations

import calendar
import datetime
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import ask_state
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    read_date,
    read_instant,
    write_date,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.recurrence import read_recurrence
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import SelectedDates
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.recurrences import (
    Recurrence,
    days_from,
    monthly_dates,
    monthly_days,
    weekly,
    yearly_dates,
    yearly_days,
)

NOW = read_date("2026-11-21", "now")
LEAP_DAYS = yearly_dates("February", 29)


def dates_of(recurrence: Recurrence) -> SelectedDates:
    return SelectedDates(read_recurrence(Field("recurrence", recurrence)))


def next_dates(recurrence: Recurrence, count: int = 2, day: int = NOW) -> list[str]:
    return [write_date(found) for found, _turn in zip(days_from(dates_of(recurrence), day), range(count))]


@pytest.mark.parametrize(
    ("recurrence", "dates"),
    [
        pytest.param(weekly("Thursday", interval=2), ["2026-12-03", "2026-12-17"], id="weeks of the epoch, a Thursday"),
        pytest.param(weekly("Sunday", interval=2), ["2026-11-22", "2026-12-06"], id="weeks begin on Monday"),
        pytest.param(monthly_dates([31], 2), ["2027-01-31", "2027-03-31"], id="months without a 31st are left out"),
        pytest.param(monthly_days(("Fifth", "Friday")), ["2027-01-29", "2027-04-30"], id="a fifth one is not the last"),
        pytest.param(monthly_days(("First", "Saturday"), ("First", "Sunday")), ["2026-12-05", "2026-12-06"], id="two"),
        pytest.param(monthly_days(("First", "Sunday"), interval=11), ["2027-10-03", "2028-09-03"], id="eleven months"),
        pytest.param(yearly_days("September", ("First", "Monday")), ["2027-09-06", "2028-09-04"], id="Labor Day"),
        pytest.param(yearly_days("February", ("Fifth", "Monday")), ["2044-02-29", "2072-02-29"], id="rare"),
        pytest.param(yearly_dates("February", 30), [], id="never"),
        pytest.param(yearly_dates("February", 29, 30), ["2028-02-29", "2032-02-29"], id="one that is and one never"),
        pytest.param({"frequency": "Daily", "daily": {"interval": 7}}, ["2026-11-26", "2026-12-03"], id="sevenths"),
    ],
)
def test_selects_what_the_words_mean(recurrence: Recurrence, dates: list[str]) -> None:
    assert next_dates(recurrence, len(dates) or 1) == dates


@pytest.mark.parametrize("year", [1970, 2026, 9998], ids=str)
def test_a_leap_day_is_found_in_both_directions(year: int) -> None:
    day = read_date(f"{year}-07-01", "day")
    later = dates_of(LEAP_DAYS).next_from(day)
    earlier = dates_of(LEAP_DAYS).last_until(day)
    assert (later is None) == (year == 9998)
    assert (earlier is None) == (year == 1970)
    assert all(write_date(found).endswith("-02-29") for found in (later, earlier) if found is not None)


def test_the_gap_around_2100_is_eight_years() -> None:
    assert next_dates(LEAP_DAYS, 2, read_date("2096-01-01", "day")) == ["2096-02-29", "2104-02-29"]


@pytest.mark.parametrize("interval", [1, 7, 9, 11])
def test_the_longest_gap_is_that_of_the_whole_calendar(interval: int) -> None:
    """Rule and calendar repeat together only after as many months as both are multiples of."""
    found = []
    for month in range(0, min(2 * 4800 * interval, 8029 * 12), interval):
        last = calendar.monthrange(1970 + month // 12, month % 12 + 1)[1]
        mondays = [day for day in range(1, last + 1) if calendar.weekday(1970 + month // 12, month % 12 + 1, day) == 0]
        found += [datetime.date(1970 + month // 12, month % 12 + 1, day).toordinal() for day in mondays[4:]]
    wanted = max(later - day for day, later in zip(found, found[1:]))
    assert dates_of(monthly_days(("Fifth", "Monday"), interval=interval)).longest_gap == wanted


@pytest.mark.parametrize(
    "value",
    [
        "2026-11-21T20:00:00",
        "2026-11-21",
        "2026-11-21 20:00:00Z",
        "2026-11-21T20:00Z",
        "2026-11-21T24:00:00Z",
        "2026-11-21T20:00:00+25:00",
        "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "soon",
        "",
        5,
        True,
        1.5,
        None,
        [],
    ],
    ids=repr,
)
def test_an_instant_that_could_mean_anything_is_refused(value: object) -> None:
    with pytest.raises(PolicyError) as caught:
        read_instant(value, "permissiveUntil")
    assert caught.value.on == "permissiveUntil"


ZONES: dict[str, t.Any] = {"timezoneOffset": "+02:00", "endTime": "04:00"}


@pytest.mark.parametrize("field", ZONES)
def test_fields_of_earlier_texts_restrict(field: str) -> None:
    permit = {"startTime": "20:00", field: ZONES[field]}
    spec = {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": permit}}
    state = ask_state({"strategy": "ByPolicy", "byPolicy": {"name": "p"}}, {"p": {"spec": spec}})
    assert (state.permitted, state.reason.code) == (False, "InvalidPolicy")
    assert field in state.reason.text
