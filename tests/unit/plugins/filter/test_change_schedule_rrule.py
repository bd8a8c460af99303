# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""change_schedule_rrule: what AWX takes as the schedule of a job, and nothing that it refuses."""

from __future__ import annotations

import re

import pytest

from ansible_collections.fieldops.openshift.plugins.filter.change_schedule_rrule import change_schedule_rrule
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.recurrences import (
    Recurrence,
    monthly_dates,
    monthly_days,
    weekly,
    yearly_dates,
)

NOW = "2026-11-21T10:00:00Z"


@pytest.mark.parametrize(
    ("permit", "rrule"),
    [
        pytest.param(
            {"recurrence": {"frequency": "Daily", "daily": {"interval": 1}}, "startTime": "22:00"},
            "DTSTART:20261121T220000Z RRULE:FREQ=DAILY;INTERVAL=1",
            id="daily",
        ),
        pytest.param(
            {"recurrence": monthly_days(("First", "Saturday"))},
            "DTSTART:20261205T000000Z RRULE:FREQ=MONTHLY;INTERVAL=1;BYDAY=SA;BYSETPOS=1",
            id="an ordinal, which AWX refuses in BYDAY",
        ),
        pytest.param(
            {"recurrence": monthly_days(("First", "Saturday"), ("Last", "Sunday"))},
            "DTSTART:20261129T000000Z RRULE:FREQ=MONTHLY;INTERVAL=1;BYDAY=SU;BYSETPOS=-1 "
            "RRULE:FREQ=MONTHLY;INTERVAL=1;BYDAY=SA;BYSETPOS=1",
            id="two ordinals",
        ),
        pytest.param(
            {"recurrence": monthly_dates([1, 15]), "startTime": "03:30"},
            "DTSTART:20261201T033000Z RRULE:FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=1 "
            "RRULE:FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=15",
            id="two dates, which AWX refuses in one rule",
        ),
        pytest.param(
            {"recurrence": weekly("Sunday", interval=2)},
            "DTSTART:20261122T000000Z RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
            id="every other week",
        ),
    ],
)
def test_rrule(permit: Recurrence, rrule: str) -> None:
    policy = {"spec": {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": permit}}}
    assert change_schedule_rrule(policy, NOW) == rrule
    assert change_schedule_rrule(permit, NOW) == rrule
    assert not re.search(r"BYDAY=[-0-9]|BYMONTHDAY=-?[0-9]+,|BYMONTH=[0-9]+,", rrule), "AWX refuses these"


def test_a_window_that_opens_this_second_is_not_missed() -> None:
    permit = {"startTime": "10:00", "duration": "1h"}
    assert change_schedule_rrule(permit, NOW).startswith("DTSTART:20261121T100000Z")


@pytest.mark.parametrize(
    ("document", "complaint"),
    [
        ({"spec": {"strategy": "Restrictive"}}, "no windows"),
        ({"spec": {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {}}}, "no windows"),
        ({"strategy": "ByPolicy", "byPolicy": {"name": "p"}}, "stanza"),
        ({"recurrence": yearly_dates("February", 30)}, "never open"),
        ({"recurrence": "FREQ=DAILY"}, "not a mapping"),
    ],
)
def test_what_has_no_windows_is_refused(document: Recurrence, complaint: str) -> None:
    with pytest.raises(Exception, match=complaint):
        change_schedule_rrule(document, NOW)
