# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What general calendar libraries take and should not: each row gets the specified answer or names field and rule."""

from __future__ import annotations

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
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.rrule import read_rrule
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import SelectedDates
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.selected_days import days_from

NOW = read_date("2026-11-21", "now")


def next_dates(rule: str, count: int = 2, day: int = NOW) -> list[str]:
    dates = days_from(SelectedDates(read_rrule(Field("recurrence", rule))), day)
    return [write_date(found) for found, _turn in zip(dates, range(count))]


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY"),
        ("FREQ=WEEKLY;BYDAY=1SA", "1SA"),
        ("FREQ=DAILY;BYDAY=1SA", "1SA"),
        ("FREQ=WEEKLY;BYDAY=SA;BYDAY=SU", "BYDAY"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL"),
        ("FREQ=DAILY;INTERVAL=-1", "INTERVAL"),
        ("FREQ=DAILY;INTERVAL=1,2", "INTERVAL"),
        ("FREQ=DAILY;INTERVAL=99999999999999999999", "INTERVAL"),
        ("FREQ=MINUTELY", "MINUTELY"),
        ("FREQ=SECONDLY", "SECONDLY"),
        ("FREQ=HOURLY", "HOURLY"),
        ("FREQ=MONTHLY;BYMONTHDAY=32", "32"),
        ("FREQ=YEARLY;BYMONTH=13", "13"),
        ("FREQ=YEARLY;BYMONTH=-1", "-1"),
        ("FREQ=YEARLY;BYDAY=54MO", "54MO"),
        ("FREQ=YEARLY;BYDAY=0MO", "0MO"),
        ("FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS"),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0", "BYSETPOS"),
        ("FREQ=DAILY;COUNT=3", "COUNT"),
        ("FREQ=DAILY;UNTIL=20270101T000000Z", "UNTIL"),
        ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY"),
        ("FREQ=YEARLY;BYEASTER=0", "BYEASTER"),
        ("FREQ=DAILY;BYHOUR=2", "BYHOUR"),
        ("FREQ=YEARLY;BYWEEKNO=20", "BYWEEKNO"),
        ("FREQ=YEARLY;BYYEARDAY=100", "BYYEARDAY"),
        ("FREQ=WEEKLY;WKST=XX", "WKST"),
        ("FREQ=WEEKLY;BYDAY=", "BYDAY"),
        ("FREQ=WEEKLY;;BYDAY=SA", "''"),
        ("FREQ=WEEKLY;BYDAY=SA,", "''"),
        ("INTERVAL=2", "FREQ"),
        ("DTSTART:19700101T000000Z\nRRULE:FREQ=DAILY", "DTSTART"),
        ("RRULE:RRULE:FREQ=DAILY", "RRULE"),
        ("FREQ=DAILY;BYMONTH=\u0661", "BYMONTH"),
        ("FREQ=DAILY" + ";" * 600, "text"),
        ("", "text"),
    ],
)
def test_refused_and_the_part_is_named(rule: str, part: str) -> None:
    with pytest.raises(PolicyError) as caught:
        read_rrule(Field("spec.permit.recurrence", rule))
    assert caught.value.on == "spec.permit.recurrence"
    assert part in caught.value.seen


