# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One lab whose three hosts boot OSTree deployments, with a registry that holds OS images."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.os_switch.switching import REPOSITORY, SwitchSite
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab


@pytest.fixture(scope="session")
def lab() -> Iterator[Lab]:
    """A lab; needs root, because hosts have namespaces, mounts and control groups."""
    from ansible_collections.fieldops.openshift.tests.lab.node.ostree_host import OstreeHost
    from ansible_collections.fieldops.openshift.tests.lab.registry.lab_registry import RegistrySetup

    if os.geteuid():
        pytest.skip("node hosts need root")
    with Lab(control_plane=1, workers=2, registry=RegistrySetup(), host_class=OstreeHost) as made:
        rules = made.registry.mirror_rules([REPOSITORY.partition("/")[0]], by_digest_only=False)
        for host in made.hosts.values():
            host.run("mkdir", "-p", "/etc/containers/registries.conf.d")
            host.write("/etc/containers/registries.conf.d/000-lab.conf", rules)
        yield made


@pytest.fixture
def site(lab: Lab, tmp_path: Path) -> SwitchSite:
    """The hosts as a person switches them."""
    return SwitchSite(lab, tmp_path)
