# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The algebra of windows, exclusions and overrides: the same as looking at every second, and always quick."""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import (
    Question,
    change_state,
    first_windows,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import MOST_ENTRIES, Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    DAY,
    LAST_INSTANT,
    read_instant,
    write_date,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.maintenance_schedules import (
    read_maintenance_schedule,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import selected_dates
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import (
    NEVER_OPENS,
    During,
    Excluding,
    Exclusion,
    Reason,
    Span,
    Timeline,
    united,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.recurrences import (
    Recurrence,
    monthly_dates,
    monthly_days,
    weekly,
    yearly_dates,
    yearly_days,
)

WHY = Reason("Because", "because", "Restrictive")
NOW = read_instant("2026-11-21T12:00:00Z", "now")


class Stretches:
    """Permitted within the given stretches; what ``at`` says is found by looking at each edge."""

    def __init__(self, edges: list[int], first: bool) -> None:
        self.edges = sorted(set(edges))
        self.first = first

    def at(self, instant: int) -> Span:
        before = sum(edge <= instant for edge in self.edges)
        ahead = self.edges[before] if before < len(self.edges) else None
        return Span(self.first == (before % 2 == 0), ahead)

    def why(self, instant: int) -> Reason:  # noqa: ARG002
        return WHY


def scheduled(schedule: object) -> Timeline:
    return read_maintenance_schedule(Field("schedule", schedule)).timeline()


def flips(timeline: Timeline, moments: range) -> list[int]:
    return [moment for moment in moments[1:] if timeline.at(moment).permitted != timeline.at(moment - 1).permitted]


def assert_spans_tell_the_next_flip(timeline: Timeline, moments: range) -> None:
    seen = flips(timeline, moments)
    for moment in moments:
        following = next((flip for flip in seen if flip > moment), None)
        until = timeline.at(moment).until
        assert until == following or (following is None and (until is None or until >= moments.stop))


EDGES = st.lists(st.integers(0, 60), max_size=8)
STRETCHES = st.builds(Stretches, EDGES, st.booleans())
EXCLUSIONS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), max_size=6)


@given(STRETCHES, EXCLUSIONS)
@settings(deadline=None)
def test_exclusions_take_their_time_out(base: Stretches, excluded: list[tuple[int, int]]) -> None:
    timeline = Excluding(base, united(Exclusion(start, start + length) for start, length in excluded))
    for moment in range(-5, 90):
        inside = any(start <= moment < start + length for start, length in excluded)
        assert timeline.at(moment).permitted == (base.at(moment).permitted and not inside)
    assert_spans_tell_the_next_flip(timeline, range(-5, 90))


@given(st.none() | st.integers(0, 60), st.none() | st.integers(0, 60), st.booleans(), STRETCHES)
@settings(deadline=None)
def test_during_gives_way_outside_of_it(start: int | None, end: int | None, first: bool, then: Stretches) -> None:
    assume(start is None or end is None or start < end)
    timeline = During(start, end, first, then, WHY)
    for moment in range(-5, 70):
        inside = (start is None or start <= moment) and (end is None or moment < end)
        assert timeline.at(moment).permitted == (first if inside else then.at(moment).permitted)
    assert_spans_tell_the_next_flip(timeline, range(-5, 70))


@given(EXCLUSIONS)
def test_united_exclusions_are_apart(excluded: list[tuple[int, int]]) -> None:
    merged = united(Exclusion(start, start + length) for start, length in excluded)
    assert all(one.until < later.start for one, later in zip(merged, merged[1:]))
    covered = {second for start, length in excluded for second in range(start, start + length)}
    assert covered == {second for one in merged for second in range(one.start, one.until)}


def test_reasons_of_exclusions_that_meet_are_kept() -> None:
    (merged,) = united([Exclusion(0, 5, "audit"), Exclusion(5, 9, "holidays"), Exclusion(2, 3, "audit")])
    assert (merged.start, merged.until, merged.reason) == (0, 9, "audit, holidays")


@pytest.mark.parametrize(
    ("permit", "until"),
    [
        pytest.param({"recurrence": None}, None, id="every day"),
        pytest.param({"recurrence": weekly("Thursday"), "duration": "168h"}, None, id="whole weeks"),
        pytest.param({"recurrence": monthly_dates([1]), "duration": "744h"}, None, id="months of 31 days"),
        pytest.param({"recurrence": monthly_dates(range(1, 32))}, None, id="every date by its number"),
        pytest.param({"recurrence": monthly_dates(range(1, 31))}, "2026-12-31T00:00:00Z", id="every date but the 31st"),
        pytest.param(
            {"recurrence": yearly_dates("January", 1), "duration": "2562047h"}, None, id="292 years each year"
        ),
        pytest.param(
            {"recurrence": yearly_dates("February", 29), "duration": "35064h"},
            "2100-03-01T00:00:00Z",
            id="four years from each leap day",
        ),
    ],
)
def test_windows_that_touch_are_one(permit: object, until: str | None) -> None:
    span = scheduled({"permit": permit}).at(NOW)
    assert span == Span(True, None if until is None else read_instant(until, "until"))


