# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A server of bundles that misbehaves when it is told to."""

from __future__ import annotations

import re
import threading
import typing as t
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

_RANGE = re.compile(r"bytes=([0-9]+)-([0-9]+)")


class BlobServer:
    """Serves a bundle's folder below its ``url``; a context manager.

    ``status`` answers requests for a blob with that status instead, by hexadecimal digest. ``cut`` ends the connection
    after so many bytes of each answer, ``limit`` gives no more than so many bytes of a range. ``wrong`` replaces the
    first byte of each blob. ``given`` counts the bytes of blobs that were sent.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.status: dict[str, int] = {}
        self.cut: int | None = None
        self.limit: int | None = None
        self.wrong = False
        self.given = 0
        self.asked: Counter[str] = Counter()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> BlobServer:
        return self

    def __exit__(self, *_unused: object) -> None:
        self.close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                server._answer(self)

            def log_message(self, *_unused: t.Any) -> None:
                """Stay silent."""

        return Handler

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        name = handler.path.rpartition("/")[2]
        self.asked[name] += 1
        path = self.folder / handler.path.lstrip("/")
        status = self.status.get(name) or (200 if path.is_file() else 404)
        content = path.read_bytes() if status == 200 else b""
        if self.wrong and name != "index.json":
            content = b"\xff" + content[1:]
        found = _RANGE.fullmatch(handler.headers.get("Range", ""))
        handler.close_connection = self.cut is not None
        if status == 200 and found:
            self._send_part(handler, content, int(found[1]), int(found[2]) + 1)
            return
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    def _send_part(self, handler: BaseHTTPRequestHandler, content: bytes, first: int, stop: int) -> None:
        stop = min(stop, first + (self.limit or stop))
        part = content[first:stop]
        handler.send_response(206)
        handler.send_header("Content-Range", f"bytes {first}-{stop - 1}/{len(content)}")
        handler.send_header("Content-Length", str(len(part)))
        handler.end_headers()
        sent = part if self.cut is None else part[: self.cut]
        self.given += len(sent)
        handler.wfile.write(sent)
