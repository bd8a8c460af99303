# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real machine-config operator, controller and daemons on hosts: a configuration reaches a worker and its pool."""

from __future__ import annotations

import os
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.machine_config.on_hosts import operator_on_hosts
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import pool_is
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_with_file

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.tests.lab.rest import Json

WORKER = "worker-0"
DAEMON = "machineconfiguration.openshift.io/"
TOPOLOGY = {"controlPlaneTopology": "HighlyAvailable"}
"""Of a cluster with one control-plane node the daemon drains nothing, so this one says to have more."""
FIRST_STATE = 120.0
UPDATE = 240.0  # of which a daemon that has just started takes a minute before it looks (pkg/daemon, syncNode)


@pytest.fixture(scope="module")
def site() -> Iterator[Lab]:
    """A control-plane node and a worker whose pools are updated, with everything of the operator running there."""
    if os.geteuid():
        pytest.skip("node hosts need root")
    with Lab(control_plane=1, workers=1) as lab:
        lab.api.rest.merge("/apis/config.openshift.io/v1/infrastructures/cluster/status", {"status": TOPOLOGY})
        with operator_on_hosts(lab):
            wait_for(lambda: all(pool_is(lab.api.rest, pool, "Updated") for pool in ("master", "worker")), FIRST_STATE)
            yield lab


def test_a_worker_is_drained_configured_and_rebooted_until_its_pool_is_updated(site: Lab) -> None:
    client, host = site.api.rest, site.hosts[WORKER]
    boots, before = host.boots, node(site)["status"]["nodeInfo"]["bootID"]
    earlier = notes(site)["currentConfig"]
    client.apply(machine_config_with_file("50-test", "worker", "/etc/lab-test.conf", "hello\n"))
    wait_for(lambda: client.get(f"{POOLS}/worker")["spec"]["configuration"]["name"] != earlier, UPDATE)
    wait_for(lambda: pool_is(client, "worker", "Updated"), UPDATE)
    target = client.get(f"{POOLS}/worker")["spec"]["configuration"]["name"]
    assert {key: notes(site)[key] for key in ("currentConfig", "desiredConfig", "state")} == {
        "currentConfig": target,
        "desiredConfig": target,
        "state": "Done",
    }
    assert notes(site)["lastAppliedDrain"] == f"uncordon-{target}"
    assert host.run("cat", "/etc/lab-test.conf") == "hello\n"
    assert host.boots == boots + 1
    assert node(site)["status"]["nodeInfo"]["bootID"] != before
    assert not node(site)["spec"].get("unschedulable")


def node(site: Lab) -> Json:
    return site.api.rest.get(f"/api/v1/nodes/{WORKER}")


def notes(site: Lab) -> dict[str, str]:
    found = node(site)["metadata"]["annotations"]
    return {key.removeprefix(DAEMON): value for key, value in found.items() if key.startswith(DAEMON)}
