# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How quickly the next transition is found, beside python-dateutil in the same run, and for a whole large cluster.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.change_windows [ROUNDS]``. Every round
starts from nothing: what is remembered between two questions is thrown away, as in a module of its own. The library is
asked for the next date alone, which is less than what is measured on our side.
"""

from __future__ import annotations

import signal
import statistics
import sys
import time
import typing as t
from collections.abc import Callable
from datetime import datetime

from dateutil.rrule import rrulestr  # type: ignore[import-untyped,import-not-found,unused-ignore]

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import (
    Question,
    change_state,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import read_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.maintenance_schedules import (
    read_maintenance_schedule,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import selected_dates
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import stanza_timeline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.recurrences import (
    Recurrence,
    monthly_days,
    weekly,
    yearly_dates,
    yearly_days,
)

NOW = "2026-11-21T00:00:00Z"
RULES: dict[str, Recurrence] = {
    "FREQ=DAILY": {"frequency": "Daily", "daily": {"interval": 1}},
    "FREQ=WEEKLY;BYDAY=SA": weekly("Saturday"),
    "FREQ=MONTHLY;BYDAY=1SA": monthly_days(("First", "Saturday")),
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29": yearly_dates("February", 29),
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30": yearly_dates("February", 30),
    "FREQ=YEARLY;BYMONTH=2;BYDAY=5MO": yearly_days("February", ("Fifth", "Monday")),
    "FREQ=MONTHLY;INTERVAL=11;BYDAY=5MO": monthly_days(("Fifth", "Monday"), interval=11),
}
"""What the library reads, and what we read."""
ROUNDS = 5
LIBRARY_SECONDS = 20
POOLS = 100


class GivenUpError(Exception):
    """The library took longer than LIBRARY_SECONDS."""


def next_transition(rule: str) -> None:
    """Read the schedule and find its next transition, as a module does that is asked once."""
    selected_dates.cache_clear()
    schedule = {"permit": {"recurrence": RULES[rule], "startTime": "20:00", "duration": "8h"}}
    read_maintenance_schedule(Field("schedule", schedule)).timeline().at(read_instant(NOW, "now"))


def whole_state(rule: str) -> None:
    """Work out everything that change_state returns: metrics, windows, the last change."""
    selected_dates.cache_clear()
    schedule = {"permit": {"recurrence": RULES[rule], "startTime": "20:00", "duration": "8h"}}
    timeline = read_maintenance_schedule(Field("schedule", schedule)).timeline()
    change_state(timeline, Question(read_instant(NOW, "now"))).as_data()


def library_date(rule: str) -> None:
    """Find the next date with python-dateutil, from 1970 on as the enhancement demands."""
    rrulestr(rule, dtstart=datetime(1970, 1, 1)).after(datetime(2026, 11, 21), inc=True)


def library_date_with_patience(rule: str) -> None:
    """Do that for at most LIBRARY_SECONDS: a rule that never matches is searched to the year 9999."""

    def give_up(*_signal: object) -> None:
        raise GivenUpError

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LIBRARY_SECONDS)
    try:
        library_date(rule)
    except GivenUpError:
        pass
    finally:
        signal.alarm(0)


def milliseconds(work: Callable[[str], None], rule: str, rounds: int) -> float:
    """Return the median time of ``rounds`` runs."""
    times = []
    for _round in range(rounds):
        began = time.perf_counter()
        work(rule)
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def large_cluster() -> float:
    """Return the milliseconds for the states of POOLS pools, each with a policy of its own."""
    policies = {f"p{number}": _policy(number) for number in range(POOLS)}
    question = Question(read_instant(NOW, "now"))
    selected_dates.cache_clear()
    began = time.perf_counter()
    for name in policies:
        change_state(
            stanza_timeline({"strategy": "ByPolicy", "byPolicy": {"name": name}}, policies), question
        ).as_data()
    return (time.perf_counter() - began) * 1000


def _policy(number: int) -> dict[str, t.Any]:
    permit = {"recurrence": list(RULES.values())[number % 4], "startTime": f"{number % 24:02}:30", "duration": "8h"}
    return {"spec": {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": permit}}}


def main() -> None:
    """Print one line for each rule and the medians."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    ratios, slowest = [], 0.0
    print(f"{'rule':40} {'ours':>9} {'state':>9} {'dateutil':>11} {'ratio':>9}   milliseconds, median of {rounds}")
    for rule in RULES:
        milliseconds(next_transition, rule, 1)
        ours = milliseconds(next_transition, rule, rounds * 20)
        state = milliseconds(whole_state, rule, rounds * 20)
        library = milliseconds(library_date_with_patience, rule, rounds if "MONTH=2;BYMONTHDAY=30" not in rule else 1)
        ratios.append(library / ours)
        slowest = max(slowest, ours)
        print(f"{rule:40} {ours:9.3f} {state:9.3f} {library:11.1f} {library / ours:9.0f}")
    print(f"median ratio {statistics.median(ratios):.0f} (at least 50), slowest {slowest:.3f} ms (at most 5)")
    print(f"{POOLS} pools with a policy each: {large_cluster():.0f} ms")


if __name__ == "__main__":
    main()
