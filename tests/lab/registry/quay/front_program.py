# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The program of the front: reads its settings, listens at three hosts, and takes orders at a Unix socket.

Started by ``front.QuayFront`` as ``python -m ...front_program SETTINGS``.
"""

from __future__ import annotations

import json
import socketserver
import ssl
import sys
import threading
import time
from functools import partial
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.images import Json
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.front_state import FrontState
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.http_side import FrontServer, Site
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.registry_api import RegistryApi
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.token_service import TokenService
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.tokens import TokenKey
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.traits import QuayTraits
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.upstream import Upstream
from ansible_collections.fieldops.openshift.tests.lab.registry.storage import RegistryStorage

PATIENCE_SECONDS = 20.0


def main(settings_file: str) -> None:
    """Serve until the process is killed."""
    settings = json.loads(Path(settings_file).read_text())
    state = _state(settings)
    behind = Path(settings["upstream"])
    _wait_for(behind)
    context = _context(settings)
    connect = partial(Upstream, behind)
    api, tokens, content = RegistryApi(state), TokenService(state), state.content
    sites = {
        "registry": Site(state, api.answer, connect),
        "tokens": Site(state, lambda _method, target, headers, _behind: tokens.answer(target, headers), connect),
        "content": Site(
            state, lambda method, target, headers, _: content.answer(method, target, headers), connect, False
        ),
    }
    servers = [FrontServer(tuple(settings["listen"][name]), site, context) for name, site in sites.items()]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    Path(settings["control"]).unlink(missing_ok=True)
    with _Control(settings["control"], state) as control:
        control.serve_forever()


def _state(settings: Json) -> FrontState:
    account = settings["account"]
    return FrontState(
        traits=QuayTraits.from_document(settings["traits"]),
        key=TokenKey(settings["key"].encode(), settings["generation"]),
        account=Credentials(account["user"], account["password"]) if account else None,
        storage=RegistryStorage(Path(settings["storage"])),
        service=settings["service"],
        token_host=settings["token_host"],
        content_host=settings["content_host"],
    )


def _context(settings: Json) -> ssl.SSLContext | None:
    if not settings["certificate"]:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(settings["certificate"], settings["certificate_key"])
    return context


def _wait_for(behind: Path) -> None:
    """Wait for the registry behind the front, which starts at the same time."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while Upstream(behind).ask("GET", "/v2/", {}).status != 200:
        if time.monotonic() > deadline:
            raise SystemExit(f"no registry answers at {behind}")
        time.sleep(0.01)


class _Control(socketserver.UnixStreamServer):
    """Orders of the lab: a line of JSON each, ``{"traits": {...}}`` or ``{"revoke": true}``, answered with a line."""

    def __init__(self, path: str, state: FrontState) -> None:
        self.state = state
        super().__init__(path, _Order)


class _Order(socketserver.StreamRequestHandler):
    server: _Control

    def handle(self) -> None:
        order, state = json.loads(self.rfile.readline()), self.server.state
        if "traits" in order:
            state.traits = QuayTraits.from_document(order["traits"])
        if order.get("revoke"):
            state.key = state.key.replaced()
        self.wfile.write(b"done\n")


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except OSError as problem:
        sys.exit(f"{problem.strerror or problem}".lower())
