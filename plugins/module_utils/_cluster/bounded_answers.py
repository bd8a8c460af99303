# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Answers that end in time, even if the server sends some bytes every second and never ends."""

from __future__ import annotations

import io
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

LONGEST_SILENCE = 30.0
"""Seconds without a byte after which a connection counts as lost."""


class SlowAnswerError(TimeoutError):
    """An answer began and was not complete in time."""


def bound_answers(pool_manager: t.Any, clock: Clock) -> None:
    """Let each read timeout of ``pool_manager`` of urllib3 bound a whole answer, head and body, and not only silence.

    LONGEST_SILENCE bounds silence if the timeout is longer.
    """
    pool_manager.pool_classes_by_scheme = {
        scheme: _bounded_pool(pool, clock) for scheme, pool in pool_manager.pool_classes_by_scheme.items()
    }


def _bounded_pool(pool: t.Any, clock: Clock) -> type:
    connection = pool.ConnectionCls
    response = _bounded_response(connection.response_class, clock)
    bounded = type("BoundedConnection", (connection,), {"response_class": response})
    return type("BoundedPool", (pool,), {"ConnectionCls": bounded})


def _bounded_response(base: t.Any, clock: Clock) -> type:
    class BoundedResponse(base):
        """A response of http.client whose reads end together; the timeout of the socket is that of the whole."""

        fp: t.Any

        def __init__(self, sock: t.Any, *args: t.Any, **kwargs: t.Any) -> None:
            super().__init__(sock, *args, **kwargs)
            deadline = Deadline(sock.gettimeout(), clock)
            self.fp = io.BufferedReader(_BoundedStream(self.fp.detach(), sock, deadline))

    return BoundedResponse


class _BoundedStream(io.RawIOBase):
    """The bytes of ``sock`` by its stream ``raw``, until ``deadline``."""

    def __init__(self, raw: t.Any, sock: t.Any, deadline: Deadline) -> None:
        super().__init__()
        self._raw, self._sock, self._deadline = raw, sock, deadline
        self._begun = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: t.Any) -> int | None:
        """Read what is there, or wait for it as long as there is time."""
        left = self._deadline.remaining
        try:
            if left <= 0:
                raise TimeoutError
            self._sock.settimeout(min(left, LONGEST_SILENCE))
            count: int | None = self._raw.readinto(buffer)
        except TimeoutError as error:
            if self._begun and self._deadline.expired:
                raise SlowAnswerError(f"incomplete after {self._deadline.seconds:.0f} s") from error
            raise
        self._begun = True
        return count

    def close(self) -> None:
        """Close the stream, and with it the socket if its connection is closed."""
        if not self.closed:
            self._raw.close()
        super().close()
