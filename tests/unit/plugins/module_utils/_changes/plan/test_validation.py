# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documents are told apart by their fields, and what is valid and hardly meant is said."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.maintenance_schedules import (
    read_maintenance_schedule,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.outlook import NEVER_OPENS
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.validation import validate
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.recurrences import (
    yearly_dates,
)

PERMIT = {"recurrence": {"frequency": "Daily", "daily": {"interval": 1}}, "duration": "4h"}
SCHEDULE = {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": PERMIT}}


@pytest.mark.parametrize(
    ("document", "part"),
    [
        (SCHEDULE, "policy"),
        ({"spec": SCHEDULE}, "policy"),
        ({"kind": "HostedChangeManagementPolicy", "metadata": {"name": "p"}, "spec": SCHEDULE}, "policy"),
        ({"strategy": "Restrictive"}, "policy"),
        ({"strategy": "ByPolicy", "byPolicy": {"name": "p"}}, "stanza"),
        ({"changeManagement": {"strategy": "Restrictive"}}, "stanza"),
        ({"kind": "NodePool", "spec": {}}, "stanza"),
        ({"permit": PERMIT}, "schedule"),
        (PERMIT, "permit"),
        (PERMIT["recurrence"], "recurrence"),
    ],
    ids=repr,
)
def test_parts_are_told_apart(document: object, part: str) -> None:
    judgement = validate(document).as_data()
    assert judgement == {"valid": True, "part": part, "errors": [], "warnings": []}


@pytest.mark.parametrize("document", [None, 5, [], {}, {"x": 1}, {"spec": None}, {"strategy": []}], ids=repr)
def test_what_is_nothing_of_that_is_invalid(document: object) -> None:
    errors = validate(document).errors
    assert errors
    assert {frozenset(error) for error in errors} == {frozenset({"field", "seen", "rule"})}


def test_a_schedule_that_never_opens_is_valid_and_warned_about() -> None:
    assert validate({"recurrence": yearly_dates("February", 30)}).warnings == (NEVER_OPENS,)
    (warning,) = validate({"duration": "30s"}).warnings
    assert "30 s" in warning


DAY, DATES = {"by": "Day", "day": {"days": [{"weekOfMonth": "Sixth"}], "interval": 12}}, [32, 0]
DATE = {"by": "Date", "date": {"datesOfMonth": DATES, "month": "Brumaire"}}
WRONG_WEEKS = {"daysOfWeek": ["Someday", "Monday", "Anyday"], "interval": 27, "zone": "UTC"}
EXCLUDED = [{"fromDate": "2026-12-32", "reason": 5}, {"fromDate": "2026-12-24"}, {"until": "x", "reasons": "y"}]


@pytest.mark.parametrize(
    ("document", "fields"),
    [
        pytest.param(
            {
                "strategy": "Sometimes",
                "timeZone": "CET",
                "maintenanceSchedule": {
                    "permit": {"recurrence": {"frequency": "Daily"}, "startTime": 72000, "duration": "1d", "end": 1},
                    "exclude": EXCLUDED,
                    "include": [],
                },
            },
            [
                "policy.timeZone",
                "policy.strategy",
                "policy.maintenanceSchedule.include",
                "policy.maintenanceSchedule.permit.end",
                "policy.maintenanceSchedule.permit.recurrence.daily",
                "policy.maintenanceSchedule.permit.startTime",
                "policy.maintenanceSchedule.permit.duration",
                "policy.maintenanceSchedule.exclude[0].fromDate",
                "policy.maintenanceSchedule.exclude[0].reason",
                "policy.maintenanceSchedule.exclude[2].until",
                "policy.maintenanceSchedule.exclude[2].reasons",
                "policy.maintenanceSchedule.exclude[2].fromDate",
            ],
            id="a policy",
        ),
        pytest.param(
            {"redy": True, "kind": "Policy", "spec": {"strategy": "x"}},
            ["policy.redy", "policy.kind", "policy.spec.strategy"],
            id="an object",
        ),
        pytest.param(
            {"frequency": "Weekly", "weekly": WRONG_WEEKS},
            [
                "recurrence.weekly.zone",
                "recurrence.weekly.daysOfWeek[0]",
                "recurrence.weekly.daysOfWeek[2]",
                "recurrence.weekly.interval",
            ],
            id="weeks",
        ),
        pytest.param(
            {"frequency": "Monthly", "monthly": DAY},
            [
                "recurrence.monthly.day.days[0].weekOfMonth",
                "recurrence.monthly.day.days[0].dayOfWeek",
                "recurrence.monthly.day.interval",
            ],
            id="days of a month",
        ),
        pytest.param(
            {"frequency": "Yearly", "yearly": DATE},
            [
                "recurrence.yearly.date.datesOfMonth[0]",
                "recurrence.yearly.date.datesOfMonth[1]",
                "recurrence.yearly.date.month",
            ],
            id="dates of a year",
        ),
        pytest.param(
            {"strategy": "ByPolcy", "byPolicy": {"nme": "p"}, "permissiveUntil": "soon", "until": "x"},
            [
                "changeManagement.until",
                "changeManagement.strategy",
                "changeManagement.byPolicy.nme",
                "changeManagement.byPolicy.name",
                "changeManagement.permissiveUntil",
            ],
            id="a stanza",
        ),
    ],
)
def test_every_complaint_is_told_at_once(document: object, fields: list[str]) -> None:
    assert [error["field"] for error in validate(document).errors] == fields


def test_a_message_does_not_grow_with_the_number_of_complaints() -> None:
    with pytest.raises(PolicyError) as caught:
        read_maintenance_schedule(Field("s", {"exclude": [{"fromDate": 5}] * 1000}))
    assert len(caught.value.findings()) == 1000
    assert len(str(caught.value)) < 2000
    assert "990 more" in str(caught.value)


@pytest.mark.parametrize(
    ("document", "field", "rule"),
    [
        (
            {"strategy": "MaintenanceSchedule", "permit": {}},
            "policy.permit",
            "Use one of strategy, maintenanceSchedule.",
        ),
        ({"recurrence": None, "timeZone": "x"}, "permit.timeZone", "Use one of recurrence, startTime, duration."),
    ],
)
def test_a_complaint_points_at_the_guilty_field(document: object, field: str, rule: str) -> None:
    (error,) = validate(document).errors
    assert (error["field"], error["rule"]) == (field, rule)
