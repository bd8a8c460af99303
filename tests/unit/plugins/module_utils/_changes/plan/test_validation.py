# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documents are told apart by their fields, and what is valid and hardly meant is said."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.outlook import NEVER_OPENS
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
    judgement = validate(document)
    (error,) = judgement.errors
    assert set(error) == {"field", "seen", "rule"}


def test_a_schedule_that_never_opens_is_valid_and_warned_about() -> None:
    assert validate({"recurrence": yearly_dates("February", 30)}).warnings == (NEVER_OPENS,)
    (warning,) = validate({"duration": "30s"}).warnings
    assert "30 s" in warning


def test_every_complaint_is_told_at_once() -> None:
    permit = {"recurrence": {"frequency": "Daily"}, "startTime": 72000, "duration": "1d"}
    exclude = [{"fromDate": "2026-12-32"}, {"fromDate": "2026-12-24"}, {"until": "x", "reasons": "y"}]
    policy = {"strategy": "Sometimes", "maintenanceSchedule": {"permit": permit, "exclude": exclude}}
    found = [error["field"].removeprefix("policy.maintenanceSchedule.") for error in validate(policy).errors]
    assert found == [
        "policy.strategy",
        "permit.recurrence.daily",
        "permit.startTime",
        "permit.duration",
        "exclude[0].fromDate",
        "exclude[2].until",
        "exclude[2].reasons",
    ]


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
