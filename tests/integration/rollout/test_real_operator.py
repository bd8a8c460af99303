# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Hosts that belong to the real machine-config operator: its controller and daemons work beside our play."""

from __future__ import annotations

import json
import os
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.rollout.roll import Rollout, wait_for
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.machine_config.on_hosts import operator_on_hosts
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_with_file

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="node hosts need root")
POOL = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools/worker"
CURRENT = "machineconfiguration.openshift.io/currentConfig"
UPDATING_TAINT = "UpdateInProgress"
OURS = {"schemaVersion": 1, "paused": True, "at": "2026-11-20T08:00:00.000000Z", "by": "system:admin"}


@pytest.fixture(scope="module")
def site() -> Iterator[Lab]:
    """A control-plane node and two workers, with a deployment that can spare one pod at a time."""
    with Lab(control_plane=1, workers=2) as lab:
        rest = lab.api.rest
        rest.apply(workloads.deployment("busy", pause_image().name, replicas=2))
        rest.apply(workloads.disruption_budget("busy", maxUnavailable=1))
        with operator_on_hosts(lab):
            yield lab


@pytest.mark.long
@pytest.mark.parametrize("way", ["pool", "node_by_node"])
def test_each_host_is_drained_and_rebooted_once(site: Lab, way: str, tmp_path: Path) -> None:
    target = give_next(site, f"for {way}\n")
    boots = {name: host.boots for name, host in site.hosts.items()}
    done = Rollout(site, tmp_path, f"real-{way.replace('_', '-')}", nodes=[], **variables(way)).run()
    assert done.returncode == 0, done.stdout
    assert {name: host.boots - boots[name] for name, host in site.hosts.items()} == {
        "master-0": 0,
        "worker-0": 1,
        "worker-1": 1,
    }
    for name in ("worker-0", "worker-1"):
        assert node(site, name)["metadata"]["annotations"][CURRENT] == target
        assert not node(site, name)["spec"].get("unschedulable")
    wait_for(lambda: not marked(site), "the controller takes its mark off the nodes")
    wait_for(lambda: site.api.rest.get(POOL)["status"]["updatedMachineCount"] == 2, "the controller counts both")
    assert site.api.rest.get(POOL)["spec"]["paused"]


def give_next(site: Lab, content: str) -> str:
    """Let the paused pool have another configuration, and wait until the controller has counted its nodes by it."""
    rest = site.api.rest
    notes = {"fieldops-openshift/pause": json.dumps(OURS)}
    rest.merge(POOL, {"metadata": {"annotations": notes}, "spec": {"paused": True}})
    earlier = target_of(site)
    rest.apply(machine_config_with_file("50-test", "worker", "/etc/lab-test.conf", content))
    wait_for(lambda: target_of(site) != earlier, "the controller renders the next configuration")
    wait_for(lambda: rest.get(POOL)["status"]["updatedMachineCount"] == 0, "the controller counts no updated worker")
    return target_of(site)


def target_of(site: Lab) -> str:
    name: str = site.api.rest.get(POOL)["spec"]["configuration"]["name"]
    return name


def variables(way: str) -> dict[str, t.Any]:
    return {
        "site_pools": ["worker"],
        "site_node_change": way,
        "roll_nodes_settle": "never",
    }


def node(site: Lab, name: str) -> Json:
    return site.api.rest.get(f"/api/v1/nodes/{name}")


def marked(site: Lab) -> set[str]:
    """Return which hosts carry the taint that the controller gives to nodes on their way."""
    taints = {name: node(site, name)["spec"].get("taints", []) for name in site.hosts}
    return {name for name, found in taints.items() if any(UPDATING_TAINT in one["key"] for one in found)}
