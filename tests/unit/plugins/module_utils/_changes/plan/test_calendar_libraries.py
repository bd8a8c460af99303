# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Random policies against python-dateutil and recurring-ical-events: both have to agree with the closed form.

The libraries may take seconds for a rule that never matches; such a case is given up after PATIENCE and counted.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from random import Random

import icalendar  # type: ignore[import-untyped,import-not-found,unused-ignore]
import pytest
import recurring_ical_events  # type: ignore[import-untyped,import-not-found,unused-ignore]
from dateutil.rrule import rrulestr  # type: ignore[import-untyped,import-not-found,unused-ignore]

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.durations import (
    read_duration,
    read_time_of_day,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import DAY, read_date
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.job_schedules import job_schedule
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.maintenance_schedules import (
    read_maintenance_schedule,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.recurrence import read_recurrence
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import SelectedDates
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.recurrences import (
    days_from,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.random_schedules import (
    Case,
    random_case,
)

SEED = 1571
DAYS = 1100
PATIENCE = 3.0
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class GivenUpError(Exception):
    """A library took too long."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    def give_up(*_signal: object) -> None:
        raise GivenUpError

    former = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


def library_dates(rrule: str, first: int, last: int) -> list[int]:
    """Return the days that python-dateutil selects from ``first`` up to before ``last``."""
    rule = rrulestr(rrule, dtstart=datetime(1970, 1, 1))
    found = []
    for moment in rule:
        day = (moment.replace(tzinfo=timezone.utc) - EPOCH).days
        if day >= last:
            break
        if day >= first:
            found.append(day)
    return found


def own_dates(case: Case, first: int, last: int) -> list[int]:
    dates = SelectedDates(read_recurrence(Field("recurrence", case.schedule["permit"]["recurrence"])))
    found = []
    for day in days_from(dates, first):
        if day >= last:
            break
        found.append(day)
    return found


class Calendar:
    """What the windows and exclusions of a schedule permit, by plain comparison with every window there is."""

    def __init__(self, case: Case, dates: list[int]) -> None:
        permit = case.schedule["permit"]
        self.start = read_time_of_day(permit.get("startTime", "00:00"), "startTime")
        self.duration = read_duration(permit["duration"], "duration") if "duration" in permit else DAY - self.start
        self.windows = [(day * DAY + self.start, day * DAY + self.start + self.duration) for day in dates]
        self.excluded: set[int] = set()
        for entry in case.schedule.get("exclude", ()):
            first = read_date(entry["fromDate"], "fromDate")
            self.excluded.update(
                range(first, read_date(entry["untilDate"], "u") if "untilDate" in entry else first + 1)
            )

    def permits(self, instant: int) -> bool:
        if instant // DAY in self.excluded:
            return False
        return any(start <= instant < end for start, end in self.windows)

    def edges(self) -> list[int]:
        """Return every instant at which permission may change."""
        days = {day * DAY for day in self.excluded} | {(day + 1) * DAY for day in self.excluded}
        return sorted(days.union(*self.windows))


def disagreements(case: Case, random: Random, now: int) -> list[str]:
    """Return what differs between python-dateutil and the closed form around and after ``now``."""
    first, last = now // DAY - 60, now // DAY + DAYS
    wanted, found = library_dates(case.rrule, first, last), own_dates(case, first, last)
    if wanted != found:
        return [f"dates: {sorted(set(wanted) ^ set(found))[:5]}"]
    calendar = Calendar(case, wanted)
    timeline = read_maintenance_schedule(Field("maintenanceSchedule", case.schedule)).timeline()
    edges = [edge for edge in calendar.edges() if edge >= now]
    found_wrong = []
    moments = [now, *random.sample(edges, min(4, len(edges)))]
    for moment in [*moments, *(moment - 1 for moment in moments if moment > now)]:
        if moment >= (last - 60) * DAY:
            continue
        span = timeline.at(moment)
        state = calendar.permits(moment)
        flip = next((edge for edge in edges if edge > moment and calendar.permits(edge) != state), None)
        within = flip is not None and flip < last * DAY - calendar.duration
        if span.permitted != state or (within and span.until != flip):
            found_wrong.append(f"at {moment}: {span} instead of {state} until {flip}")
    return found_wrong


def run_cases(count: int, seed: int) -> tuple[int, list[str]]:
    """Return how many cases a library gave no answer to, and every difference."""
    random = Random(seed)  # noqa: S311 - nothing secret
    given_up, wrong = 0, []
    for number in range(count):
        case = random_case(random)
        now = read_date("2026-11-21", "now") * DAY + random.randrange(-300 * DAY, 300 * DAY)
        try:
            with patience(PATIENCE):
                wrong += [f"{number} {case}: {text}" for text in disagreements(case, random, now)]
        except GivenUpError:
            given_up += 1
    return given_up, wrong


def test_random_policies_agree_with_dateutil() -> None:
    given_up, wrong = run_cases(120, SEED)
    assert not wrong
    assert given_up < 12


@pytest.mark.parametrize("seed", range(12))
def test_random_windows_agree_with_recurring_ical_events(seed: int) -> None:
    random = Random(SEED + seed)  # noqa: S311 - nothing secret
    case = random_case(random)
    now = read_date("2026-11-21", "now")
    calendar = Calendar(case, own_dates(case, now - 60, now + 400))
    event = icalendar.Event()
    event.add("uid", "window")
    event.add("dtstart", EPOCH + timedelta(seconds=calendar.start))
    event.add("duration", timedelta(seconds=calendar.duration))
    event.add("rrule", icalendar.vRecur.from_ical(case.rrule))
    whole = icalendar.Calendar()
    whole.add_component(event)
    begin, end = EPOCH + timedelta(days=now), EPOCH + timedelta(days=now + 300)
    try:
        with patience(PATIENCE):
            found = recurring_ical_events.of(whole).between(begin, end)
    except GivenUpError:
        assert not calendar.windows
        return
    starts = {(entry["DTSTART"].dt - EPOCH) // timedelta(seconds=1) for entry in found}
    assert starts == {start for start, stop in calendar.windows if start < (now + 300) * DAY and stop > now * DAY}


def test_schedules_of_jobs_start_with_the_windows() -> None:
    random = Random(SEED)  # noqa: S311 - nothing secret
    now = read_date("2026-11-21", "now")
    for _turn in range(60):
        recurrence = random_case(random).schedule["permit"]["recurrence"]
        rule = read_recurrence(Field("recurrence", recurrence))
        wanted = [day for day, _count in zip(days_from(SelectedDates(rule), now), range(8))]
        if not wanted:
            continue
        text = job_schedule({"recurrence": recurrence}, now * DAY).replace(" ", "\n")
        found = rrulestr(text, forceset=True, ignoretz=True)
        with patience(PATIENCE):
            first = timedelta(days=now)
            later = (moment for moment in found if moment.replace(tzinfo=timezone.utc) - EPOCH >= first)
            dates = [(moment.replace(tzinfo=timezone.utc) - EPOCH).days for moment, _count in zip(later, range(8))]
        assert dates == wanted, f"{recurrence} as {text}"
