# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A WebSocket whose handshake and messages end with a deadline, even if they arrive byte by byte."""

from __future__ import annotations

import typing as t
from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

_SHORTEST_TIMEOUT = 1.0


def bounded_websocket(library: t.Any, deadline: Deadline, **settings: t.Any) -> t.Any:
    """Return a WebSocket of the package ``library``; its attribute ``deadline`` may be replaced between messages."""

    class BoundedWebSocket(library.WebSocket):
        """The library reads from ``sock``, the handshake included."""

        def __setattr__(self, name: str, value: t.Any) -> None:
            is_socket = name == "sock" and value is not None
            super().__setattr__(name, _BoundedSocket(value, lambda: self.deadline) if is_socket else value)

    BoundedWebSocket.deadline = deadline
    return BoundedWebSocket(**settings)


class _BoundedSocket:
    """The socket ``plain``, which receives until the deadline that ``deadline`` returns."""

    def __init__(self, plain: t.Any, deadline: Callable[[], Deadline]) -> None:
        self._plain, self._deadline = plain, deadline
        self._longest = plain.gettimeout()

    def __getattr__(self, name: str) -> t.Any:
        return getattr(self._plain, name)

    def settimeout(self, seconds: float) -> None:
        """Set the longest silence in seconds."""
        self._longest = seconds
        self._plain.settimeout(seconds)

    def recv(self, size: int) -> bytes:
        """Return what is there, or wait for it as long as there is time."""
        deadline = self._deadline()
        left = max(deadline.seconds, _SHORTEST_TIMEOUT) - deadline.elapsed
        if left <= 0:
            raise TimeoutError("no complete message arrived in time")
        self._plain.settimeout(min(left, self._longest or left))
        content: bytes = self._plain.recv(size)
        return content
