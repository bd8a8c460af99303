# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A cluster without hosts on the real API server with OpenShift's definitions, made anew for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.boot_images.sites import Site
from ansible_collections.fieldops.openshift.tests.lab import admission_policies
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images, cluster


@pytest.fixture(scope="session")
def own_server() -> Iterator[ApiServer]:
    """A server that these tests may stop and start."""
    with ApiServer.start_openshift(users={"technician": [], "observer": []}) as server:
        server.rest.apply_all(boot_images.namespaces())
        server.rest.apply(cluster.infrastructure("AWS"))
        admission_policies.wait_enforced(server.rest)
        yield server


@pytest.fixture
def site(own_server: ApiServer) -> Site:
    """A cluster on AWS at rest on 4.22.5, with a current stub and no MachineSets yet."""
    site = Site(own_server)
    site.reset()
    return site


@pytest.fixture
def three(site: Site) -> Site:
    """Three MachineSets with an old image."""
    site.add("site-a", "site-b", "site-c")
    return site
