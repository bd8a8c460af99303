# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How often a job is checked: soon at first, so that a short one is seen at once, and seldom while it lasts."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.backends import watch
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock


@pytest.mark.parametrize(("ends", "latest", "checks"), [(0.1, 0.15, 4), (1.0, 1.1, 25), (20.0, 21.0, 90)])
def test_an_end_is_seen_within_a_twentieth_of_the_time_by_few_checks(
    clock: FakeClock, ends: float, latest: float, checks: int
) -> None:
    deadline = Deadline(25.0, clock)
    assert watch(lambda: deadline.elapsed, lambda seconds: seconds >= ends, deadline) <= latest
    assert len(clock.slept) <= checks


def test_at_the_deadline_the_last_check_counts(clock: FakeClock) -> None:
    deadline = Deadline(25.0, clock)
    assert watch(lambda: deadline.elapsed, lambda _seconds: False, deadline) == 25.0
    assert len(clock.slept) < 100
