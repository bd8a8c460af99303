# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Node hosts that join a running cluster and leave it again."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import cgroups
from ansible_collections.fieldops.openshift.tests.lab.node.host import HostIdentity, NodeHost
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_node, rendered_name
from ansible_collections.fieldops.openshift.tests.lab.seed.nodes import node, node_name
from ansible_collections.fieldops.openshift.tests.lab.sweep import PATIENCE_SECONDS, remove

GROUP = "/apis/machineconfiguration.openshift.io/v1"
VERSION = "4.21.3"  # of the seeds; a cluster may have moved on


def announce(client: RestClient, identity: HostIdentity) -> None:
    """Create the objects that a machine-config operator has made of a host that joins, as its pool is now."""
    role, number = identity.role, identity.number
    made = node(role, number, version=VERSION)
    del made["status"]
    pool = client.get(f"{GROUP}/machineconfigpools/{role}")
    present: str = pool["spec"]["configuration"]["name"]
    wanted: list[Json] = [made, machine_config_node(node_name(role, number), role, VERSION)]
    text = json.dumps(wanted).replace(rendered_name(role, VERSION), present)
    client.apply_all(json.loads(text))


def forget(client: RestClient, name: str) -> None:
    """Delete a host's objects and its pods, as whoever takes a machine away has to."""
    for pod in client.get("/api/v1/pods", fieldSelector=f"spec.nodeName={name}")["items"]:
        metadata = pod["metadata"]
        path = f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}"
        client.delete(path, gracePeriodSeconds="0")
    for path in (f"/api/v1/nodes/{name}", f"{GROUP}/machineconfignodes/{name}"):
        if client.exists(path):
            client.delete(path)


def scrap(host: NodeHost) -> None:
    """Remove everything of a host that is off."""
    for group in (Path(hierarchy, host.group) for hierarchy in cgroups.hierarchies()):
        if group.exists():
            remove(group, time.monotonic() + PATIENCE_SECONDS)
    if host.directory.exists():
        shutil.rmtree(host.directory)
