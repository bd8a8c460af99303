# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Connections to other machines: reaching an address, passing a proxy, TLS, and one exchange at a time."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._net.bounded_socket import BoundedSocket
from ansible_collections.fieldops.openshift.plugins.module_utils._net.failures import (
    disconnected,
    quotable,
    status_failure,
    transport_failure,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.messages import HttpRequest
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import Proxy
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

USER_AGENT: t.Final = "fieldops.openshift"


@dataclass(frozen=True)
class Route:
    """The way to an origin; requests with equal routes can share connections."""

    scheme: str
    host: str
    port: int
    proxy: Proxy | None

    @property
    def via(self) -> str:
        """Return the words that name the proxy, to follow what was seen; empty without one."""
        return f" (through the proxy {self.proxy})" if self.proxy else ""


class Connection:
    """One connection along ``route``, used by one thread at a time."""

    def __init__(self, route: Route, bounded: BoundedSocket) -> None:
        self.route = route
        self.idle_since = 0.0
        self._bounded = bounded

    @property
    def looks_alive(self) -> bool:
        """Whether an idle connection can probably be used again; a server may close it at any time."""
        return self._bounded.quiet()

    def exchange(self, request: HttpRequest, deadline: Deadline) -> http.client.HTTPResponse:
        """Send ``request`` and return the answer up to its headers; raises OSError or HTTPException."""
        self._bounded.deadline = deadline
        fields = [("Host", request.url.authority), *request.headers]
        present = {name.lower() for name, _value in fields}
        fields += [
            (name, value)
            for name, value in (("User-Agent", USER_AGENT), ("Accept-Encoding", "identity"))
            if name.lower() not in present
        ]
        target = request.url.target
        proxy = self.route.proxy
        if proxy is not None and request.url.scheme == "http":
            target = request.url.full
            fields += [("Proxy-Authorization", proxy.authorization)] if proxy.authorization else []
        if request.body is not None or request.method in ("POST", "PUT", "PATCH"):
            fields.append(("Content-Length", str(len(request.body or b""))))
        return _exchange(self._bounded, request.method, target, fields, request.body)

    def receive_into(self, view: memoryview, left: int) -> int:
        """Receive into ``view`` some of the ``left`` bytes that the body still has; return how many, 0 at the end."""
        self._bounded.expect(left)
        count = self._bounded.reader.readinto1(view)
        if count == left:
            self._bounded.expect(0)
        return count

    def close(self) -> None:
        """Close the connection."""
        self._bounded.shut()


class Dialer:
    """Opens connections with one set of TLS settings and limits."""

    def __init__(self, tls: TlsSettings, limits: HttpLimits) -> None:
        # Loading the system's CAs takes longer than a request, and plain HTTP does not need them; but files that were
        # given are read at once, so that a mistake in them is told before any work.
        self._context = None if tls == TlsSettings() else tls.context()
        self._tls = tls
        self._limits = limits

    def dial(self, route: Route, request: HttpRequest, deadline: Deadline) -> Connection:
        """Return a new connection along ``route`` for ``request``, which is not sent yet.

        Raises TransferError, TlsError or DeadlineExceededError. Resolving the name takes as long as the system's
        resolver allows itself.
        """
        host, port = (route.proxy.host, route.proxy.port) if route.proxy else (route.host, route.port)
        try:
            with contextlib.ExitStack() as undo:
                plain = undo.enter_context(self._connect(host, port, deadline))
                if route.scheme == "https" and route.proxy is not None:
                    self._tunnel(plain, route, route.proxy, request, deadline)
                connected = self._protect(plain, route, deadline) if route.scheme == "https" else plain
                undo.pop_all()
        except (OSError, http.client.HTTPException) as exc:
            raise self._failure(exc, route, request, deadline) from quotable(exc)
        return Connection(route, BoundedSocket(connected, self._limits.stall_seconds, deadline))

    def _connect(self, host: str, port: int, deadline: Deadline) -> socket.socket:
        failure: OSError = TimeoutError()
        for *_kind, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            if deadline.expired:
                raise TimeoutError
            try:
                numeric = (str(address[0]), int(address[1]))
                connected = socket.create_connection(numeric, min(self._limits.connect_seconds, deadline.remaining))
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
        with _exchange(bounded, "CONNECT", authority, fields, None) as answer:
            if not 200 <= answer.status < 300:
                raise status_failure(request.method, request.url, answer.status, who=f"the proxy {proxy}")

    def _protect(self, plain: socket.socket, route: Route, deadline: Deadline) -> ssl.SSLSocket:
        if deadline.expired:
            raise TimeoutError
        plain.settimeout(min(self._limits.connect_seconds, deadline.remaining))
        if self._context is None:
            self._context = self._tls.context()
        return self._context.wrap_socket(plain, server_hostname=self._tls.server_name or route.host)

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


def _exchange(
    bounded: BoundedSocket, method: str, target: str, fields: list[tuple[str, str]], body: bytes | None
) -> http.client.HTTPResponse:
    # http.client takes its socket from connect(); given one here, it never opens another by itself.
    client = http.client.HTTPConnection("unused.invalid")
    client.auto_open = 0
    client.sock = t.cast(socket.socket, bounded)
    client.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
    for name, value in fields:
        client.putheader(name, value)
    try:
        client.endheaders(body)
    except OSError as exc:
        # A server that will not have the request says why (a status, a TLS alert) and hangs up without reading to the
        # end: sending then fails, but what it said has arrived.
        if not disconnected(exc):
            raise
    return client.getresponse()
