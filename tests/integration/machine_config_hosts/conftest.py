# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A lab of hosts that boot OS images, for all tests here that need some."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.lab.lab import Lab


@pytest.fixture(scope="session")
def site() -> Iterator[Lab]:
    """A control-plane node and a worker that look like RHEL CoreOS to their daemons, in the OS image of their pools."""
    from ansible_collections.fieldops.openshift.tests.integration.machine_config_hosts.operated import operated_lab
    from ansible_collections.fieldops.openshift.tests.lab.machine_config.coreos_host import CoreosHost
    from ansible_collections.fieldops.openshift.tests.lab.node.ostree_sysroot import BASE_IMAGE

    if os.geteuid():
        pytest.skip("node hosts need root")
    with operated_lab(CoreosHost, BASE_IMAGE) as lab:
        yield lab
