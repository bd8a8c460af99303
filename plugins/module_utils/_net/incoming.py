# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An answer whose body is still in transit, read in pieces into memory that the reader provides."""

from __future__ import annotations

import contextlib
import http.client
import re
from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._net.connections import Connection
from ansible_collections.fieldops.openshift.plugins.module_utils._net.failures import quotable
from ansible_collections.fieldops.openshift.plugins.module_utils._net.headers import Headers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.messages import HttpRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

_LENGTH = re.compile(r"[0-9]{1,18}")
_BLOCK = 64 * 1024
_WORTH_DRAINING = 64 * 1024


class IncomingResponse:
    """Status and headers of an answer to ``request``; the body is read once, by ``fill`` or ``read_all``.

    ``length`` is the size of the body in bytes, None when it is known only at its end. ``explain`` turns an exception
    of the connection into an error, ``release`` takes the connection back: whether it can be used again comes with it.
    """

    def __init__(
        self,
        request: HttpRequest,
        answer: http.client.HTTPResponse,
        connection: Connection,
        *,
        explain: Callable[[OSError | http.client.HTTPException], FieldOpsError],
        release: Callable[[Connection, bool], None],
    ) -> None:
        self.request = request
        self.status = answer.status
        self.reach = connection.reach
        self.headers = Headers(answer.getheaders())
        self.retry_after: float | None = None
        self._answer = answer
        self._connection = connection
        self._explain = explain
        self._release = release
        self._failure: FieldOpsError | None = None
        self._closed = False
        self.length = self._framing()
        self._left = self.length
        self._ended = self.length == 0

    def fill(self, view: memoryview) -> int:
        """Read into ``view`` until it is full or the body ends; return the number of bytes, 0 only at the end.

        A failure after some bytes is raised by the next call, so that these bytes are not lost. Raises TransferError
        (transient for a broken connection, a stall, a body shorter than announced), TlsError, DeadlineExceededError.
        """
        filled = 0
        while filled < len(view) and not self._ended and self._failure is None:
            try:
                received = self._receive(view[filled:])
            except (OSError, http.client.HTTPException) as exc:
                self._failure = self._explain(exc)
                self._failure.__cause__ = quotable(exc)
                break
            filled += received
            self._ended = received == 0 or self._left == 0
        if filled == 0 and self._failure is not None:
            raise self._failure
        return filled

    def read_all(self, limit: int) -> bytes:
        """Return the whole body; TransferError if it has more than ``limit`` bytes."""
        body = bytearray()
        view = memoryview(bytearray(min(_BLOCK, limit + 1)))
        while self.length is None or self.length <= limit:
            count = self.fill(view)
            if count == 0:
                return bytes(body)
            body += view[:count]
            if len(body) > limit:
                break
        raise self._malformed(
            f"its body is larger than {limit} bytes", "Check the URL. The answer is larger than the expected document."
        )

    def refuse_encoded(self) -> None:
        """Raise TransferError if the body is compressed; this was not requested, and digests are of what was stored."""
        coding = self.headers.get("Content-Encoding", "identity").lower()
        if coding != "identity":
            raise self._malformed(
                "the body is encoded, but no encoding was requested",
                "Disable content encoding (such as gzip) for this path on the server or proxy.",
            )

    def has_more(self) -> bool:
        """Whether the body continues. A body that breaks off here has no more bytes."""
        with contextlib.suppress(TransferError):
            return self.fill(memoryview(bytearray(1))) > 0
        return False

    def drain(self) -> None:
        """Read a small remainder away so that the connection can be used again; a large one is not worth it."""
        if self._left is None or self._left <= _WORTH_DRAINING:
            # These bytes are not needed: if they fail to arrive, ``close`` only drops the connection.
            with contextlib.suppress(TransferError):
                self.fill(memoryview(bytearray(_WORTH_DRAINING)))

    def close(self) -> None:
        """Give the connection back if the body was read whole, else close it."""
        if not self._closed:
            self._closed = True
            reusable = self._ended and not self._answer.will_close
            self._answer.close()
            self._release(self._connection, reusable)

    def _receive(self, view: memoryview) -> int:
        if self._left is None:
            piece = self._answer.read1(len(view))
            if len(piece) > len(view):
                raise http.client.HTTPException
            view[: len(piece)] = piece
            return len(piece)
        count = self._connection.receive_into(view[: self._left], self._left)
        if count == 0:
            raise http.client.IncompleteRead(b"")
        self._left -= count
        return count

    def _framing(self) -> int | None:
        """Return the length of the body, None when unknown. Source: RFC 9112, 6.3."""
        if self.request.method == "HEAD" or self.status in (204, 304):
            return 0
        coding = self.headers.get("Transfer-Encoding")
        if coding is not None:
            if coding.lower() != "chunked":
                raise self._malformed("its transfer coding is not chunked", "Correct the server or the proxy.")
            return None
        lengths = set(self.headers.get_all("Content-Length"))
        if not lengths:
            return None
        if len(lengths) > 1 or not _LENGTH.fullmatch(next(iter(lengths))):
            raise self._malformed("its Content-Length is not one number", "Correct the server or the proxy.")
        return int(lengths.pop())

    def _malformed(self, seen: str, advice: str) -> TransferError:
        return TransferError(
            self.request.attempted,
            on=self.request.url.redacted,
            seen=f"the answer with status {self.status} cannot be used: {seen}",
            advice=advice,
            status=self.status,
        )
