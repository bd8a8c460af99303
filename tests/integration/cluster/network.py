# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Networks that behave badly, on real sockets: one that is cut, is silent, prattles or drips."""

from __future__ import annotations

import contextlib
import http.server
import itertools
import socket
import ssl
import threading
import typing as t
from collections.abc import Iterable

from ansible_collections.fieldops.openshift.tests.lab.certificates import KeyPair

DRIPS_A_SECOND = 10
DRIPPING_HEAD = b"HTTP/1.1 200 OK\r\nX-Blanks:"
DRIPPING_BODY = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
DRIPPING_REFUSAL = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 100000\r\n\r\n"


class Forwarder:
    """Passes connections on to a port of this machine until they are cut; while ``closed`` it takes no new ones.

    While ``drips`` it passes on what the server sends byte by byte, DRIPS_A_SECOND of them.
    ``taken`` counts them, and ``passed`` the bytes of both directions.
    """

    def __init__(self, target_port: int) -> None:
        self._target_port = target_port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        self.closed = self.drips = False
        self._ended = threading.Event()
        self.taken = self.passed = 0
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self._listener.getsockname()[1]}"

    def cut(self) -> None:
        """Break every connection that stands; new ones are passed on again."""
        while self._sockets:
            _shut(self._sockets.pop())

    def __enter__(self) -> Forwarder:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        _shut(self._listener)
        self.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _peer = self._listener.accept()
                self.taken += 1
                if self.closed:
                    _shut(here)
                    continue
                there = socket.create_connection(("127.0.0.1", self._target_port))
                self._sockets += [here, there]
                for source, sink, answers in ((here, there, False), (there, here, True)):
                    threading.Thread(target=self._pass_on, args=(source, sink, answers), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while received := source.recv(65536):
                self.passed += len(received)
                if answers and self.drips:
                    _drip(sink, received, self._ended)
                else:
                    sink.sendall(received)
        _shut(sink)


class SilentServer:
    """Accepts connections, as the kernel does by itself, and never says a word."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> SilentServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()


class DrippingServer:
    """Answers every request with ``head`` at once, and then with a blank after the other that never end.

    With a ``pair`` of certificate and key, each blank is a record of TLS.
    """

    def __init__(self, head: bytes, pair: KeyPair | None = None) -> None:
        self._head, self._pair = head, pair
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ended = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http{'s' if self._pair else ''}://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> DrippingServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        _shut(self._listener)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._answer, args=self._listener.accept()[:1], daemon=True).start()

    def _answer(self, plain: socket.socket) -> None:
        asked = plain
        with contextlib.suppress(OSError):
            if self._pair:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(self._pair.certificate, self._pair.key)
                asked = context.wrap_socket(plain, server_side=True)
            asked.recv(65536)
            asked.sendall(self._head)
            _drip(asked, itertools.repeat(ord(" ")), self._ended)
        _shut(asked)


class EchoServer:
    """Answers every request with ``status`` and ``page``, by default one that repeats the request's headers."""

    def __init__(self) -> None:
        self.status = 500
        self.page = ""
        self.requests = 0
        outer = self

        class _Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.requests += 1
                page = (outer.page or f"<html>{self.headers}</html>").encode()
                self.send_response(outer.status)
                self.send_header("Retry-After", "0")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_: t.Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> EchoServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class RefusingProxy:
    """A proxy that lets nobody through; ``seen`` are the credentials that it was shown."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        outer = self

        class _Handler(http.server.BaseHTTPRequestHandler):
            def do_CONNECT(self) -> None:
                outer.seen.append(self.headers.get("Proxy-Authorization", ""))
                self.send_response(407)
                self.send_header("Proxy-Authenticate", 'Basic realm="site"')
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: t.Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> RefusingProxy:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _drip(sink: socket.socket, content: Iterable[int], ended: threading.Event) -> None:
    for byte in content:
        if ended.wait(1 / DRIPS_A_SECOND):
            return
        sink.sendall(bytes([byte]))


def _shut(open_socket: socket.socket) -> None:
    with contextlib.suppress(OSError):
        open_socket.shutdown(socket.SHUT_RDWR)
    open_socket.close()
