# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real clock."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock


def test_instants_carry_utc() -> None:
    assert SystemClock().utcnow().utcoffset() == timedelta(0)


def test_sleep_lets_monotonic_time_pass() -> None:
    clock = SystemClock()
    before = clock.monotonic()
    clock.sleep(0.01)
    assert clock.monotonic() - before >= 0.01


@pytest.mark.parametrize("seconds", [0, -1.0])
def test_nothing_to_sleep_returns_at_once(seconds: float) -> None:
    clock = SystemClock()
    before = clock.monotonic()
    clock.sleep(seconds)
    assert clock.monotonic() - before < 0.5
