# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether work of known length may be begun, and when next."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.clock_comparison import ClockComparison
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import read_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.permissions import (
    estimate_of,
    permission_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import Resource, ResourceName
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import (
    Given,
    Governance,
    judge,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import Entries
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Permission
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.recurrences import (
    weekly,
)

WORKER = Resource(ResourceName("MachineConfigPool", "worker"))
BY_POLICY = {"strategy": "ByPolicy", "byPolicy": {"name": "p"}}
SATURDAY = weekly("Saturday")
LONG_FIRST = [{"fromDate": "2026-11-29"}]
HOUR = 3600


def asked(now: str, hours: float, length: str = "4h", exclude: t.Any = None, stanza: t.Any = None) -> Permission:
    instant = read_instant(now, "now")
    permit = {"recurrence": SATURDAY, "startTime": "22:00", "duration": length}
    spec = {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": permit, "exclude": exclude}}
    given = Given(stanza=stanza or BY_POLICY, policies={"p": {"spec": spec}})
    (judged,) = judge(
        [WORKER], Governance(Entries("p"), Entries("a"), given), ClockComparison(instant, instant, instant, 30), 1
    )
    return permission_of(judged, estimate_of(int(hours * HOUR)))


@pytest.mark.parametrize(
    ("now", "hours", "permitted", "following"),
    [
        pytest.param("2026-11-28T22:00:00Z", 4, True, "", id="as long as the window"),
        pytest.param("2026-11-28T23:00:00Z", 4, False, "2026-12-05T22:00:00Z", id="a second too late"),
        pytest.param("2026-11-27T12:00:00Z", 4, False, "2026-11-28T22:00:00Z", id="closed"),
        pytest.param("2026-11-27T12:00:00Z", 0, False, "2026-11-28T22:00:00Z", id="closed, of no known length"),
    ],
)
def test_what_is_next_is_as_long_as_the_work(now: str, hours: float, permitted: bool, following: str) -> None:
    found = asked(now, hours)
    assert (found.permitted, found.next_permitted, found.hopeless) == (permitted, following, "")


def test_a_window_that_an_exclusion_has_cut_is_passed_over() -> None:
    assert asked("2026-11-27T12:00:00Z", 3, exclude=LONG_FIRST).next_permitted == "2026-12-05T22:00:00Z"
    assert asked("2026-11-27T12:00:00Z", 2, exclude=LONG_FIRST).next_permitted == "2026-11-28T22:00:00Z"


@pytest.mark.parametrize("now", ["2026-11-27T12:00:00Z", "2026-11-28T22:00:00Z"], ids=["closed", "open"])
def test_windows_that_are_never_long_enough_are_an_error(now: str) -> None:
    found = asked(now, 2, "1h")
    assert (found.permitted, found.next_permitted) == (False, "")
    assert found.hopeless == "it may take 2h, and the longest window within two years lasts 1h"


def test_a_restriction_without_end_is_no_error_of_the_windows() -> None:
    found = asked("2026-11-27T12:00:00Z", 2, stanza={"strategy": "Restrictive"})
    assert (found.permitted, found.next_permitted, found.hopeless) == (False, "", "")


TITLE = "MachineConfigPool worker"


@pytest.mark.parametrize(
    ("now", "hours", "stanza", "words"),
    [
        pytest.param("2026-11-28T22:00:00Z", 0, None, f"change of {TITLE} is permitted for 4h", id="a window"),
        pytest.param("2026-11-28T22:00:00Z", 0, {"strategy": "Permissive"}, "is permitted", id="without end"),
        pytest.param("2026-11-28T22:00:00Z", 1, None, "is permitted for 4h; it may take 1h", id="and what it takes"),
        pytest.param(
            "2026-11-28T23:00:00Z",
            4,
            None,
            f"it may take 4h, and change of {TITLE} is permitted for another 3h",
            id="open for too short a time",
        ),
    ],
)
def test_what_a_permission_says(now: str, hours: float, stanza: t.Any, words: str) -> None:
    assert asked(now, hours, stanza=stanza).sentence.endswith(words)


def test_a_refusal_says_what_is_restricted_and_why() -> None:
    assert asked("2026-11-27T12:00:00Z", 1).sentence.startswith(f"{TITLE}: ")
