# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every write of one user to an API server, seen by the server's own admission before it is carried out."""

from __future__ import annotations

import base64
import http.server
import json
import ssl
import threading
from collections.abc import Callable

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

NAME = "write-points"
ROOT = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
READ = ("authentication.k8s.io", "authorization.k8s.io")
"""API groups whose objects are created to ask something."""
ENFORCED_SECONDS = 30.0
BEFORE, DURING = "before", "during"
"""The write is refused after the user's job was killed; or the job is killed while the write is carried out."""


class WritePoints:
    """A context manager: ``seen`` are the writes of ``user`` since ``begin``, as ``UPDATE nodes worker-0``.

    A write of the same user is a fault point: ``strike`` is called at the one with the number that ``begin`` was given.
    """

    def __init__(self, server: ApiServer, user: str) -> None:
        self._server, self._user = server, user
        self.seen: list[str] = []
        self._number, self._when = 0, BEFORE
        self._strike: Callable[[], object] = bool
        self._lock = threading.Lock()
        self._webhook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        pair = server.authority.issue(NAME, NAME, hosts=["127.0.0.1"])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pair.certificate, pair.key)
        self._webhook.socket = context.wrap_socket(self._webhook.socket, server_side=True)

    def __enter__(self) -> WritePoints:
        threading.Thread(target=self._webhook.serve_forever, daemon=True).start()
        self._server.rest.create(ROOT, self._configuration())
        with RestClient(self._server.url, self._server.ca_file, self._server.token_of(self._user)) as client:
            wait_for(lambda: self._sees_a_write_of(client), ENFORCED_SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.rest.delete(f"{ROOT}/{NAME}")
        self._webhook.shutdown()
        self._webhook.server_close()

    def begin(self, number: int = 0, when: str = BEFORE, strike: Callable[[], object] = bool) -> None:
        """Count from one again, and strike at the write ``number``; never for 0."""
        with self._lock:
            self.seen, self._number, self._when, self._strike = [], number, when, strike

    def _sees_a_write_of(self, client: RestClient) -> bool:
        metadata = {"generateName": "probe-", "namespace": "default"}
        made = client.create(CONFIG_MAPS, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
        self._server.rest.delete(f"{CONFIG_MAPS}/{made['metadata']['name']}")
        return bool(self.seen)

    def _admit(self, request: Json) -> tuple[bool, Callable[[], object]]:
        """Return whether a write may go on, and what to do once that was answered."""
        with self._lock:
            name = request.get("name") or (request.get("object") or {}).get("metadata", {}).get("name", "")
            kind = "/".join(part for part in (request["resource"]["resource"], request.get("subResource")) if part)
            self.seen.append(f"{request['operation']} {kind} {name}")
            if len(self.seen) != self._number:
                return True, bool
            if self._when == DURING:
                return True, self._strike
            self._strike()
            return False, bool

    def _handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        points = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["request"]
                allowed, afterwards = points._admit(request)
                answer = {"uid": request["uid"], "allowed": allowed}
                review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": answer}
                body = json.dumps(review).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                afterwards()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler

    def _configuration(self) -> Json:
        authority = base64.b64encode(self._server.ca_file.read_bytes()).decode()
        conditions = {
            "user": f"request.userInfo.username == '{self._user}'",
            "writes": f"!request.dryRun && !(request.resource.group in {list(READ)})",
        }
        every = {"apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*/*"]}
        webhook = {
            "name": f"{NAME}.fieldops.test",
            "clientConfig": {"url": f"https://127.0.0.1:{self._webhook.server_port}/", "caBundle": authority},
            "rules": [{**every, "operations": ["CREATE", "UPDATE", "DELETE"]}],
            "matchConditions": [{"name": name, "expression": text} for name, text in conditions.items()],
            "admissionReviewVersions": ["v1"],
            "sideEffects": "None",
            "timeoutSeconds": 20,
        }
        return {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingWebhookConfiguration",
            "metadata": {"name": NAME},
            "webhooks": [webhook],
        }
