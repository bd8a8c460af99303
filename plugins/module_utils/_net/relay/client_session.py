# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One client of a server of blobs, from its handshake to its last request, within bounds that it cannot stretch."""

from __future__ import annotations

import contextlib
import io
import socket
import ssl
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.answers import (
    NOT_YET,
    Answer,
    plan_answer,
    refusal,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bodies import Body, PartedBody
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import Endpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.counters import Counters
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.credentials import RelayCredentials
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.limits import RelayLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.request_head import (
    END_OF_HEAD,
    RefusedRequestError,
    RequestHead,
    parse_request_head,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

_CORK: int | None = getattr(socket, "TCP_CORK", None)
_READ = 4096
_PIECE = 64 * 1024 * 1024
_LOOK_AGAIN = 0.05
_REFUSED = (400, 401, 405, 431, 505)


class _SessionEndedError(Exception):
    """The client has gone, or takes too long."""


class ClientSession:
    """Serves one accepted connection in the thread that calls ``run``."""

    def __init__(
        self,
        connection: socket.socket,
        endpoint: Endpoint,
        credentials: RelayCredentials | None,
        limits: RelayLimits,
        counters: Counters,
        clock: Clock,
    ) -> None:
        self._connection = connection
        self._endpoint = endpoint
        self._credentials = credentials
        self._limits = limits
        self._counters = counters
        self._clock = clock
        self._unread = b""
        self._hung_up = False
        self.waiting_since: float | None = clock.monotonic()
        """Since when nothing is being answered; None while an answer is being sent."""

    def hang_up(self) -> None:
        """End the connection from another thread."""
        # First, so that a session that is about to encrypt the connection does not miss it.
        self._hung_up = True
        # Not its own shutdown(): that of an SSLSocket drops the encryption first, while ``run`` may be sending.
        with contextlib.suppress(OSError):
            socket.socket.shutdown(self._connection, socket.SHUT_RDWR)

    def run(self, context: ssl.SSLContext | None) -> None:
        """Serve until the client leaves, breaks a rule or is too slow; closes the connection and raises nothing.

        Without a ``context`` nothing is encrypted.
        """
        # The other side may do anything at any moment, and its mistakes are not ours to report.
        with self._connection as plain, contextlib.suppress(OSError, ValueError, _SessionEndedError):
            plain.settimeout(self._limits.handshake_seconds)
            if context is None:
                self._serve(plain)
                return
            with context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False) as secured:
                self._connection = secured
                if self._hung_up:
                    return
                secured.do_handshake()
                self._serve(secured)
                self._say_goodbye(secured)

    def _serve(self, connection: socket.socket) -> None:
        for number in range(self._limits.requests):
            seconds = self._limits.idle_seconds if number else self._limits.head_seconds
            if not self._serve_next(connection, Deadline(seconds, self._clock)):
                break

    def _serve_next(self, connection: socket.socket, deadline: Deadline) -> bool:
        """Answer one request and return whether another may follow on this connection."""
        self.waiting_since = self._clock.monotonic()
        try:
            head = parse_request_head(self._receive_head(connection, deadline), most_fields=self._limits.head_fields)
            self.waiting_since = None
            if self._credentials is not None and not self._credentials.accepts(head.token):
                raise RefusedRequestError(401)
        except RefusedRequestError as refused:
            self._send(connection, refusal(refused.status), keep_alive=False)
            return False
        answer = self._answer(head)
        keep_alive = head.keep_alive and answer.status not in _REFUSED
        if answer.stop > answer.first:
            try:
                with self._endpoint.open(head.path) as body:
                    self._send(connection, answer, keep_alive=keep_alive)
                    self._send_body(connection, body, answer)
            except FileNotFoundError:
                self._send(connection, refusal(404), keep_alive=keep_alive)
        else:
            self._send(connection, answer, keep_alive=keep_alive, with_document=head.method != "HEAD")
        return keep_alive

    def _answer(self, head: RequestHead) -> Answer:
        """Return the answer; where bytes are still in transit to this relay, wait for them within the limit."""
        limits = self._limits
        patience = Deadline(limits.patience_seconds, self._clock)
        while True:
            entity = self._endpoint.find(head.path)
            answer = plan_answer(head, entity, retry_seconds=limits.retry_seconds)
            is_coming = entity is not None and (entity.arriving or patience.elapsed < limits.unbegun_seconds)
            if answer.status != NOT_YET or patience.expired or not is_coming:
                return answer
            patience.pause(_LOOK_AGAIN)

    def _receive_head(self, connection: socket.socket, deadline: Deadline) -> bytes:
        begun = bool(self._unread)
        while END_OF_HEAD not in self._unread:
            if len(self._unread) > self._limits.head_bytes:
                raise RefusedRequestError(431)
            if deadline.expired:
                raise _SessionEndedError
            connection.settimeout(deadline.remaining)
            block = connection.recv(_READ)
            if not block:
                raise _SessionEndedError
            if not self._unread and not block[:1].isupper():
                # Clients try TLS first where plain HTTP is allowed as well; they must not wait for the bound below.
                raise RefusedRequestError(400)
            if not begun:
                # An idle connection may wait long for a request, but a request that has started must arrive completely.
                begun, deadline = True, deadline.within(self._limits.head_seconds)
            self._unread += block
        head, _end, self._unread = self._unread.partition(END_OF_HEAD)
        return head

    def _send(self, connection: socket.socket, answer: Answer, *, keep_alive: bool, with_document: bool = True) -> None:
        self._counters.answered(refused=answer.status in _REFUSED)
        connection.settimeout(self._limits.stall_seconds)
        head = answer.head(self._clock.utcnow(), keep_alive=keep_alive)
        connection.sendall(head + (answer.document if with_document else b""))

    def _send_body(self, connection: socket.socket, body: Body, answer: Answer) -> None:
        with _full_packets(connection):
            if not isinstance(connection, ssl.SSLSocket) and isinstance(body, PartedBody):
                self._send_files(connection, body, answer)
            else:
                self._send_copied(connection, body, answer)

    def _send_copied(self, connection: socket.socket, body: Body, answer: Answer) -> None:
        buffer = memoryview(bytearray(min(self._limits.chunk_bytes, answer.stop - answer.first)))
        offset = answer.first
        while offset < answer.stop:
            count = body.read_into(buffer[: answer.stop - offset], offset)
            if not count:
                raise _SessionEndedError
            connection.sendall(buffer[:count])
            self._counters.sent(count)
            offset += count

    def _send_files(self, connection: socket.socket, body: PartedBody, answer: Answer) -> None:
        """Let the kernel copy from file to socket, in pieces that keep the count of bytes current."""
        offset = answer.first
        while offset < answer.stop:
            descriptor, place, count = body.piece(offset, answer.stop)
            with io.FileIO(descriptor, closefd=False) as file:
                sent = connection.sendfile(file, place, min(count, _PIECE))
            if not sent:
                raise _SessionEndedError
            self._counters.sent(sent)
            offset += sent

    def _say_goodbye(self, secured: ssl.SSLSocket) -> None:
        # Without it the client could not distinguish the end of an answer from a cut.
        secured.settimeout(self._limits.handshake_seconds)
        secured.unwrap()


@contextlib.contextmanager
def _full_packets(connection: socket.socket) -> Iterator[None]:
    """Let the pieces of a body, which are written one by one, go out in the largest packets that there are."""
    if _CORK is None:
        yield
        return
    connection.setsockopt(socket.IPPROTO_TCP, _CORK, 1)
    try:
        yield
    finally:
        connection.setsockopt(socket.IPPROTO_TCP, _CORK, 0)
