# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab's database, reached past the API server: to make it forget."""

from __future__ import annotations

import base64
import http.client
import json
import socket
import typing as t

from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=10)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(self._path)


def compact(server: ApiServer) -> None:
    """Make etcd forget everything before the present.

    The JSON gateway of etcd, https://etcd.io/docs/v3.6/dev-guide/api_grpc_gateway/.
    """
    key = base64.b64encode(b"/fieldops-test/marker").decode()
    written = _post(server, "/v3/kv/put", {"key": key, "value": key})
    _post(server, "/v3/kv/compaction", {"revision": written["header"]["revision"], "physical": True})


def _post(server: ApiServer, path: str, body: dict[str, t.Any]) -> dict[str, t.Any]:
    connection = _UnixConnection(server.etcd.url.removeprefix("unix://"))
    try:
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        content = response.read()
        assert response.status == 200, content
        answer: dict[str, t.Any] = json.loads(content)
        return answer
    finally:
        connection.close()
