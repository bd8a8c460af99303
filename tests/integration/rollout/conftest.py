# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One lab with real hosts for all rollouts here, and clusters of objects alone: a control plane and two workers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.rollout.object_site import ObjectSite, start_cluster
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab


@pytest.fixture(scope="session")
def lab() -> Iterator[Lab]:
    """A lab; needs root, because hosts have namespaces, mounts and control groups."""
    if os.geteuid():
        pytest.skip("node hosts need root")
    with Lab(control_plane=1, workers=2) as made:
        yield made


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with start_cluster() as started:
        yield started


@pytest.fixture
def site(server: ApiServer, tmp_path: Path, request: pytest.FixtureRequest) -> ObjectSite:
    return ObjectSite(server, tmp_path, re.sub("[^a-z0-9]+", "-", request.node.name).strip("-"))
