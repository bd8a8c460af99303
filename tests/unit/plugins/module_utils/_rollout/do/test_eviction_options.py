# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.evictions import EvictionOptions
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pod_filters import DrainRules

CORDONED = datetime(2026, 11, 21, 22, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("timeout", "seconds", "overdue"),
    [(0, 100000, False), (60, 59, False), (60, 60, True), (60, 61, True)],
)
def test_when_budgets_have_had_their_time(timeout: int, seconds: int, overdue: bool) -> None:
    options = EvictionOptions(DrainRules(), budget_timeout=timeout)
    assert options.is_overdue(CORDONED, CORDONED + timedelta(seconds=seconds)) is overdue


def test_without_a_record_of_the_cordon_budgets_have_all_the_time() -> None:
    assert not EvictionOptions(DrainRules(), budget_timeout=1).is_overdue(None, CORDONED)
