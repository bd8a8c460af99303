# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real time: the only place of this collection that asks the operating system for it."""

from __future__ import annotations

import time
from datetime import datetime, timezone


class SystemClock:
    """A ``Clock`` (see _terms/protocols.py) over the machine's own clocks."""

    def utcnow(self) -> datetime:
        """Return the present instant as a timezone-aware datetime in UTC."""
        return datetime.now(timezone.utc)

    def monotonic(self) -> float:
        """Return seconds that never go backwards; only differences mean anything."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Let ``seconds`` pass; zero or less returns at once."""
        if seconds > 0:
            time.sleep(seconds)
