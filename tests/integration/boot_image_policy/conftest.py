# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A cluster of 4.22 on AWS without hosts: the real API server, OpenShift's definitions and admission policies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.sites import CONFIGURATION, Site
from ansible_collections.fieldops.openshift.tests.integration.rights.job_account import JobAccount
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import RBAC, bind, grant, shipped
from ansible_collections.fieldops.openshift.tests.lab import admission_policies
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

VERSION = "4.22.3"
USERS = ("technician", "reader")
NAMESPACES = ("openshift-config", "openshift-config-managed", "fieldops-openshift")


@pytest.fixture(scope="session")
def server() -> Iterator[ApiServer]:
    """The API server, with a healthy cluster at rest in it and users that have what extensions/rbac gives them."""
    with ApiServer.start_openshift(users={name: [] for name in USERS}) as running:
        plant(running.rest, healthy_cluster(VERSION, platform="AWS"))
        spaces = [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in NAMESPACES]
        running.rest.apply_all([*boot_images.namespaces(), *spaces])
        running.rest.apply_all([boot_images.coreos_bootimages(VERSION), boot_images.user_data("3.2.0")])
        _grant(running)
        admission_policies.wait_enforced(running.rest)
        yield running


@pytest.fixture
def site(server: ApiServer) -> Iterator[Site]:
    """The cluster with a MachineConfiguration as a new cluster has it, and nothing else about boot images."""
    cluster = Site(server)
    cluster.reset(VERSION)
    yield cluster
    server.rest.delete(CONFIGURATION)


@pytest.fixture(scope="session")
def account(server: ApiServer) -> JobAccount:
    """The account of the job that updates boot images."""
    one = JobAccount(server, "update_boot_images")
    one.grant()
    return one


def _grant(server: ApiServer) -> None:
    """Give the reader what ends with ``-reader``, and the technician all of it."""
    for file in sorted([*RBAC.glob("boot-image-*.yml"), RBAC / "change-management-reader.yml"]):
        grant(server.rest, "technician", file.name)
        for one in shipped(file.name):
            if one["kind"].endswith("Role") and one["metadata"]["name"].endswith("-reader"):
                bind(server.rest, "reader", one)
