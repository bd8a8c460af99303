# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real registry behind the front, asked over a Unix socket that only this machine's root reaches."""

from __future__ import annotations

import contextlib
import http.client
import socket
from collections.abc import Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.registry.quay.answers import Answer

KEPT = ("Content-Type", "Content-Length", "Docker-Content-Digest", "Etag", "Link")


class _Connection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=60)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(str(self._path))


class Upstream:
    """One connection to it, made when it is needed; of one thread."""

    def __init__(self, path: Path) -> None:
        self._connection = _Connection(path)

    def ask(self, method: str, target: str, headers: Mapping[str, str]) -> Answer:
        """Return its answer; a connection that had ended is made once more."""
        try:
            return self._ask(method, target, headers)
        except (OSError, http.client.HTTPException):
            self._connection.close()
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self._ask(method, target, headers)
        self._connection.close()
        return Answer(502, {"Content-Type": "text/html"}, b"<html><body>502 Bad Gateway</body></html>\r\n")

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def _ask(self, method: str, target: str, headers: Mapping[str, str]) -> Answer:
        self._connection.request(method, target, headers=dict(headers))
        response = self._connection.getresponse()
        kept = {name: response.headers[name] for name in KEPT if name in response.headers}
        return Answer(response.status, kept, response.read())