def test_the_end_of_the_calendar_is_for_ever() -> None:
    excluded = scheduled({"exclude": [{"fromDate": "2026-11-01", "untilDate": "9999-12-31"}]})
    assert excluded.at(NOW) == Span(False, LAST_INSTANT + 1 - DAY)
    whole = scheduled(
        {
            "permit": {"recurrence": None},
            "exclude": [{"fromDate": "2026-11-01", "untilDate": "9999-12-31"}, {"fromDate": "9999-12-31"}],
        }
    )
    assert whole.at(NOW) == Span(False, None, NEVER_OPENS)
    saturdays = scheduled(
        {
            "permit": {"recurrence": weekly("Monday")},
            "exclude": [{"fromDate": "2026-11-21", "untilDate": "9999-12-31"}],
        }
    )
    assert saturdays.at(NOW) == Span(False, None, NEVER_OPENS)


def test_windows_begin_with_the_one_that_is_open() -> None:
    timeline = scheduled({"permit": {"startTime": "10:00", "duration": "4h"}})
    windows = list(first_windows(timeline, NOW, 2))
    assert [(window.start, window.end) for window in windows] == [(NOW, NOW + 7200), (NOW + 22 * 3600, NOW + 26 * 3600)]


def test_the_last_change_is_looked_for_a_thousand_days_back() -> None:
    rare = scheduled({"permit": {"recurrence": yearly_dates("November", 20)}})
    assert change_state(rare, Question(NOW)).last_change == NOW - read_instant("2026-11-21T00:00:00Z", "end")
    leap = scheduled({"permit": {"recurrence": yearly_dates("February", 29)}})
    assert change_state(leap, Question(NOW)).last_change == NOW - read_instant("2024-03-01T00:00:00Z", "end")
    assert change_state(leap, Question(NOW + 730 * DAY)).last_change < 365 * DAY
    fifth = scheduled({"permit": {"recurrence": yearly_days("February", ("Fifth", "Monday"))}})
    assert change_state(fifth, Question(NOW)).last_change == -1


EVERY_OTHER_DAY: Recurrence = {"frequency": "Daily", "daily": {"interval": 2}}


def excluded_days(step: int, length: int) -> list[dict[str, str]]:
    """Return as many excluded days as there may be, every ``step`` days, each with a reason of its own."""
    days = (write_date(NOW // DAY + number * step) for number in range(MOST_ENTRIES))
    return [{"fromDate": day, "reason": f"{day} {'x' * length}"} for day in days]


@pytest.mark.parametrize(
    "schedule",
    [
        pytest.param({"permit": {"recurrence": {"frequency": "Daily", "daily": {"interval": 730}}}}, id="daily"),
        pytest.param({"permit": {"recurrence": yearly_dates("February", 30)}}, id="never"),
        pytest.param({"permit": {"recurrence": yearly_days("February", ("Fifth", "Monday"))}}, id="once in 28 years"),
        pytest.param(
            {"permit": {"recurrence": monthly_days(("Fifth", "Monday"), interval=11), "duration": "2562047h"}},
            id="the longest proof",
        ),
        pytest.param({"permit": {"recurrence": monthly_dates(range(1, 32), 7), "duration": "743h"}}, id="many touch"),
        pytest.param({"permit": {"recurrence": EVERY_OTHER_DAY}, "exclude": excluded_days(2, 980)}, id="all excluded"),
        pytest.param({"permit": {"recurrence": None}, "exclude": excluded_days(1, 980)}, id="exclusions that touch"),
    ],
)
def test_no_rule_makes_anybody_wait(schedule: dict[str, object]) -> None:
    """The best of three counts, since another process can only add to what it takes."""
    taken = []
    for _turn in range(3):
        selected_dates.cache_clear()
        began = time.process_time()
        change_state(scheduled(schedule), Question(NOW)).as_data()
        taken.append(time.process_time() - began)
    assert min(taken) < 0.05


def test_reasons_of_exclusions_are_at_most_as_long_as_one_may_be() -> None:
    (merged,) = united(Exclusion(n, n + 1, f"{n} {'x' * 300}") for n in range(1000))
    assert len(merged.reason) <= 1000
    assert merged.reason.startswith("0 xxx")
    assert merged.reason.endswith("...")
