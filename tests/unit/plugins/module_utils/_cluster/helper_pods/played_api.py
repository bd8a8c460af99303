# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An API server that answers one exec request as a test tells it, frame by frame.

The real one stands in tests/integration/reach; this one does what a real one does only when something is broken.
Source: RFC 6455, sections 1.3 and 5.2.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import socket
import threading
import typing as t

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def frame(content: bytes, kind: int = 2) -> bytes:
    """Return one unmasked message."""
    size = bytes([len(content)]) if len(content) < 126 else bytes([126]) + len(content).to_bytes(2, "big")
    return bytes([0x80 | kind]) + size + content


def status(**fields: t.Any) -> bytes:
    """Return the message of channel 3."""
    return frame(b"\x03" + json.dumps(fields).encode())


class PlayedApiServer:
    """Serves one connection: ``answer`` is sent when the client asks; ``refusal`` in place of the handshake.

    With ``drips``, a byte follows ten times a second and does not end.
    """

    def __init__(self, answer: bytes = b"", refusal: bytes = b"", *, drips: bool = False) -> None:
        self._drips = drips
        self._closed = threading.Event()
        self._answer = answer
        self._refusal = refusal
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.asked = b""
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def close(self) -> None:
        self._closed.set()
        self._listener.close()
        self._thread.join(5)

    def _serve(self) -> None:
        # The client may leave at any time, and does so in most tests.
        with contextlib.suppress(OSError), self._listener.accept()[0] as connection:
            while b"\r\n\r\n" not in self.asked:
                self.asked += connection.recv(4096)
            if self._refusal:
                connection.sendall(self._refusal)
                self._drip(connection)
                return
            fields = (line.split(b": ", 1) for line in self.asked.split(b"\r\n") if b": " in line)
            key = {name.lower(): value for name, value in fields}[b"sec-websocket-key"]
            accept = base64.b64encode(hashlib.sha1(key + MAGIC, usedforsecurity=False).digest())
            head = [b"HTTP/1.1 101 Switching Protocols", b"Upgrade: websocket", b"Connection: Upgrade"]
            head += [b"Sec-WebSocket-Protocol: v4.channel.k8s.io", b"Sec-WebSocket-Accept: " + accept]
            connection.sendall(b"\r\n".join(head) + b"\r\n\r\n" + self._answer)
            self._drip(connection)
            connection.settimeout(5)
            while connection.recv(65536):
                pass

    def _drip(self, connection: socket.socket) -> None:
        while self._drips and not self._closed.wait(0.1):
            connection.sendall(b" ")
