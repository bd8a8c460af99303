# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A kubelet as far as logs go: the API server asks it for what a container of a build wrote.

Copies Kubernetes, pkg/kubelet/server/server.go: GET /containerLogs/NAMESPACE/POD/CONTAINER, with ``tailLines``.
"""

from __future__ import annotations

import ssl
import threading
import typing as t
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from ansible_collections.fieldops.openshift.tests.lab.actors.machine_os_config_builder import BUILD_NODE
from ansible_collections.fieldops.openshift.tests.lab.api_access import ApiAccess

ADDRESS = "127.0.0.1"


class BuildLogs:
    """Serves ``text`` as the log of each container on BUILD_NODE, a Node that it makes; a context manager."""

    def __init__(self, api: ApiAccess, text: str) -> None:
        pair = api.authority.issue("build-logs", BUILD_NODE, hosts=[ADDRESS])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pair.certificate, pair.key)
        self._server = ThreadingHTTPServer((ADDRESS, 0), _handler(text))
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        status = {
            "addresses": [{"type": "InternalIP", "address": ADDRESS}],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": self._server.server_port}},
        }
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": BUILD_NODE}, "status": status}
        api.rest.apply(node)

    def __enter__(self) -> BuildLogs:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(text: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            known = asked.path.startswith("/containerLogs/")
            lines = text.splitlines(keepends=True)
            last = int(parse_qs(asked.query).get("tailLines", ["1000"])[0])
            content = "".join(lines[-last:]).encode() if known else b""
            self.send_response(200 if known else 404)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: t.Any) -> None:
            """Keep quiet on the terminal."""

    return Handler
