# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who is next: the plan for a pool, beside the order in which the real machine-config-controller takes its nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.integration.rollout.object_site import (
    NEW,
    OLD,
    POOLS,
    TECHNICIAN,
    ObjectSite,
)
from ansible_collections.fieldops.openshift.tests.integration.rollout.roll import wait_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed import nodes
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_node

ZONE = "topology.kubernetes.io/zone"
MADE = {
    "worker-6": "b",
    "worker-5": "a",
    "worker-4": "",
    "worker-3": "b",
    "worker-2": "a",
    "worker-1": "",
    "worker-0": "b",
}
"""Workers by zone, the oldest first; two are in none."""
BY_ZONE_AND_AGE = ["worker-5", "worker-2", "worker-6", "worker-3", "worker-0", "worker-4", "worker-1"]


@pytest.fixture
def site(server: ApiServer, tmp_path: Path) -> ObjectSite:
    """A site whose workers are to get another configuration, no two of them made in the same second."""
    made = ObjectSite(server, tmp_path, "order")
    for number in range(2):
        made.rest.delete(f"/api/v1/nodes/worker-{number}")
    earlier = ""
    for name, zone in MADE.items():
        earlier = make(made, name, zone, earlier)
    return made


def make(site: ObjectSite, name: str, zone: str, earlier: str) -> str:
    """Make a worker, and again until it is younger than ``earlier``; return when it was made, in whole seconds."""
    wanted = nodes.node("worker", int(name.partition("-")[2]), version=OLD)
    wanted["metadata"]["labels"].pop(ZONE)
    wanted["metadata"]["labels"].update({ZONE: zone} if zone else {})

    def is_younger() -> bool:
        if site.rest.exists(f"/api/v1/nodes/{name}"):
            site.rest.delete(f"/api/v1/nodes/{name}")
        site.rest.apply(wanted)
        return str(site.node(name)["metadata"]["creationTimestamp"]) > earlier

    wait_for(is_younger, f"{name} is younger than the one before it", 30)
    if not site.rest.exists(f"/apis/machineconfiguration.openshift.io/v1/machineconfignodes/{name}"):
        site.rest.apply(machine_config_node(name, "worker", OLD))
    return str(site.node(name)["metadata"]["creationTimestamp"])


def test_our_plan_is_the_order_that_the_operator_chooses(site: ObjectSite, server: ApiServer, tmp_path: Path) -> None:
    access = {"kubeconfig": str(server.kubeconfig_for(TECHNICIAN))}
    asked = {"id": "order", "pools": ["worker"], "method": "pool", **access}
    planned = run_play(tmp_path, {"fieldops.openshift.rollout_info": asked}).result
    with site.operator():
        site.rest.merge(f"{POOLS}/worker", {"spec": {"paused": False}})
        wait_for(lambda: all(site.has_config(name, NEW) for name in MADE), "all workers have their configuration", 120)
    assert [one["name"] for one in planned["nodes"]] == BY_ZONE_AND_AGE
    assert site.reboots == BY_ZONE_AND_AGE
