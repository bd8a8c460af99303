# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bound on waiting that travels with the work, measured on a monotonic clock."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock


class Deadline:
    """``seconds`` from now on ``clock``; passed down so that inner waits never outlast the outer one."""

    def __init__(self, seconds: float, clock: Clock) -> None:
        self.clock = clock
        self.seconds = seconds
        self._started = clock.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the deadline was set."""
        return self.clock.monotonic() - self._started

    @property
    def remaining(self) -> float:
        """Seconds left, never below zero."""
        return max(0.0, self.seconds - self.elapsed)

    @property
    def expired(self) -> bool:
        """Whether no time is left."""
        return self.remaining <= 0.0

    def within(self, seconds: float) -> Deadline:
        """Return a deadline of at most ``seconds`` that ends no later than this one."""
        return Deadline(min(seconds, self.remaining), self.clock)

    def pause(self, seconds: float) -> None:
        """Sleep ``seconds``, or until the deadline if that comes first."""
        self.clock.sleep(min(seconds, self.remaining))

    def require(self, attempted: str, *, on: str, seen: str, advice: str) -> None:
        """Raise DeadlineExceededError with these words when no time is left."""
        if self.expired:
            raise DeadlineExceededError(attempted, on=on, seen=f"after {self.seconds:.0f} s {seen}", advice=advice)
