# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A server over real sockets that answers each request as the test says, down to cutting a connection in the middle."""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import struct
import threading
import time
import typing as t
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Asked:
    """A request as it arrived; ``connection`` counts the connections of the server from 1."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    connection: int


class Wire:
    """The server's end of one connection."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self.open = True

    def send(self, block: bytes) -> None:
        self.socket.sendall(block)

    def close(self) -> None:
        self.open = False

    def reset(self) -> None:
        """End the connection with a TCP reset instead of in good order."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.open = False

    def wait_until_client_leaves(self) -> None:
        with contextlib.suppress(OSError):
            while self.socket.recv(65536):
                pass
        self.open = False


Answer = t.Callable[[Wire, Asked], None]


def reply(status: int = 200, body: bytes = b"", **headers: object) -> Answer:
    """An orderly answer; header names are written with underscores."""

    def answer(wire: Wire, asked: Asked) -> None:
        lines = {"Content-Length": len(body), **{name.replace("_", "-"): value for name, value in headers.items()}}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        wire.send(f"HTTP/1.1 {status} Any\r\n{head}\r\n".encode() + (b"" if asked.method == "HEAD" else body))

    return answer


def raw(block: bytes, *, then: str = "keep") -> Answer:
    """Exactly these bytes, then "keep", "close", "reset" or "stall"."""

    def answer(wire: Wire, asked: Asked) -> None:
        del asked
        wire.send(block)
        if then == "close":
            wire.close()
        elif then == "reset":
            wire.reset()
        elif then == "stall":
            wire.wait_until_client_leaves()

    return answer


def drip(at_once: bytes, slowly: bytes, *, pause: float = 0.02) -> Answer:
    """``at_once``, and then a byte of ``slowly`` after each ``pause`` for as long as the client stays."""

    def answer(wire: Wire, asked: Asked) -> None:
        del asked
        wire.send(at_once)
        for byte in slowly:
            time.sleep(pause)
            wire.send(bytes([byte]))
        wire.close()

    return answer


def hang_up(wire: Wire, asked: Asked) -> None:
    """No answer at all."""
    del asked
    wire.close()


def entity(content: bytes, *, cut_after: int | None = None, then: str = "close", **headers: object) -> Answer:
    """``content`` as a server with ranges gives it; after ``cut_after`` body bytes the connection ends as ``then``."""

    def answer(wire: Wire, asked: Asked) -> None:
        status, body, extra = 200, content, {}
        wanted = asked.headers.get("range")
        if wanted is not None:
            first, _dash, last = wanted.removeprefix("bytes=").partition("-")
            status, body = 206, content[int(first) : int(last) + 1 if last else None]
            extra = {"Content-Range": f"bytes {first}-{int(first) + len(body) - 1}/{len(content)}"}
        lines = {"Content-Length": len(body), **extra, **{k.replace("_", "-"): v for k, v in headers.items()}}
        head = f"HTTP/1.1 {status} Any\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"
        whole = cut_after is None or cut_after >= len(body)
        raw(head.encode() + body[:cut_after], then="keep" if whole else then)(wire, asked)

    return answer


def tunnel_to(port: int) -> Answer:
    """What a proxy does on CONNECT: carry bytes both ways, wherever the name in the request would lead."""

    def answer(wire: Wire, asked: Asked) -> None:
        del asked
        with socket.create_connection(("127.0.0.1", port)) as onward:
            wire.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            carry(wire.socket, onward)
        wire.close()

    return answer


def carry(one: socket.socket, other: socket.socket) -> None:
    """Carry bytes both ways until both sides have ended; a TLS socket bears no two threads, so one does it."""
    opposite = {one: other, other: one}
    with contextlib.suppress(OSError):
        while opposite:
            ready = [side for side in opposite if isinstance(side, ssl.SSLSocket) and side.pending()]
            for side in ready or select.select(list(opposite), [], [])[0]:
                block = side.recv(65536)
                if block:
                    opposite[side].sendall(block)
                else:
                    opposite.pop(side).shutdown(socket.SHUT_WR)


@dataclass
class ScriptedServer:
    """Listens on 127.0.0.1. The n-th request gets the n-th of ``answers``, later ones the last."""

    answers: tuple[Answer, ...]
    tls: ssl.SSLContext | None = None
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0

    def __post_init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def url(self, target: str = "/", host: str = "127.0.0.1") -> str:
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{target}"

    def drop_connections(self) -> None:
        """End every connection in good order, as a server does with idle ones, and wait until that has happened."""
        with self._lock:
            threads = self._threads[1:]
            for connected in self._open:
                with contextlib.suppress(OSError):
                    connected.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join(10)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._threads[0].join(10)
        self.drop_connections()

    def _accept(self) -> None:
        while True:
            try:
                connected, _address = self._listening.accept()
            except OSError:
                return
            with self._lock:
                self.connections += 1
                self._open.add(connected)
                thread = threading.Thread(target=self._serve, args=(connected, self.connections), daemon=True)
                self._threads.append(thread)
            thread.start()

    def _serve(self, connected: socket.socket, number: int) -> None:
        plain = connected
        with contextlib.suppress(OSError):
            if self.tls is not None:
                connected = self.tls.wrap_socket(connected, server_side=True)
                with self._lock:
                    self._open.discard(plain)
                    self._open.add(connected)
            self._converse(Wire(connected), number)
        with self._lock:
            self._open.discard(connected)
            self._open.discard(plain)
        connected.close()
        plain.close()

    def _converse(self, wire: Wire, number: int) -> None:
        reader = wire.socket.makefile("rb")
        with reader:
            while wire.open:
                asked = _read_request(reader, number)
                if asked is None:
                    return
                with self._lock:
                    self.asked.append(asked)
                    answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
                answer(wire, asked)


def _read_request(reader: t.BinaryIO, number: int) -> Asked | None:
    line = reader.readline().decode("latin-1").split()
    if not line:
        return None
    headers: dict[str, str] = {}
    for field_line in iter(reader.readline, b"\r\n"):
        if not field_line:
            return None
        name, _colon, value = field_line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    return Asked(line[0], line[1], headers, reader.read(int(headers.get("content-length", 0))), number)
