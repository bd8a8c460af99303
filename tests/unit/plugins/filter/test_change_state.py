# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""change_state, change_windows and the test change_permitted: what they return and which questions they refuse."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.filter.change_schedule_rrule import change_schedule_rrule
from ansible_collections.fieldops.openshift.plugins.filter.change_state import FilterModule, change_state
from ansible_collections.fieldops.openshift.plugins.filter.change_windows import change_windows
from ansible_collections.fieldops.openshift.plugins.test import change_permitted as test_plugin

SATURDAY_NIGHT = {
    "spec": {
        "strategy": "MaintenanceSchedule",
        "maintenanceSchedule": {
            "permit": {
                "recurrence": {"frequency": "Weekly", "weekly": {"daysOfWeek": ["Saturday"], "interval": 1}},
                "startTime": "20:00",
                "duration": "8h",
            },
            "exclude": [{"fromDate": "2026-12-24", "untilDate": "2027-01-02", "reason": "holidays"}],
        },
    }
}
STANZA = {"strategy": "ByPolicy", "byPolicy": {"name": "saturday-night"}}
PAUSED = {"strategy": "Restrictive"}
POLICIES = {"saturday-night": SATURDAY_NIGHT}
NIGHT = "2026-11-21T21:00:00Z"


def test_the_result_is_data_with_metrics_under_their_names() -> None:
    state = change_state(STANZA, POLICIES, "2026-11-21T10:48:00Z")
    assert state == {
        "permitted": False,
        "reason": "change is restricted: the maintenance schedule of policy saturday-night is closed, until "
        "2026-11-21T20:00:00Z, for 9h 12m",
        "reason_code": "MaintenanceSchedule",
        "strategy": "MaintenanceSchedule",
        "now": "2026-11-21T10:48:00Z",
        "next_transition": "2026-11-21T20:00:00Z",
        "next_windows": [
            {"start": "2026-11-21T20:00:00Z", "end": "2026-11-22T04:00:00Z", "seconds": 28800},
            {"start": "2026-11-28T20:00:00Z", "end": "2026-11-29T04:00:00Z", "seconds": 28800},
            {"start": "2026-12-05T20:00:00Z", "end": "2026-12-06T04:00:00Z", "seconds": 28800},
        ],
        "change_management_change_pending": 2,
        "change_management_next_change_eta": 33120,
        "change_management_permissive_remaining": 0,
        "change_management_last_change": 542880,
        "change_management_strategy_enabled": {"MaintenanceSchedule": 1, "Permissive": 0, "Restrictive": 0},
    }


def test_an_exclusion_is_the_reason_where_it_is() -> None:
    state = change_state(STANZA, POLICIES, now="2026-12-26T21:00:00Z", windows=1)
    assert state["reason_code"] == "Excluded"
    assert "the dates from 2026-12-24 until before 2027-01-02 are excluded (holidays)" in state["reason"]
    assert state["next_windows"] == [{"start": "2027-01-02T20:00:00Z", "end": "2027-01-03T04:00:00Z", "seconds": 28800}]


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        pytest.param({"now": "2026-11-21T20:00:00"}, "offset", id="a time that could be any zone's"),
        pytest.param({"windows": 100000}, "windows", id="more windows than anybody reads"),
    ],
)
def test_questions_without_a_meaning_are_refused(question: dict[str, t.Any], complaint: str) -> None:
    with pytest.raises(AnsibleFilterError, match=complaint):
        change_state(STANZA, POLICIES, **question)


@pytest.mark.parametrize("refusing", [change_windows, change_schedule_rrule, test_plugin.change_permitted])
def test_the_other_plugins_refuse_them_too(refusing: t.Callable[..., t.Any]) -> None:
    with pytest.raises(AnsibleFilterError, match="offset"):
        refusing(STANZA, now="2026-11-21T20:00:00")


def test_the_test_gives_the_same_answer() -> None:
    permitted = test_plugin.change_permitted
    assert permitted(STANZA, POLICIES, now="2026-11-21T20:00:00Z") is True
    assert permitted(STANZA, POLICIES, now="2026-11-22T04:00:00Z") is False
    assert test_plugin.TestModule().tests() == {"change_permitted": permitted}
    assert FilterModule().filters() == {"change_state": change_state}


def test_windows_are_listed_from_the_present_on() -> None:
    assert [window["seconds"] <= 28800 for window in change_windows(STANZA, 2, POLICIES)] == [True, True]
    assert change_windows(PAUSED, 2, POLICIES) == []
    assert change_windows(STANZA, 0, POLICIES) == []


def test_an_endless_window_has_no_end() -> None:
    windows = change_windows({"strategy": "Permissive"}, now="2026-11-21T20:00:00Z")
    assert windows == [{"start": "2026-11-21T20:00:00Z", "end": None, "seconds": None}]


def test_windows_of_a_policy_are_listed_and_a_fault_is_not_the_same_as_none() -> None:
    assert change_windows(SATURDAY_NIGHT, 1, now=NIGHT)[0]["end"] == "2026-11-22T04:00:00Z"
    for wrong in ({"strategy": "Sometimes"}, {"strategy": "ByPolicy", "byPolicy": {"name": "missing"}}):
        with pytest.raises(AnsibleFilterError):
            change_windows(wrong, 1)
