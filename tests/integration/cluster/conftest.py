# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Clients of the real API server, with either client library; and networks that behave badly."""

from __future__ import annotations

import sys
import typing as t
from collections.abc import Callable, Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.tests.integration.cluster.network import EchoServer, Forwarder, SilentServer
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

Connect = Callable[..., ClusterClient]


@pytest.fixture(autouse=True)
def no_credentials_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("KUBECONFIG", "HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=["openshift", "kubernetes"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with the openshift package, and once more as if it were not installed."""
    if request.param == "kubernetes":
        for name in [module for module in sys.modules if module.partition(".")[0] == "openshift"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "openshift", None)
    return str(request.param)


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Make a client from options; what it opened is closed after the test."""
    clients: list[ClusterClient] = []

    def _connect(dry_run: bool = False, **options: t.Any) -> ClusterClient:
        client = ClusterClient(resolve_access(options, {"HOME": "/nonexistent"}), SystemClock(), dry_run=dry_run)
        clients.append(client)
        return client

    yield _connect
    for client in clients:
        client.close()


@pytest.fixture
def admin(api_server: ApiServer, connect: Connect, library: str) -> ClusterClient:
    """A client of a cluster administrator, with each of the two libraries."""
    assert library
    return connect(kubeconfig=str(api_server.kubeconfig))


@pytest.fixture(scope="module")
def own_server() -> Iterator[ApiServer]:
    """An API server that the tests of one file may stop, start and freeze."""
    with ApiServer() as server:
        yield server


@pytest.fixture
def forwarder(api_server: ApiServer) -> Iterator[Forwarder]:
    """A way to the API server that can be cut."""
    with Forwarder(api_server.port) as running:
        yield running


@pytest.fixture
def black_hole() -> Iterator[SilentServer]:
    """An address that takes connections and never answers."""
    with SilentServer() as running:
        yield running


@pytest.fixture
def echo_server() -> Iterator[EchoServer]:
    """An HTTP server in place of the API that repeats what it was sent, credentials included."""
    with EchoServer() as running:
        yield running
