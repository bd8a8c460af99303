# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Servers that misbehave on purpose, certificates, and a client that talks to them in no time."""

from __future__ import annotations

import random
import ssl
import typing as t
from collections.abc import Callable, Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.certificates import (
    CertificateAuthority,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    Answer,
    ScriptedServer,
)


class Halfway(random.Random):
    """Jitter that is always half of the bound."""

    def uniform(self, a: float, b: float) -> float:
        return (a + b) / 2


class MemorySink:
    """A sink that keeps what it is given, continuing ``content``."""

    def __init__(self, content: bytes = b"", start: int = 0) -> None:
        self.content = bytearray(content)
        self._start = start

    @property
    def position(self) -> int:
        return self._start + len(self.content)

    def write(self, chunk: memoryview) -> None:
        self.content += chunk


@pytest.fixture
def running_clock() -> SystemClock:
    return SystemClock()


@pytest.fixture
def deadline(clock: Clock) -> Deadline:
    return Deadline(600, clock)


@pytest.fixture
def sink() -> MemorySink:
    return MemorySink()


@pytest.fixture
def sink_with() -> type[MemorySink]:
    return MemorySink


@pytest.fixture
def serve() -> Iterator[Callable[..., ScriptedServer]]:
    servers: list[ScriptedServer] = []

    def start(*answers: Answer, tls: ssl.SSLContext | None = None) -> ScriptedServer:
        servers.append(ScriptedServer(answers, tls))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def connect(clock: Clock) -> Iterator[Callable[..., HttpClient]]:
    """Make clients without chance, whose pauses take no time; the clock is the fake one."""
    clients: list[HttpClient] = []

    def make(with_clock: Clock = clock, **settings: t.Any) -> HttpClient:
        settings.setdefault("limits", HttpLimits(connect_seconds=10, stall_seconds=10))
        clients.append(HttpClient(with_clock, rng=Halfway(), **settings))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def client(connect: Callable[..., HttpClient]) -> HttpClient:
    return connect()


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> CertificateAuthority:
    return CertificateAuthority(tmp_path_factory.mktemp("authority"), "site-ca")


@pytest.fixture(scope="session")
def other_authority(tmp_path_factory: pytest.TempPathFactory) -> CertificateAuthority:
    return CertificateAuthority(tmp_path_factory.mktemp("other"), "other-ca")
