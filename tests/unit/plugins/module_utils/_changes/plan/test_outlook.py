# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is told of a policy when it is written."""

from __future__ import annotations

import time
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.local_time import local_time
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    DAY,
    read_instant,
    write_date,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.outlook import Outlook, outlook
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.permissions import estimate_of
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policies import read_policy
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.recurrences import (
    monthly_dates,
    weekly,
    yearly_dates,
    yearly_days,
)

NOW = read_instant("2026-11-25T12:00:00Z", "now")
SATURDAYS = {"recurrence": weekly("Saturday"), "startTime": "20:00", "duration": "8h"}
HOUR = 3600


def told(schedule: t.Any, seconds: int = 0) -> Outlook:
    policy = {"strategy": "MaintenanceSchedule", **({} if schedule is None else {"maintenanceSchedule": schedule})}
    found = outlook(read_policy(Field("policy", policy)), NOW, estimate_of(seconds))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("schedule", "seconds", "words"),
    [
        pytest.param(None, 0, "without a schedule never opens", id="no schedule"),
        pytest.param({"permit": {"recurrence": yearly_dates("February", 30)}}, 0, "never opens", id="no such date"),
        pytest.param(
            {"permit": SATURDAYS, "exclude": [{"fromDate": "2026-01-01", "untilDate": "9999-12-31"}]},
            0,
            "never opens again",
            id="all excluded",
        ),
        pytest.param(
            {"permit": {"recurrence": yearly_days("February", ("Fifth", "Monday"))}}, 0, "two years away", id="2044"
        ),
        pytest.param({"permit": {"recurrence": None}}, 0, "open without an end", id="every day"),
        pytest.param({"exclude": [{"fromDate": "2026-12-24"}]}, 0, "only excludes dates", id="no windows"),
        pytest.param({"permit": {**SATURDAYS, "duration": "30s"}}, 0, "30 s long", id="too short to notice"),
        pytest.param({"permit": SATURDAYS}, 9 * HOUR, "it may take 9h, and the longest lasts 8h", id="too short"),
        pytest.param({"permit": {"recurrence": monthly_dates([1], 5)}}, 0, "every four months", id="five months"),
        pytest.param({"permit": {"recurrence": monthly_dates([1], 8)}}, 0, "full support", id="eight months"),
        pytest.param({"permit": {"recurrence": yearly_dates("February", 29)}}, 0, "kubelets", id="leap days"),
        pytest.param(
            {"permit": SATURDAYS, "exclude": [{"fromDate": "2026-12-05"}]},
            0,
            "2026-12-06T00:00:00Z until 2026-12-06T04:00:00Z",
            id="the tail of an excluded day",
        ),
    ],
)
def test_what_is_hardly_meant_is_told(schedule: t.Any, seconds: int, words: str) -> None:
    (warning,) = told(schedule, seconds).warnings
    assert words in warning


def test_a_sane_policy_is_told_without_a_warning() -> None:
    found = told({"permit": SATURDAYS, "exclude": [{"fromDate": "2026-12-19", "untilDate": "2026-12-21"}]}, 8 * HOUR)
    data = found.as_data(local_time("Europe/Berlin"))
    assert found.warnings == ()
    assert (data["hours_per_month"], data["longest_gap"]) == (34.3, "13d 16h")
    assert [one["start"] for one in data["next_windows"]][:2] == ["2026-11-28T20:00:00Z", "2026-12-05T20:00:00Z"]
    assert len(data["next_windows"]) == 5
    assert data["next_windows"][0]["words"] == (
        "2026-11-28T20:00:00Z (Sat 2026-11-28 21:00 CET) until 2026-11-29T04:00:00Z (Sun 2026-11-29 05:00 CET)"
    )
    assert [(one["start"], one["left"]) for one in data["cut_by_exclusions"]] == [("2026-12-19T20:00:00Z", [])]


CHRISTMAS = [{"fromDate": "2026-12-24", "untilDate": "2026-12-27"}, {"fromDate": "2099-01-01"}]
AROUND = ["2026-11-25T12:00:00Z", "2026-12-27T00:00:00Z"]


@pytest.mark.parametrize(
    ("schedule", "cuts"),
    [
        pytest.param({"exclude": CHRISTMAS}, [(AROUND[0], None, AROUND)], id="dates alone"),
        pytest.param({"permit": {"recurrence": None}, "exclude": CHRISTMAS}, [(AROUND[0], None, AROUND)], id="days"),
        pytest.param({"exclude": CHRISTMAS[1:]}, [], id="later than is looked at"),
        pytest.param(
            {"permit": SATURDAYS, "exclude": [{"fromDate": "2026-12-05"}, {"fromDate": "2026-12-20"}]},
            [
                ("2026-12-05T20:00:00Z", "2026-12-06T04:00:00Z", ["2026-12-06T00:00:00Z"]),
                ("2026-12-19T20:00:00Z", "2026-12-20T04:00:00Z", ["2026-12-19T20:00:00Z"]),
            ],
            id="beginning and end of a window",
        ),
    ],
)
def test_what_exclusions_cut(schedule: t.Any, cuts: list[tuple[str, str | None, list[str]]]) -> None:
    found = told(schedule).as_data()["cut_by_exclusions"]
    assert [(one["start"], one["end"], [piece["start"] for piece in one["left"]]) for one in found] == cuts


def test_many_exclusions_do_not_make_the_writer_wait() -> None:
    days = [{"fromDate": write_date(NOW // DAY + 2 * number)} for number in range(1000)]
    schedule = {"permit": {"recurrence": {"frequency": "Daily", "daily": {"interval": 2}}}, "exclude": days}
    taken = []
    for _turn in range(3):
        began = time.process_time()
        told(schedule)
        taken.append(time.process_time() - began)
    assert min(taken) < 0.05
