# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab as fixtures: one API server and one lab with hosts per run, each started when a first test asks for it.

A test gets a namespace of its own in either (``namespace``, ``lab_namespace``), and hosts of its own in the running lab
(``fresh_node``): a few seconds each, gone afterwards. What a test does to the shared hosts it undoes.
"""

from __future__ import annotations

import gc
import os
import sys
import typing as t
import uuid
from collections.abc import Callable, Iterator

import pytest

# Nodes' Python runs unit tests without what the lab needs.
if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
    from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
    from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

if sys.version_info < (3, 10):  # the lab is the controller's side
    collect_ignore = ["lab", "unit/lab"]
gc.set_threshold(100_000, 50, 50)  # a process of tests keeps many objects, whose search takes a tenth of its time
USERS = {"technician": ["fieldops:technicians"], "observer": ["fieldops:observers"]}


@pytest.fixture(scope="session")
def api_server() -> Iterator[ApiServer]:
    """A real API server with OpenShift's definitions and two users besides the administrator, without rights."""
    from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

    with ApiServer.start_openshift(users=USERS) as server:
        yield server


@pytest.fixture(scope="session")
def lab() -> Iterator[Lab]:
    """A cluster with hosts, one of the control plane and two workers, and a registry that holds a release."""
    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
    from ansible_collections.fieldops.openshift.tests.lab.registry.lab_registry import RegistrySetup
    from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

    if os.geteuid():
        pytest.skip("node hosts need root")
    with Lab(control_plane=1, workers=2, users=USERS, registry=RegistrySetup(releases=[ReleaseSpec()])) as made:
        yield made


@pytest.fixture
def namespace(api_server: ApiServer) -> Iterator[str]:
    """The name of a fresh namespace of ``api_server``; deleted afterwards, without waiting."""
    yield from _namespace(api_server.rest)


@pytest.fixture
def lab_namespace(lab: Lab) -> Iterator[str]:
    """The name of a fresh namespace of ``lab``; deleted afterwards, without waiting."""
    yield from _namespace(lab.api.rest)


@pytest.fixture
def fresh_node(lab: Lab) -> Iterator[Callable[..., NodeHost]]:
    """What adds a host to the running ``lab``, with the arguments of ``Lab.add_host``; taken away after the test."""
    names: list[str] = []

    def add(role: str = "worker", **options: t.Any) -> NodeHost:
        host = lab.add_host(role, **options)
        names.append(host.name)
        return host

    yield add
    for name in names:
        lab.remove_host(name)


def _namespace(client: RestClient) -> Iterator[str]:
    name = f"test-{uuid.uuid4().hex[:8]}"
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": name}}
    client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    client.apply(account)
    yield name
    client.delete(f"/api/v1/namespaces/{name}")
