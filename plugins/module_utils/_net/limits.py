# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The bounds within which a client communicates."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HttpLimits:
    """Seconds and numbers that bound every exchange; the deadline of a call bounds it as well, whichever ends first.

    ``connect_seconds`` is for reaching one address and for the TLS handshake, each. ``stall_seconds`` is how long not
    a single byte may move. A source that gives fewer than ``slowest_rate`` bytes a second over ``slow_seconds`` of
    waiting for it counts as stalled as well. ``document_bytes`` bounds a body that is kept in memory. ``redirects``
    are followed for one request. ``idle_connections`` are kept for each route, for ``idle_seconds`` at most.
    """

    connect_seconds: float = 15.0
    stall_seconds: float = 60.0
    slowest_rate: int = 1024
    slow_seconds: float = 60.0
    document_bytes: int = 8 * 1024 * 1024
    redirects: int = 5
    idle_connections: int = 16
    idle_seconds: float = 50.0
