# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A tiny HTTP server for a directory, such as a signature store; remembers what it was asked."""

from __future__ import annotations

import threading
import typing as t
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class StaticServer:
    """Serves a directory from threads of this process; a context manager. ``requests`` are the paths asked for."""

    def __init__(self, directory: Path, address: str = "127.0.0.1", port: int = 0) -> None:
        self.requests: list[str] = []
        handler = partial(_Handler, directory=str(directory), remember=self.requests.append)
        self._server = ThreadingHTTPServer((address, port), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The address, without a slash at the end."""
        return f"http://{self._server.server_address[0]!s}:{self._server.server_port}"

    def close(self) -> None:
        """Stop answering."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> StaticServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Handler(SimpleHTTPRequestHandler):
    def __init__(self, *args: t.Any, remember: t.Callable[[str], None], **kwargs: t.Any) -> None:
        self._remember = remember
        super().__init__(*args, **kwargs)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:  # noqa: ARG002
        self._remember(self.path)

    def log_message(self, *_: t.Any) -> None:
        """Keep errors off the terminal: a missing signature is an answer like any other."""
