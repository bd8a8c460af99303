# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Relays on real sockets, for as long as a test needs them."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.allowed_peers import AllowedPeers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import (
    BundleEndpoint,
    Endpoint,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.credentials import RelayCredentials
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.limits import RelayLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.server import RelayServer
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.backoff import Backoff
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.certificates import (
    CertificateAuthority,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.relay.sample_bundle import (
    digest_of,
    write_bundle,
)

TOKEN = "0123456789abcdef" * 4


@dataclass
class RunningRelay:
    """A relay that serves in a thread of its own, and ways to talk to it."""

    server: RelayServer
    port: int
    certificate: str
    clock: SystemClock = field(default_factory=SystemClock)

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    @property
    def authorised(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {TOKEN}"}

    def client(self, attempts: int = 1) -> HttpClient:
        tls = TlsSettings(ca_pem=self.certificate)
        return HttpClient(self.clock, tls=tls, retry=RetryPolicy(attempts, Backoff(0.01, 0.05)))

    def connect(self, *, source: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 10, source_address=(source, 0))

    def connect_securely(self) -> ssl.SSLSocket:
        context = TlsSettings(ca_pem=self.certificate).context()
        return context.wrap_socket(self.connect(), server_hostname="127.0.0.1")

    def bytes_served(self, at_least: int) -> int:
        """Return the bytes served; they are counted a moment after the client has them."""
        deadline = Deadline(5, self.clock)
        while self.server.counters.read().bytes < at_least and not deadline.expired:
            deadline.pause(0.01)
        return self.server.counters.read().bytes

    def ask_raw(self, request: bytes) -> bytes:
        """Send ``request`` as it is and return all that comes until the relay closes."""
        with self.connect_securely() as secured:
            secured.sendall(request)
            received = b""
            while block := secured.recv(65536):
                received += block
        return received

    def status_of(self, request: bytes) -> int:
        return int(self.ask_raw(request).split(b" ", 2)[1])


@pytest.fixture(scope="session")
def credentials(tmp_path_factory: pytest.TempPathFactory) -> RelayCredentials:
    identity = CertificateAuthority(tmp_path_factory.mktemp("relay"), "relay").issue("relay")
    authority = identity.certificate.with_name("relay-authority.pem").read_text()
    return RelayCredentials(identity.certificate.read_text() + authority, identity.key.read_text(), TOKEN)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """The folder of a small bundle."""
    folder = tmp_path / "bundle"
    write_bundle(folder)
    return folder


@pytest.fixture
def start(credentials: RelayCredentials) -> Iterator[Callable[..., RunningRelay]]:
    """Start relays; all of them have ended after the test."""
    running: list[tuple[RelayServer, threading.Thread]] = []

    def _start(
        endpoint: Endpoint,
        peers: tuple[str, ...] = ("127.0.0.1",),
        limits: RelayLimits | None = None,
        lifetime: float = 60,
    ) -> RunningRelay:
        clock = SystemClock()
        server = RelayServer(endpoint, credentials, AllowedPeers.parse(peers), Deadline(lifetime, clock), limits)
        port = server.listen("127.0.0.1", [0])
        thread = threading.Thread(target=server.serve)
        thread.start()
        running.append((server, thread))
        return RunningRelay(server, port, credentials.certificate)

    yield _start
    for server, thread in running:
        server.stop()
        thread.join(10)
        assert not thread.is_alive()


@pytest.fixture
def endpoint(bundle: Path) -> Iterator[BundleEndpoint]:

    opened = BundleEndpoint(bundle, digest_of((bundle / "index.json").read_bytes()))
    yield opened
    opened.close()


@pytest.fixture
def relay(start: Callable[..., RunningRelay], endpoint: BundleEndpoint) -> RunningRelay:
    return start(endpoint)
