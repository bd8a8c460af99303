# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A SOCKS 5 proxy over real sockets, written from RFC 1928 and 1929, that connects wherever the test says."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import typing as t
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import carry

Take = t.Callable[[int], bytes]


@dataclass
class PlayedSocks:
    """Connects everything to ``port`` of this machine and notes what it was asked for.

    ``login`` is demanded where it is set. ``reply`` is the code of its answer; ``says`` is sent instead of any answer.
    """

    port: int
    login: tuple[bytes, bytes] | None = None
    reply: int = 0
    bound: bytes = b"\x01\0\0\0\0\0\0"
    says: bytes | None = None
    targets: list[tuple[str, int]] = field(default_factory=list)
    methods: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.own_port: int = self._listening.getsockname()[1]
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, scheme: str, credentials: str = "") -> str:
        return f"{scheme}://{credentials}127.0.0.1:{self.own_port}"

    def close(self) -> None:
        for one in (self._listening, *self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connected, _address = self._listening.accept()
                self._open.append(connected)
                threading.Thread(target=self._serve, args=(connected,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with contextlib.suppress(OSError), client, client.makefile("rb", buffering=0) as reader:
            if self.says is not None:
                client.sendall(self.says)
                return

            def take(count: int) -> bytes:
                return b"".join(reader.read(1) or b"" for _byte in range(count))

            if not self._greeted(client, take):
                return
            _version, _command, _reserved, kind = take(4)
            host = _host(kind, take)
            self.targets.append((host, struct.unpack(">H", take(2))[0]))
            client.sendall(bytes([5, self.reply, 0]) + self.bound)
            if self.reply == 0:
                with socket.create_connection(("127.0.0.1", self.port)) as onward:
                    carry(client, onward)

    def _greeted(self, client: socket.socket, take: Take) -> bool:
        offered = take(take(2)[1])
        self.methods.append(offered)
        wanted = 0 if self.login is None else 2
        client.sendall(bytes([5, wanted if wanted in offered else 0xFF]))
        if wanted not in offered or self.login is None:
            return wanted in offered
        take(1)
        given = (take(take(1)[0]), take(take(1)[0]))
        client.sendall(bytes([1, 0 if given == self.login else 1]))
        return given == self.login


def _host(kind: int, take: Take) -> str:
    if kind == 3:
        return take(take(1)[0]).decode()
    return socket.inet_ntop(*((socket.AF_INET, take(4)) if kind == 1 else (socket.AF_INET6, take(16))))
