# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Opening connections: reaching an address, passing a proxy, TLS; and not following a server where it may not lead."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl

from ansible_collections.fieldops.openshift.plugins.module_utils._net.bounded_socket import BoundedSocket, Pace, Stream
from ansible_collections.fieldops.openshift.plugins.module_utils._net.connections import (
    USER_AGENT,
    Connection,
    Route,
    exchange,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.failures import (
    disconnected,
    quotable,
    status_failure,
    transport_failure,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.messages import HttpRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import Proxy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.reach import Reach
from ansible_collections.fieldops.openshift.plugins.module_utils._net.socks import SocksRefusalError, connect_through
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings, handshake_failure
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tunnelled_tls import TunnelledTls
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class Dialer:
    """Opens connections with one set of TLS settings and limits."""

    def __init__(self, tls: TlsSettings, limits: HttpLimits) -> None:
        # Loading the system's CAs takes longer than a request, and plain HTTP does not need them; but files that were
        # given are read at once, so that a mistake in them is reported before any work.
        self._context = None if tls == TlsSettings() else tls.context()
        self._proxy_context: ssl.SSLContext | None = None
        self._tls = tls
        self._limits = limits

    def dial(self, route: Route, request: HttpRequest, deadline: Deadline) -> Connection:
        """Return a new connection along ``route`` for ``request``, which is not sent yet.

        Raises TransferError, TlsError or DeadlineExceededError. Resolving the name takes as long as the system's
        resolver allows itself.
        """
        literal = Reach.of_literal(route.host)
        if literal is not None:
            _require_allowed(request, literal, route.host)
        try:
            with contextlib.ExitStack() as undo:
                stream, reach = self._reached(route, request, deadline, undo)
                connected = self._protect(stream, route, deadline) if route.scheme == "https" else stream
                undo.pop_all()
        except (OSError, http.client.HTTPException) as exc:
            raise self._failure(exc, route, request, deadline) from quotable(exc)
        pace = Pace(self._limits.slowest_rate, self._limits.slow_seconds)
        return Connection(route, BoundedSocket(connected, self._limits.stall_seconds, deadline, pace), reach)

    def _reached(
        self, route: Route, request: HttpRequest, deadline: Deadline, undo: contextlib.ExitStack
    ) -> tuple[socket.socket, Reach]:
        """Return a stream to the origin, and from where it can be reached: what a proxy resolves counts as public."""
        proxy = route.proxy
        if proxy is None:
            plain = undo.enter_context(self._connect(_resolved(route.host, route.port, request), deadline))
            return plain, Reach.of(plain.getpeername()[0])
        plain = undo.enter_context(self._connect(_resolved(proxy.host, proxy.port), deadline))
        if proxy.scheme == "https":
            plain = undo.enter_context(self._protect_way_to(proxy, plain, request, deadline))
        target = route.host
        if proxy.is_socks:
            target = target if proxy.resolves else _resolved(target, route.port, request)[0][0]
            self._pass_socks(plain, proxy, (target, route.port), request, deadline)
        elif route.scheme == "https":
            self._tunnel(plain, route, proxy, request, deadline)
        return plain, Reach.of_literal(target) or Reach.PUBLIC

    def _connect(self, addresses: list[tuple[str, int]], deadline: Deadline) -> socket.socket:
        failure: OSError = TimeoutError()
        for address in addresses:
            if deadline.expired:
                raise TimeoutError
            try:
                connected = socket.create_connection(address, min(self._limits.connect_seconds, deadline.remaining))
            except OSError as exc:
                failure = exc
                continue
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connected
        raise failure

    def _tunnel(
        self, plain: socket.socket, route: Route, proxy: Proxy, request: HttpRequest, deadline: Deadline
    ) -> None:
        authority = f"[{route.host}]:{route.port}" if ":" in route.host else f"{route.host}:{route.port}"
        fields = [("Host", authority), ("User-Agent", USER_AGENT)]
        fields += [("Proxy-Authorization", proxy.authorization)] if proxy.authorization else []
        bounded = BoundedSocket(plain, self._limits.connect_seconds, deadline)
        with exchange(bounded, "CONNECT", authority, fields, None) as answer:
            if not 200 <= answer.status < 300:
                raise status_failure(request.method, request.url, answer.status, who=f"the proxy {proxy}")

    def _pass_socks(
        self, plain: socket.socket, proxy: Proxy, target: tuple[str, int], request: HttpRequest, deadline: Deadline
    ) -> None:
        try:
            connect_through(plain, proxy, *target, deadline.within(self._limits.connect_seconds))
        except SocksRefusalError as refusal:
            raise TransferError(
                request.attempted,
                on=request.url.redacted,
                seen=f"the proxy {proxy} {refusal}",
                advice="Check the proxy, its user name and password, and which connections it allows.",
                transient=refusal.transient,
            ) from None

    def _protect_way_to(
        self, proxy: Proxy, plain: socket.socket, request: HttpRequest, deadline: Deadline
    ) -> ssl.SSLSocket:
        if self._proxy_context is None:
            self._proxy_context = self._tls.proxy_context()
        self._bound(plain, deadline)
        try:
            return self._proxy_context.wrap_socket(plain, server_hostname=proxy.host)
        except ssl.SSLError as exc:
            if disconnected(exc):
                raise
            raise handshake_failure(exc, request.attempted, f"the proxy {proxy}") from exc

    def _protect(self, plain: socket.socket, route: Route, deadline: Deadline) -> Stream:
        self._bound(plain, deadline)
        if self._context is None:
            self._context = self._tls.context()
        name = self._tls.server_name or route.host
        if isinstance(plain, ssl.SSLSocket):
            return TunnelledTls(plain, self._context, name)
        return self._context.wrap_socket(plain, server_hostname=name)

    def _bound(self, plain: socket.socket, deadline: Deadline) -> None:
        if deadline.expired:
            raise TimeoutError
        plain.settimeout(min(self._limits.connect_seconds, deadline.remaining))

    def _failure(
        self, exc: OSError | http.client.HTTPException, route: Route, request: HttpRequest, deadline: Deadline
    ) -> FieldOpsError:
        return transport_failure(
            exc,
            attempted=request.attempted,
            on=request.url.redacted,
            via=route.via,
            deadline=deadline,
            stall=f"no connection within {self._limits.connect_seconds:.0f} s",
        )


def _resolved(host: str, port: int, request: HttpRequest | None = None) -> list[tuple[str, int]]:
    """Return the numeric addresses of ``host``, without those to which ``request`` must not be led.

    Raises TransferError when none is left: what a name resolves to is checked, and then connected to.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [(str(address[0]), int(address[1])) for *_kind, address in found]
    if request is None or request.led_by is None:
        return addresses
    led_by = request.led_by
    allowed = [address for address in addresses if led_by.may_lead_to(Reach.of(address[0]))]
    if addresses and not allowed:
        _require_allowed(request, Reach.of(addresses[0][0]), addresses[0][0])
    return allowed


def _require_allowed(request: HttpRequest, reach: Reach, address: str) -> None:
    if request.led_by is None or request.led_by.may_lead_to(reach):
        return
    raise TransferError(
        request.attempted,
        on=request.url.redacted,
        seen=f"a server with a {request.led_by.value} address redirected to the {reach.value} address {address}",
        advice="Do not use this server, or correct its redirection. If it is a server of this network that is "
        "reached through a proxy, exempt it from the proxy (NO_PROXY).",
    )
