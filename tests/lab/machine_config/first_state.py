# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The state in which an installation leaves pools and nodes: configurations rendered, every node in its own.

No installer runs in the lab. Seeded nodes name configurations that were made up; here they are given those that the
real controller has rendered, as Ignition and the daemon's first run leave them (pkg/daemon, checkStateOnFirstRun).
"""

from __future__ import annotations

import time

from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS, pools_of
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import operator_hash
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import operator_condition, pool_is
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.nodes import DAEMON

CONFIGS = "/apis/machineconfiguration.openshift.io/v1/machineconfigs"
RENDERED_BY = f"{DAEMON}/generated-by-controller-version"
PARTS = (
    *("00-{}", "01-{}-container-runtime", "01-{}-kubelet"),
    *("97-{}-generated-kubelet", "98-{}-generated-kubelet", "99-{}-generated-registries"),
)
"""What the controllers of a real cluster make for each of the two built-in roles."""
RENDER_SECONDS = 180.0
SETTLED_SECONDS = 120.0


def wait_rendered(client: RestClient, seconds: float = RENDER_SECONDS) -> dict[str, Json]:
    """Return the rendered configuration of each pool as soon as the real controller has made it of all ``PARTS``."""
    deadline = time.monotonic() + seconds
    while True:
        pools = client.get(POOLS)["items"]
        lacking = {pool["metadata"]["name"]: _lacking(client, pool) for pool in pools}
        if pools and not any(lacking.values()):
            return {pool["metadata"]["name"]: configuration_of(client, pool) for pool in pools}
        if time.monotonic() > deadline:
            advice = "See machine-config-operator.log and machine-config-controller.log."
            raise LabError("render", on="the pools", seen=f"they lack {lacking}", advice=advice)
        time.sleep(0.1)


def configuration_of(client: RestClient, pool: Json) -> Json:
    """Return the rendered MachineConfig that a pool shall have."""
    return client.get(f"{CONFIGS}/{pool['spec']['configuration']['name']}")


def settle(client: RestClient, seconds: float = SETTLED_SECONDS) -> None:
    """Play the daemons where there are no hosts, until pools and ClusterOperator machine-config are at rest.

    It is done again and again: the next configuration may be under way.
    """
    deadline = time.monotonic() + seconds
    while restless := _restless(client):
        if time.monotonic() > deadline:
            raise LabError(
                "settle", on="the cluster", seen=", ".join(restless), advice="See machine-config-operator.log."
            )
        time.sleep(0.1)


def _restless(client: RestClient) -> list[str]:
    """Give nodes what they shall have, and return what is not at rest yet."""
    wait_rendered(client)
    settle_nodes(client)
    said = [one for one in ("Progressing", "Degraded") if operator_condition(client, one).get("status") != "False"]
    return [*said, *(pool for pool in ("master", "worker") if not pool_is(client, pool, "Updated"))]


def settle_nodes(client: RestClient) -> None:
    """Give every node the configuration of its pool, as if it had booted with it."""
    pools = client.get(POOLS)["items"]
    for node in client.get("/api/v1/nodes")["items"]:
        settle_node(client, node["metadata"]["name"], pools_of(node, pools)[0]["spec"]["configuration"]["name"])


def settle_node(client: RestClient, node: str, configuration: str) -> None:
    """Write what a daemon at rest has written on its node."""
    notes = dict.fromkeys(("currentConfig", "desiredConfig"), configuration)
    notes |= dict.fromkeys(("desiredDrain", "lastAppliedDrain"), f"uncordon-{configuration}")
    notes |= {"state": "Done", "reason": ""}
    annotations = {f"{DAEMON}/{name}": value for name, value in notes.items()}
    client.merge(f"/api/v1/nodes/{node}", {"metadata": {"annotations": annotations}})


def _lacking(client: RestClient, pool: Json) -> list[str]:
    """Return what a pool waits for: parts that are not in its configuration yet, or one of the real controller."""
    source = {one["name"] for one in pool["spec"]["configuration"].get("source", [])}
    lacking = [part for part in (one.format(pool["metadata"]["name"]) for one in PARTS) if part not in source]
    if not lacking and client.exists(f"{CONFIGS}/{pool['spec']['configuration']['name']}"):
        notes = configuration_of(client, pool)["metadata"].get("annotations", {})
        return [] if notes.get(RENDERED_BY) == operator_hash() else [RENDERED_BY]
    return lacking or ["the rendered configuration"]
