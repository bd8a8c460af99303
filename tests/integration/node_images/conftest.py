# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One small release and its bundle for all tests here, and the lab's hosts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import Controller, forget_everything
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

MIB = 1 << 20


@pytest.fixture(scope="session")
def release(factory: ReleaseFactory) -> Release:
    """A release of nine images, OCI and Docker v2s2, from which containers start."""
    return factory.release(ReleaseSpec(version="4.21.3", runnable=True))


@pytest.fixture(scope="session")
def bundle(factory: ReleaseFactory, release: Release, tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """Its bundle, with an image of a partner that is a list of two architectures."""
    partner = factory.partner_image(PartnerSpec(architectures=("x86_64", "aarch64")))
    return write_bundle(tmp_path_factory.mktemp("bundle") / "full", release, extra=[partner])


@pytest.fixture(scope="session")
def large_bundle(factory: ReleaseFactory, release: Release, tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """A bundle with one layer of 60 MiB, which takes some seconds over a slow link."""
    large = factory.partner_image(PartnerSpec("registry.partner.example/large:1", layers=(60 * MIB,)))
    return write_bundle(tmp_path_factory.mktemp("large") / "bundle", release, extra=[large])


@pytest.fixture
def controller(lab: Lab, tmp_path: Path) -> Controller:
    return Controller(lab, tmp_path)


@pytest.fixture
def host(lab: Lab, bundle: WrittenBundle) -> Iterator[NodeHost]:
    """The host worker-1, left as it was."""
    found = lab.hosts["worker-1"]
    yield found
    forget_everything(found, bundle.names)
