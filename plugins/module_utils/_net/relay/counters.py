# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a relay has done so far, counted by many threads."""

from __future__ import annotations

import threading
from dataclasses import dataclass


@dataclass(frozen=True)
class Served:
    """Connections that are open now; requests answered, bytes of bodies sent, and requests or peers refused so far."""

    connections: int = 0
    requests: int = 0
    bytes: int = 0
    refused: int = 0


class Counters:
    """Counts, and reports how many connections each address has."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_address: dict[str, int] = {}
        self._requests = 0
        self._bytes = 0
        self._refused = 0

    def admit(self, address: str, *, connections: int, per_address: int) -> bool:
        """Count a connection of ``address``, unless that would be more than ``connections`` or ``per_address``."""
        with self._lock:
            open_here = self._by_address.get(address, 0)
            if open_here >= per_address or sum(self._by_address.values()) >= connections:
                return False
            self._by_address[address] = open_here + 1
            return True

    def leave(self, address: str) -> None:
        """Count the end of an admitted connection."""
        with self._lock:
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

    def answered(self, *, refused: bool = False) -> None:
        """Count an answer."""
        with self._lock:
            self._requests += 1
            self._refused += refused

    def turned_away(self) -> None:
        """Count a connection that was closed unheard."""
        with self._lock:
            self._refused += 1

    def sent(self, count: int) -> None:
        """Count bytes of a body."""
        with self._lock:
            self._bytes += count

    def read(self) -> Served:
        """Return all counts of one instant."""
        with self._lock:
            return Served(sum(self._by_address.values()), self._requests, self._bytes, self._refused)
