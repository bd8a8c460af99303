# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A connected socket on which every wait is bounded, in the shape in which http.client uses one."""

from __future__ import annotations

import contextlib
import io
import math
import select
import socket
import ssl
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._net.tunnelled_tls import TunnelledTls
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

Stream = t.Union[socket.socket, TunnelledTls]
_READ_AHEAD = 64 * 1024
_WORTH_WAKING = 64 * 1024
"""Bytes to have arrived until one is woken for more of a long body: over a thin link each packet would wake us."""
_PATIENCE = 1.0
"""Seconds after which one takes less than that."""


class TooSlowError(TimeoutError):
    """Bytes come, but so few that the other side counts as stalled."""


class Pace:
    """How fast the other side sends: ``rate`` bytes a second, on an average over ``seconds`` of waiting, is enough.

    Until the first byte of an answer comes nothing is measured, nor while this side is busy with what came.
    """

    def __init__(self, rate: int, seconds: float) -> None:
        self._rate = rate
        self._seconds = seconds
        self._count = 0
        self._waited = 0.0
        self._begun = False

    def restart(self) -> None:
        """Begin with another answer."""
        self._begun = False

    def note(self, count: int, waited: float) -> None:
        """Take note of ``count`` bytes that came after ``waited`` seconds."""
        self._count = count + (self._count if self._begun else 0)
        self._waited = self._waited + waited if self._begun else 0.0
        self._begun = True

    def require(self) -> None:
        """Raise TooSlowError when too little came in the time that has passed."""
        if not self._begun or self._waited < self._seconds:
            return
        if self._count < self._rate * self._seconds:
            raise TooSlowError(f"fewer than {self._rate} bytes per second arrived for {self._seconds:.0f} s")
        self._count, self._waited = 0, 0.0


class BoundedSocket:
    """Waits for the other side until ``deadline``, at most ``stall_seconds`` for the next byte, and not at any pace.

    When it has waited too long, the call in progress raises TimeoutError (``socket.timeout`` before Python 3.10).
    """

    def __init__(self, connected: Stream, stall_seconds: float, deadline: Deadline, pace: Pace | None = None) -> None:
        self._socket = connected
        self._stall_seconds = stall_seconds
        self._pace = pace or Pace(0, math.inf)
        self._surplus = False
        self._wakes_at = 1
        self._deadline = deadline
        self.reader = self._new_reader()

    def begin(self, deadline: Deadline) -> None:
        """Begin an exchange that is bounded by ``deadline``."""
        self._deadline = deadline
        self._pace.restart()

    def sendall(self, block: bytes) -> None:
        """Send the whole ``block``."""
        view = memoryview(block)
        while view:
            self._bound_wait(self._deadline.remaining)
            view = view[self._socket.send(view) :]

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return a new reader, which is also ``reader`` from now on; http.client asks for one for each answer."""
        if mode != "rb":
            raise ValueError(mode)
        self.reader = self._new_reader()
        return self.reader

    def receive_into(self, view: memoryview) -> int:
        """Receive what is there into ``view``, waiting for the first byte; return its size, 0 at the end."""
        self._pace.require()
        begun = self._deadline.elapsed
        count = self._receive(view, self._deadline.seconds - begun)
        self._pace.note(count, self._deadline.elapsed - begun)
        return count

    def _receive(self, view: memoryview, remaining: float) -> int:
        if self._wakes_at > 1:
            # With time left to take what there is.
            self._bound_wait(min(_PATIENCE, remaining / 2))
            try:
                return self._socket.recv_into(view)
            except (TimeoutError, socket.timeout):
                self.expect(0)
            remaining = self._deadline.remaining
        self._bound_wait(remaining)
        return self._socket.recv_into(view)

    def expect(self, count: int) -> None:
        """Take note that ``count`` more bytes are certain to come, or will never, so that waiting may be for many.

        Encryption adds to them, and holds back no more than one record, which is shorter than half of them.
        """
        wakes_at = _WORTH_WAKING if count >= 2 * _WORTH_WAKING else 1
        if wakes_at != self._wakes_at:
            # A system that cannot do that wakes us for every packet, as before.
            with contextlib.suppress(OSError):
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, wakes_at)
                self._wakes_at = wakes_at

    def close(self) -> None:
        """Do nothing: http.client closes while the body is still to be read. ``shut`` is the end."""

    def shut(self) -> None:
        """Close the connection."""
        self._socket.close()

    def quiet(self) -> bool:
        """Whether nothing waits to be read, not even the end; only such an idle connection can be used again."""
        if self._surplus or (isinstance(self._socket, (ssl.SSLSocket, TunnelledTls)) and self._socket.pending()):
            return False
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | select.POLLPRI)
        return not poll.poll(0)

    def note_surplus(self) -> None:
        """Remember that more came than belonged to the answer."""
        self._surplus = True

    def _new_reader(self) -> io.BufferedReader:
        return _Reader(_Receiver(self), self)

    def _bound_wait(self, seconds: float) -> None:
        if seconds <= 0:
            raise TimeoutError
        wait = min(self._stall_seconds, seconds)
        if wait != self._socket.gettimeout():
            self._socket.settimeout(wait)


class _Receiver(io.RawIOBase):
    def __init__(self, bounded: BoundedSocket) -> None:
        super().__init__()
        self._bounded = bounded
        self.muted = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: t.Any) -> int | None:
        return None if self.muted else self._bounded.receive_into(memoryview(buffer))


class _Reader(io.BufferedReader):
    """A reader that reports on closing whether it had read ahead beyond what was taken from it."""

    def __init__(self, receiver: _Receiver, bounded: BoundedSocket) -> None:
        super().__init__(receiver, _READ_AHEAD)
        self._receiver = receiver
        self._bounded = bounded

    def close(self) -> None:
        if not self.closed:
            self._receiver.muted = True
            if self.peek(1):
                self._bounded.note_surplus()
        super().close()
