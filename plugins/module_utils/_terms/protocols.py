# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The small interfaces through which rooms see the outside, so that tests and plugins can stand in for it."""

from __future__ import annotations

import typing as t
from datetime import datetime


class Clock(t.Protocol):
    """Time as this collection uses it: UTC for records, monotonic seconds for waiting."""

    def utcnow(self) -> datetime:
        """Return the present instant as a timezone-aware datetime in UTC."""

    def monotonic(self) -> float:
        """Return seconds that never go backwards; only differences mean anything."""

    def sleep(self, seconds: float) -> None:
        """Let ``seconds`` pass; zero or less returns at once."""


class ProgressReporter(t.Protocol):
    """What long work gets as ``progress``: who wants to know how far it has come."""

    def report(
        self, sentence: str | None = None, *, done: int | None = None, total: int | None = None, unit: str | None = None
    ) -> None:
        """Report the progress of the work; omitted values stay."""
