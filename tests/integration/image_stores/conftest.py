# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bundles with image stores, and a host of the lab that can mount them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.image_stores.endpoint import Endpoint
from ansible_collections.fieldops.openshift.tests.integration.image_stores.store_node import StoreNode
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import Controller
from ansible_collections.fieldops.openshift.tests.lab.debian import require_packages
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Endpoint:
    """Two releases, from whose images containers start, and what stores can be made of them."""
    require_packages(["skopeo", "squashfs-tools", "erofs-utils"])
    return Endpoint(tmp_path_factory.mktemp("endpoint"))


@pytest.fixture(scope="session")
def bundle(endpoint: Endpoint) -> WrittenBundle:
    """The bundle of 4.21.3 with a whole store."""
    return endpoint.whole


@pytest.fixture(scope="session")
def delta(endpoint: Endpoint) -> WrittenBundle:
    """The bundle of 4.21.4 with a store over that of 4.21.3."""
    return endpoint.delta


@pytest.fixture(scope="session")
def _configured(lab: Lab) -> None:
    """The slots are listed on the host once, as at a site."""
    StoreNode(lab, "worker-0", None).give_loop_devices()


@pytest.fixture
def node(lab: Lab, _configured: None, tmp_path: Path) -> Iterator[StoreNode]:
    """The host worker-0, configured; no store and no image of a release is left on it afterwards."""
    made = StoreNode(lab, "worker-0", Controller(lab, tmp_path))
    made.ok("node_image_store", state="configured")
    yield made
    made.forget()
