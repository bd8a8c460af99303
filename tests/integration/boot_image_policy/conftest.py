# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A cluster of 4.22 on AWS without hosts: the real API server, OpenShift's definitions and admission policies."""

from __future__ import annotations

import typing as t

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.sites import CONFIGURATION, Site
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS
from ansible_collections.fieldops.openshift.tests.lab import admission_policies
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

if t.TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = "4.22.3"
USERS = ("technician", "reader")
NAMESPACES = ("openshift-config", "openshift-config-managed", "fieldops-openshift")
RBAC = COLLECTIONS / "ansible_collections/fieldops/openshift/extensions/rbac"


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


def _grant(server: ApiServer) -> None:
    """Give the reader what ends with ``-reader``, and the technician all of it."""
    for file in sorted([*RBAC.glob("boot-image-*.yml"), RBAC / "change-management-reader.yml"]):
        for one in yaml.safe_load(file.read_text())["items"]:
            server.rest.apply(one)
            for user in USERS if one["kind"].endswith("Role") else ():
                if user == "technician" or one["metadata"]["name"].endswith("-reader"):
                    server.rest.apply(_binding(one, user))


def _binding(role: dict[str, t.Any], user: str) -> dict[str, t.Any]:
    metadata = {name: value for name, value in role["metadata"].items() if name in ("name", "namespace")}
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": f"{role['kind']}Binding",
        "metadata": {**metadata, "name": f"{metadata['name']}-{user}"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": role["kind"], "name": metadata["name"]},
        "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": user}],
    }
