# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The rate limit of nginx: a bucket for each client address that leaks at a steady rate.

Copies ``ngx_http_limit_req_lookup`` with ``nodelay``: ``burst`` requests may come at once, then one per interval.
"""

from __future__ import annotations

import threading
import time


class RateLimit:
    """The buckets of one zone."""

    def __init__(self) -> None:
        self._excess: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def allows(self, client: str, rate: float, burst: int) -> bool:
        """Count a request, and return whether it may pass; one that may not leaves the bucket as it is."""
        if not rate:
            return True
        now = time.monotonic()
        with self._lock:
            excess, before = self._excess.get(client, (-1.0, now))
            excess = max(excess - (now - before) * rate + 1, 0.0)
            if excess > burst:
                return False
            self._excess[client] = excess, now
        return True
