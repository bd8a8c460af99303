# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""change_schedules: a schedule of a job for each policy that has windows."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.filter.change_schedules import change_schedules
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.recurrences import weekly

UPDATE = {"name": "site-a window", "unified_job_template": "site-a update"}


def windows(interval: int) -> dict[str, object]:
    """Return a policy whose windows open on Saturdays at 20:00 UTC."""
    permit = {"recurrence": weekly("Saturday", interval=interval), "startTime": "20:00", "duration": "6h"}
    return {"spec": {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": permit}}}


def test_each_policy_with_windows_has_a_schedule() -> None:
    policies = {
        "weekly": windows(1),
        "never": {"spec": {"strategy": "Restrictive"}},
        "always": {"spec": {"strategy": "Permissive"}},
        "every-other-week": windows(2),
    }
    assert change_schedules(policies, UPDATE) == [
        {
            "name": "site-a window weekly",
            "unified_job_template": "site-a update",
            "rrule": "DTSTART:20260103T200000Z RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=SA",
        },
        {
            "name": "site-a window every-other-week",
            "unified_job_template": "site-a update",
            "rrule": "DTSTART:20260103T200000Z RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SA",
        },
    ]


def test_a_policy_that_breaks_a_rule_is_refused() -> None:
    with pytest.raises(Exception, match=r"weekly.*strategy"):
        change_schedules({"weekly": {"spec": {"strategy": "Sometimes"}}}, UPDATE)
