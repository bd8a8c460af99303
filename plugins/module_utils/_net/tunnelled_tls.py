# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""TLS to a server inside TLS to a proxy, which the ssl module does not offer for sockets."""

from __future__ import annotations

import ssl
import time
import typing as t
from collections.abc import Callable

_BLOCK = 64 * 1024
_Given = t.TypeVar("_Given")


class TunnelledTls:
    """What a connected socket is used for here, over ``outer``. Used by one thread at a time."""

    def __init__(self, outer: ssl.SSLSocket, context: ssl.SSLContext, server_hostname: str) -> None:
        """Shake hands within the timeout of ``outer``; raises SSLError and OSError as a socket does."""
        self._outer = outer
        self._timeout = outer.gettimeout()
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=server_hostname)
        self._drive(self._tls.do_handshake)

    def send(self, view: memoryview) -> int:
        """Send some of ``view``; return how many bytes."""
        return self._drive(lambda: self._tls.write(view))

    def recv_into(self, view: memoryview) -> int:
        """Receive into ``view``; return how many bytes, 0 at the end."""
        try:
            return t.cast(int, self._drive(lambda: self._tls.read(len(view), view)))
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return 0

    def pending(self) -> int:
        """Return how much has been received and not been taken yet, of either layer."""
        return self._tls.pending() + self._incoming.pending + self._outer.pending()

    def settimeout(self, seconds: float | None) -> None:
        """Bound each call by ``seconds``."""
        self._timeout = seconds

    def gettimeout(self) -> float | None:
        """Return what bounds each call."""
        return self._timeout

    def setsockopt(self, level: int, option: int, value: int) -> None:
        """Set an option of the socket."""
        self._outer.setsockopt(level, option, value)

    def fileno(self) -> int:
        """Return what can be polled."""
        return self._outer.fileno()

    def close(self) -> None:
        """Close the connection."""
        self._outer.close()

    def _drive(self, step: Callable[[], _Given]) -> _Given:
        """Return what ``step`` gives, once it was given what it needs."""
        ends = None if self._timeout is None else time.monotonic() + self._timeout
        while True:
            missing = False
            try:
                given = step()
            except ssl.SSLWantReadError:
                missing = True
            finally:
                self._flush(ends)
            if not missing:
                return given
            self._feed(ends)

    def _flush(self, ends: float | None) -> None:
        block = self._outgoing.read()
        if block:
            self._bound(ends)
            self._outer.sendall(block)

    def _feed(self, ends: float | None) -> None:
        self._bound(ends)
        block = self._outer.recv(_BLOCK)
        if block:
            self._incoming.write(block)
        else:
            self._incoming.write_eof()

    def _bound(self, ends: float | None) -> None:
        if ends is not None:
            left = ends - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._outer.settimeout(left)
