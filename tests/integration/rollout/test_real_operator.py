# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Hosts whose pools belong to the real machine-config-controller: it cordons, drains and uncordons beside our play."""

from __future__ import annotations

import json
import os
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.rollout.roll import Rollout, wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import (
    machine_config_operator,
    reboot_hosts,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_configs, rendered_name

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ansible_collections.fieldops.openshift.tests.lab.rest import Json

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
        with machine_config_operator(lab.api, reboot_hosts(lab)):
            yield lab


@pytest.mark.parametrize(("way", "version"), [("pool", "4.21.5"), ("node_by_node", "4.21.6")])
def test_each_host_is_drained_and_rebooted_once(site: Lab, way: str, version: str, tmp_path: Path) -> None:
    target = give_next(site, version)
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
    pool = site.api.rest.get(POOL)
    assert pool["spec"]["paused"]
    assert pool["status"]["updatedMachineCount"] == 2


def give_next(site: Lab, version: str) -> str:
    """Let the paused pool have another configuration, and wait until the controller has seen it."""
    rest, target = site.api.rest, rendered_name("worker", version)
    rest.apply_all(machine_configs("worker", version)[-1:])
    notes = {"fieldops-openshift/pause": json.dumps(OURS)}
    rest.merge(POOL, {"metadata": {"annotations": notes}, "spec": {"paused": True}})
    rest.merge(POOL, {"spec": {"configuration": {"name": target}}})
    wait_for(lambda: rest.get(POOL)["status"]["updatedMachineCount"] == 0, "the controller counts no updated worker")
    return target


def variables(way: str) -> dict[str, t.Any]:
    return {
        "site_pools": ["worker"],
        "site_rollout_way": way,
        "node_rollout_look_seconds": 3,
        "node_rollout_settle": "never",
    }


def node(site: Lab, name: str) -> Json:
    return site.api.rest.get(f"/api/v1/nodes/{name}")


def marked(site: Lab) -> set[str]:
    """Return which hosts carry the taint that the controller gives to nodes on their way."""
    taints = {name: node(site, name)["spec"].get("taints", []) for name in site.hosts}
    return {name for name, found in taints.items() if any(UPDATING_TAINT in one["key"] for one in found)}
