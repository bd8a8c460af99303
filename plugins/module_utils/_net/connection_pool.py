# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Kept-alive connections by route, each lent to one thread at a time."""

from __future__ import annotations

import threading
from collections import defaultdict, deque

from ansible_collections.fieldops.openshift.plugins.module_utils._net.connections import Connection, Route
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock


class ConnectionPool:
    """Idle connections; at most ``idle_connections`` for each route, none idle for ``idle_seconds``."""

    def __init__(self, limits: HttpLimits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        self._idle: defaultdict[Route, deque[Connection]] = defaultdict(deque)
        self._closed = False

    def take(self, route: Route) -> Connection | None:
        """Return an idle connection that looks alive, the one used last first; None if a new one is needed."""
        while True:
            with self._lock:
                idle = self._idle[route]
                if not idle:
                    return None
                connection = idle.pop()
            fresh = self._clock.monotonic() - connection.idle_since < self._limits.idle_seconds
            if fresh and connection.looks_alive:
                return connection
            connection.close()

    def give_back(self, connection: Connection) -> None:
        """Keep ``connection`` for the next request; the one idle for longest is closed when there are too many."""
        connection.idle_since = self._clock.monotonic()
        surplus = connection
        with self._lock:
            if not self._closed:
                idle = self._idle[connection.route]
                idle.append(connection)
                if len(idle) <= self._limits.idle_connections:
                    return
                surplus = idle.popleft()
        surplus.close()

    def close(self) -> None:
        """Close idle connections. Connections that are returned later are closed then."""
        with self._lock:
            self._closed = True
            idle = [connection for connections in self._idle.values() for connection in connections]
            self._idle.clear()
        for connection in idle:
            connection.close()
