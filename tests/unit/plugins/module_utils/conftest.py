# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Time for tests: a clock that moves only when it is told to."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest


class FakeClock:
    """A Clock whose sleep moves it on; ``slept`` records every pause that was asked for."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 22, 0, tzinfo=timezone.utc)
        self.elapsed = 0.0
        self.slept: list[float] = []

    def utcnow(self) -> datetime:
        return self.now + timedelta(seconds=self.elapsed)

    def monotonic(self) -> float:
        return self.elapsed

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        self.elapsed += max(0.0, seconds)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()
