# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A cluster that builds OS images: a real API server with OpenShift's definitions, the operator's part by actors."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.tests.integration.image_mode.building import BuildingSite, furnish
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

Connect = Callable[..., t.ContextManager[ClusterClient]]


@pytest.fixture(scope="session")
def own_server() -> Iterator[ApiServer]:
    """A server that nobody else writes to, with the namespaces and the secret that builds need."""
    with ApiServer.start_openshift(users={"technician": []}) as server:
        furnish(server.rest)
        yield server


@pytest.fixture
def site(own_server: ApiServer) -> BuildingSite:
    """A healthy cluster of one and two nodes that run the release's own image."""
    return BuildingSite(own_server)


@pytest.fixture
def connect(own_server: ApiServer) -> Connect:
    """Make a client of an administrator, or of another user, or one whose writes are only tried."""

    @contextmanager
    def _connect(
        *, user: str = "", dry_run: bool = False, kind: type[ClusterClient] = ClusterClient
    ) -> Iterator[ClusterClient]:
        kubeconfig = own_server.kubeconfig_for(user) if user else own_server.kubeconfig
        access = resolve_access({"kubeconfig": str(kubeconfig)}, {"HOME": "/nonexistent"})
        with kind(access, SystemClock(), dry_run=dry_run) as client:
            yield client

    return _connect
