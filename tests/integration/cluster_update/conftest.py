# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A cluster without hosts: the real API server with OpenShift's definitions, and a healthy cluster as its objects."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.autoscaling import definitions
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.releases import (
    RUNNING,
    VERSIONS,
    Releases,
)
from ansible_collections.fieldops.openshift.tests.lab import crds
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.cluster_version_operator import demanded
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signer import ReleaseSigner
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

Connect = Callable[..., t.ContextManager[ClusterClient]]

NAMESPACES = (
    "openshift-config",
    "openshift-config-managed",
    "openshift-etcd",
    "openshift-machine-api",
    "openshift-monitoring",
    "shop",
)
CLEARED = (
    "/apis/config.openshift.io/v1/clusterversions",
    "/apis/machineconfiguration.openshift.io/v1/machineconfignodes",
    "/apis/machineconfiguration.openshift.io/v1/machineconfigpools",
    "/api/v1/nodes",
    "/api/v1/namespaces/openshift-config/configmaps",
    "/api/v1/namespaces/openshift-config-managed/configmaps",
)


@pytest.fixture(scope="session")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiServer]:
    """A server that these tests may stop and start, with the autoscaler's definitions besides."""
    folder = tmp_path_factory.mktemp("definitions")
    with ApiServer.start_openshift(users={"technician": [], "observer": [], "updater": []}) as server:
        server.rest.apply_all(
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in NAMESPACES
        )
        wanted = []
        for one in definitions():
            name = one["metadata"]["name"]
            (folder / name).write_text(json.dumps(one))
            wanted.append(crds.Definition(name, folder / name))
        crds.install(server.rest, wanted)
        yield server


@pytest.fixture
def site(own_server: ApiServer) -> ApiServer:
    """A healthy cluster of three and two nodes at rest on 4.21.3."""
    plant(own_server.rest, [*demanded(VERSIONS), *healthy_cluster(RUNNING)], cleared=CLEARED)
    return own_server


@pytest.fixture(scope="session")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Releases]:
    """The releases that the cluster may go to."""
    with ReleaseSigner(tmp_path_factory.mktemp("signatures")) as signer:
        yield Releases(signer)


@pytest.fixture
def signature(releases: Releases) -> Json:
    """The ConfigMap with the signature of the next release."""
    return releases.signature()


@pytest.fixture
def connect(own_server: ApiServer) -> Connect:
    """Make a client of an administrator, or of another user, or one whose writes are only tried."""

    @contextmanager
    def _connect(*, user: str = "", dry_run: bool = False) -> Iterator[ClusterClient]:
        kubeconfig = own_server.kubeconfig_for(user) if user else own_server.kubeconfig
        access = resolve_access({"kubeconfig": str(kubeconfig)}, {"HOME": "/nonexistent"})
        with ClusterClient(access, SystemClock(), dry_run=dry_run) as client:
            yield client

    return _connect