@pytest.mark.parametrize(
    ("rule", "dates"),
    [
        pytest.param("FREQ=Weekly;BYDAY=Sa;", ["2026-11-21", "2026-11-28"], id="the enhancement's own example"),
        pytest.param("RRULE:FREQ=WEEKLY;BYDAY=SA", ["2026-11-21", "2026-11-28"], id="with its name before it"),
        pytest.param("FREQ=WEEKLY", ["2026-11-26", "2026-12-03"], id="Thursdays, the weekday of the epoch"),
        pytest.param("FREQ=WEEKLY;INTERVAL=2", ["2026-12-03", "2026-12-17"], id="every other Thursday"),
        pytest.param("FREQ=YEARLY;BYMONTHDAY=15", ["2026-12-15", "2027-01-15"], id="the 15th of every month"),
        pytest.param("FREQ=YEARLY;BYMONTH=3", ["2027-03-01", "2028-03-01"], id="the first of that month"),
        pytest.param("FREQ=YEARLY;BYDAY=1SA", ["2027-01-02", "2028-01-01"], id="first Saturday of the year"),
        pytest.param("FREQ=YEARLY;BYDAY=-1MO", ["2026-12-28", "2027-12-27"], id="last Monday of the year"),
        pytest.param("FREQ=YEARLY;BYDAY=53FR", ["2027-12-31"], id="the 53rd Friday of a year"),
        pytest.param("FREQ=YEARLY;BYDAY=20MO;BYMONTHDAY=17", ["2027-05-17"], id="the 20th Monday if it is the 17th"),
        pytest.param("FREQ=YEARLY;BYMONTH=9;BYDAY=1MO", ["2027-09-06", "2028-09-04"], id="first Monday of September"),
        pytest.param("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", ["2027-08-13", "2028-10-13"], id="Friday the 13th"),
        pytest.param("FREQ=MONTHLY;BYMONTHDAY=-1", ["2026-11-30", "2026-12-31"], id="the last of every month"),
        pytest.param("FREQ=MONTHLY;BYDAY=MO,1SA", ["2026-11-23", "2026-11-30"], id="Mondays and the first Saturday"),
        pytest.param("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;WKST=SU", ["2026-11-29", "2026-12-13"], id="weeks from Sunday"),
        pytest.param("FREQ=DAILY;BYMONTH=12;BYDAY=SA", ["2026-12-05", "2026-12-12"], id="Saturdays in December"),
        pytest.param("FREQ=DAILY;BYDAY=SA;BYSETPOS=-1", ["2026-11-21", "2026-11-28"], id="a day is its own last"),
        pytest.param("FREQ=DAILY;BYDAY=SA;BYSETPOS=2", [], id="no day is its own second"),
        pytest.param("FREQ=MONTHLY;BYDAY=6SA", [], id="no month has six Saturdays"),
        pytest.param("FREQ=YEARLY;BYMONTH=2;BYDAY=MO;BYMONTHDAY=29", ["2044-02-29", "2072-02-29"], id="rare"),
        pytest.param("FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", [], id="years that are never leap years"),
        pytest.param("FREQ=DAILY;INTERVAL=7;BYDAY=MO", [], id="Thursdays that are Mondays"),
        pytest.param("FREQ=YEARLY;INTERVAL=400", ["2370-01-01", "2770-01-01"], id="once in four hundred years"),
    ],
)
def test_selects_what_rfc_5545_means(rule: str, dates: list[str]) -> None:
    assert next_dates(rule, len(dates) or 1) == dates


@pytest.mark.parametrize(
    ("week_start", "dates"), [("SU", ["2026-12-06", "2026-12-13"]), ("MO", ["2026-11-22", "2026-11-29"])]
)
def test_positions_within_a_week_begin_where_the_week_does(week_start: str, dates: list[str]) -> None:
    positions = {"SU": "FREQ=WEEKLY;BYDAY=SU,MO;BYSETPOS=1;BYMONTH=12", "MO": "FREQ=WEEKLY;BYDAY=MO,SU;BYSETPOS=2"}
    assert next_dates(f"{positions[week_start]};WKST={week_start}") == dates


@pytest.mark.parametrize("year", [1970, 2026, 9998], ids=str)
def test_a_leap_day_is_found_in_both_directions(year: int) -> None:
    dates = SelectedDates(read_rrule(Field("recurrence", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29")))
    day = read_date(f"{year}-07-01", "day")
    later = dates.next_from(day)
    earlier = dates.last_until(day)
    assert (later is None) == (year == 9998)
    assert (earlier is None) == (year == 1970)
    assert all(write_date(found).endswith("-02-29") for found in (later, earlier) if found is not None)


def test_the_gap_around_2100_is_eight_years() -> None:
    assert next_dates("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", 2, read_date("2096-01-01", "day")) == [
        "2096-02-29",
        "2104-02-29",
    ]


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
