# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The HTTP side of the front: a thread for each connection, kept alive, with TLS if there is a certificate.

An answer is in the access log, in distribution's format, before its last byte is sent: who has it whole finds it there.
"""

from __future__ import annotations

import contextlib
import http.server
import os
import socketserver
import ssl
import time
import typing as t
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.tests.lab.registry.quay.answers import Answer, Part, too_many
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.front_state import FrontState
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.rate_limit import RateLimit
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.upstream import Upstream

BLOCK = 512 * 1024
DRIPS_A_SECOND = 20
HANDSHAKE_TRIPS = 2  # TCP, TLS 1.3
IDLE_SECONDS = 120.0
TIME = "%d/%b/%Y:%H:%M:%S +0000"


@dataclass(frozen=True)
class Site:
    """One host of the front. ``answer`` gets method, target, header fields and the registry behind."""

    state: FrontState
    answer: Callable[[str, str, Mapping[str, str], Upstream], Answer]
    upstream: Callable[[], Upstream]
    limited: bool = True


class FrontServer(http.server.ThreadingHTTPServer):
    """Listens at one address."""

    request_queue_size = 128
    block_on_close = False

    def __init__(self, address: tuple[str, int], site: Site, context: ssl.SSLContext | None) -> None:
        self.site, self.context, self.limit = site, context, RateLimit()
        super().__init__(address, _Handler)

    def server_bind(self) -> None:
        """Bind without asking for the name of the address: no one answers such questions in a lab."""
        socketserver.TCPServer.server_bind(self)

    def handle_error(self, *_: object) -> None:
        """Say nothing of clients that went away."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = IDLE_SECONDS
    wbufsize = 64 * 1024
    server: FrontServer

    def setup(self) -> None:
        site = self.server.site
        time.sleep(HANDSHAKE_TRIPS * site.state.traits.delay_seconds)
        if self.server.context:
            # In this thread: the one that accepts connections waits for no client.
            self.request.settimeout(IDLE_SECONDS)
            self.request = self.server.context.wrap_socket(self.request, server_side=True)
        self.upstream = site.upstream()
        super().setup()

    def finish(self) -> None:
        with contextlib.suppress(OSError):
            super().finish()
        self.upstream.close()

    def handle(self) -> None:
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, *_: t.Any) -> None:
        """Errors are answers like any other."""

    def _serve(self) -> None:
        site, traits = self.server.site, self.server.site.state.traits
        time.sleep(traits.delay_seconds)
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        client = self.client_address[0]
        if site.limited and not self.server.limit.allows(client, traits.requests_per_second, traits.burst):
            self._send(too_many(traits.retry_after))
        else:
            # Several fields of a name are one list (RFC 9110, 5.3); Go's clients write Accept so.
            headers = {name.title(): ", ".join(self.headers.get_all(name) or ()) for name in self.headers}
            self._send(site.answer(self.command, self.path, headers, self.upstream))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if "Content-Length" not in answer.headers or self.command != "HEAD":
            self.send_header("Content-Length", str(answer.size))
        self.end_headers()
        if self.command == "HEAD":
            self._log(answer.status, 0)
        elif isinstance(answer.body, Part):
            self._send_part(answer.status, answer.body)
        else:
            self.wfile.write(answer.body)
            self._log(answer.status, answer.size)
        self.wfile.flush()

    def _send_part(self, status: int, part: Part) -> None:
        self.wfile.flush()
        buffer, sent = memoryview(bytearray(min(BLOCK, part.size))), 0
        try:
            with part.path.open("rb", buffering=0) as file:
                file.seek(part.start)
                stop = min(part.size, self.server.site.state.traits.cut_after or part.size)
                while sent < stop:
                    pause, size = self._pace(min(BLOCK, stop - sent))
                    count = file.readinto(buffer[:size]) or 0
                    if not count:
                        raise OSError(f"{part.path} has become shorter")
                    time.sleep(pause)
                    sent += count
                    if sent == part.size:
                        self._log(status, sent)
                    self.connection.sendall(buffer[:count])
            if sent < part.size:
                raise ConnectionAbortedError
        except OSError:
            self.close_connection = True
            if sent < part.size:
                self._log(status, sent)

    def _pace(self, size: int) -> tuple[float, int]:
        """Return how long to wait before the next block, and its size."""
        rate = self.server.site.state.traits.bytes_per_second
        if not rate:
            return 0.0, size
        size = min(size, max(1, rate // DRIPS_A_SECOND))
        return size / rate, size

    def _log(self, status: int, size: int) -> None:
        now = time.strftime(TIME, time.gmtime())
        agent = self.headers.get("User-Agent", "")
        line = (
            f'{self.client_address[0]} - - [{now}] "{self.command} {self.path} HTTP/1.1" {status} {size} "" "{agent}"\n'
        )
        os.write(1, line.encode(errors="replace"))

    def version_string(self) -> str:
        return "nginx"

    def log_request(self, *_: t.Any) -> None:
        """The access log is written when the size is known."""
