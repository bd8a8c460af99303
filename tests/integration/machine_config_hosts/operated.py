# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A lab with hosts that belong to the real machine-config operator, for the tests here."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.machine_config.on_hosts import operator_on_hosts
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import pool_is
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.registry.lab_registry import RegistrySetup
from ansible_collections.fieldops.openshift.tests.lab.rest import Json

WORKER = "worker-0"
DAEMON = "machineconfiguration.openshift.io/"
UPDATE = 240.0  # of which a daemon that has just started takes a minute before it looks (pkg/daemon, syncNode)


@contextlib.contextmanager
def operated_lab(host_class: type[NodeHost], os_image: str = "") -> Iterator[Lab]:
    """Start a control-plane node, a worker, a registry, a user without rights; both pools are updated."""
    users: dict[str, list[str]] = {"technician": []}
    started = Lab(control_plane=1, workers=1, users=users, registry=RegistrySetup(), host_class=host_class)
    with started as lab, operator_on_hosts(lab, os_image=os_image):
        yield lab


def update_worker(site: Lab, configuration: Json) -> str:
    """Apply a MachineConfig for workers; return what was rendered with it when the whole pool has it."""
    client = site.api.rest
    earlier = target_of_workers(site)
    client.apply(configuration)
    wait_for(lambda: target_of_workers(site) != earlier, UPDATE)
    wait_for(lambda: pool_is(client, "worker", "Updated"), UPDATE)
    return target_of_workers(site)


def target_of_workers(site: Lab) -> str:
    """Return the name of the configuration that workers shall have."""
    name: str = site.api.rest.get(f"{POOLS}/worker")["spec"]["configuration"]["name"]
    return name


def worker_node(site: Lab) -> Json:
    """Return the worker's Node."""
    return site.api.rest.get(f"/api/v1/nodes/{WORKER}")


def daemon_notes(site: Lab) -> dict[str, str]:
    """Return the worker's annotations of the operator, without their prefix."""
    found = worker_node(site)["metadata"]["annotations"]
    return {key.removeprefix(DAEMON): value for key, value in found.items() if key.startswith(DAEMON)}
