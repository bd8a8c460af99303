# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The HTTP client of the collection: verified TLS, proxies, kept-alive connections, redirections, retries."""

from __future__ import annotations

import contextlib
import http.client
import random
import typing as t
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._net.connection_pool import ConnectionPool
from ansible_collections.fieldops.openshift.plugins.module_utils._net.connections import Connection, Route
from ansible_collections.fieldops.openshift.plugins.module_utils._net.dialer import Dialer
from ansible_collections.fieldops.openshift.plugins.module_utils._net.failures import (
    disconnected,
    quotable,
    spelled,
    status_failure,
    transport_failure,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.incoming import IncomingResponse
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.messages import HttpRequest, Response
from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import ProxySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import (
    RetryPolicy,
    parse_retry_after,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

_NOTICEABLE: t.Final = 5.0
"""Seconds from which on a wait is reported."""


class HttpClient:
    """One set of trust, proxies and limits. Threads share it: each exchange has a connection of its own.

    Use it as a context manager or call ``close``. ``rng`` draws the jitter of retries. ``notice`` receives a sentence
    before a wait that a person would notice.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        tls: TlsSettings | None = None,
        proxies: ProxySettings | None = None,
        retry: RetryPolicy | None = None,
        limits: HttpLimits | None = None,
        rng: random.Random | None = None,
        notice: Callable[[str], object] | None = None,
    ) -> None:
        self._clock = clock
        self._proxies = proxies or ProxySettings()
        self._retry = retry or RetryPolicy()
        self._limits = limits or HttpLimits()
        self._rng = rng or random.SystemRandom()
        self._notice = notice
        self._dialer = Dialer(tls or TlsSettings(), self._limits)
        self._pool = ConnectionPool(self._limits, clock)

    def __enter__(self) -> HttpClient:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the idle connections."""
        self._pool.close()

    def request(
        self,
        method: str,
        url: str | Url,
        *,
        deadline: Deadline,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        sensitive: Collection[str] = (),
    ) -> Response:
        """Return the whole answer, of whatever status; transient outcomes are tried again as the policy allows.

        ``sensitive`` names headers that, like Authorization and Cookie, must not follow a redirection to another
        origin. Raises TransferError when no usable answer came, TlsError, DeadlineExceededError, and
        InvalidInputError for a URL or header that cannot be sent.
        """
        request = HttpRequest.build(method, url, headers, body, sensitive)
        attempt = 0
        while True:
            attempt += 1
            try:
                response = self._once(request, deadline)
            except TransferError as error:
                if not (error.transient and self.pause_before_retry(attempt, request.method, error, deadline)):
                    raise
                continue
            if not self.pause_before_retry(attempt, request.method, response, deadline):
                return response

    @contextlib.contextmanager
    def stream(
        self,
        method: str,
        url: str | Url,
        *,
        deadline: Deadline,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        sensitive: Collection[str] = (),
    ) -> Iterator[IncomingResponse]:
        """Yield the answer with its body still to be read; one attempt, redirections followed, errors as ``request``.

        A body that was not read to its end when the block is left costs the connection.
        """
        incoming = self._follow(HttpRequest.build(method, url, headers, body, sensitive), deadline)
        try:
            yield incoming
        finally:
            incoming.close()

    def pause_before_retry(
        self, attempt: int, method: str, ended: Response | TransferError, deadline: Deadline
    ) -> bool:
        """Wait as the retry policy says after the ``attempt``-th attempt; False, without waiting, if it says stop.

        A source that is too slow is left to the caller, who may know another one.
        """
        asked = ended.retry_after
        slow = isinstance(ended, TransferError) and ended.slow
        if slow or not self._retry.allows(attempt, method, ended.status, asked):
            return False
        seconds = self._retry.backoff.pause(attempt, asked=asked, rng=self._rng)
        if seconds >= deadline.remaining:
            return False
        if self._notice is not None and asked is not None and asked >= _NOTICEABLE:
            url = ended.url if isinstance(ended, Response) else Url.parse(ended.on)
            self._notice(f"{url.authority} requests a wait of {spelled(asked)}; the next attempt follows after that")
        deadline.pause(seconds)
        return True

    def _once(self, request: HttpRequest, deadline: Deadline) -> Response:
        incoming = self._follow(request, deadline)
        try:
            if incoming.status < 300:
                incoming.refuse_encoded()
            body = incoming.read_all(self._limits.document_bytes)
        finally:
            incoming.close()
        final = incoming.request
        return Response(final.method, final.url, incoming.status, incoming.headers, body, incoming.retry_after)

    def _follow(self, request: HttpRequest, deadline: Deadline) -> IncomingResponse:
        for _redirection in range(self._limits.redirects + 1):
            incoming = self._exchange(request, deadline)
            with contextlib.ExitStack() as undo:
                undo.callback(incoming.close)
                following = request.after_redirection(incoming.status, incoming.headers.get("Location"))
                if following is None:
                    undo.pop_all()
                    return incoming
                incoming.drain()
            request = replace(following, led_by=incoming.reach)
        raise TransferError(
            request.attempted,
            on=request.url.redacted,
            seen=f"it was redirected more than {self._limits.redirects} times",
            advice="Check the URL and the redirections of the server. They probably form a loop.",
        )

    def _exchange(self, request: HttpRequest, deadline: Deadline) -> IncomingResponse:
        url = request.url
        route = Route(url.scheme, url.host, url.port, self._proxies.for_url(url))
        kept = self._pool.take(route)
        if kept is not None and request.led_by is not None and not request.led_by.may_lead_to(kept.reach):
            kept.close()
            kept = None
        if kept is not None:
            try:
                return self._converse(kept, request, deadline)
            except TransferError as error:
                # The server closed the idle connection just when it was used again; that is no failed attempt.
                stale = error.__cause__ is not None and disconnected(error.__cause__) and request.idempotent
                if not stale:
                    raise
        return self._converse(self._dialer.dial(route, request, deadline), request, deadline)

    def _converse(self, connection: Connection, request: HttpRequest, deadline: Deadline) -> IncomingResponse:
        def explain(exc: OSError | http.client.HTTPException) -> FieldOpsError:
            return transport_failure(
                exc,
                attempted=request.attempted,
                on=request.url.redacted,
                via=connection.route.via,
                deadline=deadline,
                stall=f"no data arrived for {self._limits.stall_seconds:.0f} s",
            )

        with contextlib.ExitStack() as undo:
            undo.callback(connection.close)
            try:
                answer = undo.enter_context(connection.exchange(request, deadline))
                if answer.status < 200:
                    # http.client passes over 100 only; what follows another interim answer would be read as a body.
                    raise status_failure(request.method, request.url, answer.status)
                incoming = IncomingResponse(request, answer, connection, explain=explain, release=self._release)
            except (OSError, http.client.HTTPException) as exc:
                raise explain(exc) from quotable(exc)
            undo.pop_all()
        incoming.retry_after = parse_retry_after(incoming.headers.get("Retry-After"), self._clock.utcnow())
        return incoming

    def _release(self, connection: Connection, reusable: bool) -> None:
        if reusable:
            self._pool.give_back(connection)
        else:
            connection.close()
