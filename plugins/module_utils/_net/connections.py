# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Connections to other machines, and one exchange at a time on them."""

from __future__ import annotations

import http.client
import socket
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._net.bounded_socket import BoundedSocket
from ansible_collections.fieldops.openshift.plugins.module_utils._net.failures import disconnected
from ansible_collections.fieldops.openshift.plugins.module_utils._net.messages import HttpRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import Proxy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.reach import Reach
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

USER_AGENT: t.Final = "fieldops.openshift"


@dataclass(frozen=True)
class Route:
    """The route to an origin; requests with equal routes can share connections."""

    scheme: str
    host: str
    port: int
    proxy: Proxy | None

    @property
    def via(self) -> str:
        """Return the words that name the proxy, to follow what was seen; empty without one."""
        return f" (through the proxy {self.proxy})" if self.proxy else ""


class Connection:
    """One connection along ``route``, used by one thread at a time; ``reach`` is that of the address at its end."""

    def __init__(self, route: Route, bounded: BoundedSocket, reach: Reach) -> None:
        self.route = route
        self.reach = reach
        self.idle_since = 0.0
        self._bounded = bounded

    @property
    def looks_alive(self) -> bool:
        """Whether an idle connection can probably be used again; a server may close it at any time."""
        return self._bounded.quiet()

    def exchange(self, request: HttpRequest, deadline: Deadline) -> http.client.HTTPResponse:
        """Send ``request`` and return the answer up to its headers; raises OSError or HTTPException."""
        self._bounded.begin(deadline)
        fields = [("Host", request.url.authority), *request.headers]
        present = {name.lower() for name, _value in fields}
        fields += [
            (name, value)
            for name, value in (("User-Agent", USER_AGENT), ("Accept-Encoding", "identity"))
            if name.lower() not in present
        ]
        target = request.url.target
        proxy = self.route.proxy
        if proxy is not None and not proxy.is_socks and request.url.scheme == "http":
            target = request.url.full
            fields += [("Proxy-Authorization", proxy.authorization)] if proxy.authorization else []
        if request.body is not None or request.method in ("POST", "PUT", "PATCH"):
            fields.append(("Content-Length", str(len(request.body or b""))))
        return exchange(self._bounded, request.method, target, fields, request.body)

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


def exchange(
    bounded: BoundedSocket, method: str, target: str, fields: list[tuple[str, str]], body: bytes | None
) -> http.client.HTTPResponse:
    """Send a request with these ``fields`` and return the answer up to its headers."""
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
        # A server that rejects the request gives a reason (a status, a TLS alert) and closes without reading to the
        # end: sending then fails, but the reason has arrived.
        if not disconnected(exc):
            raise
    return client.getresponse()
