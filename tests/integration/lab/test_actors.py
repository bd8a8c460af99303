# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The actors behave as the operators they stand for, seen through the API."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_node import NODES
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import (
    machine_config_operator,
    reboot_hosts,
    reboot_objects,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_configs, rendered_name

NEXT = "4.21.5"
POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools"


@pytest.fixture(scope="module")
def own_server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        yield server


@pytest.fixture
def site(own_server: ApiServer) -> ApiServer:
    """A healthy cluster of three and two nodes without hosts, at rest on 4.21.3."""
    client = own_server.rest
    for path in (POOLS, NODES, "/apis/config.openshift.io/v1/clusterversions", "/api/v1/nodes"):
        client.delete(path)
    plant(client, healthy_cluster("4.21.3"))
    return own_server


@pytest.fixture
def cluster(site: ApiServer) -> RestClient:
    return site.rest


def test_a_pool_moves_to_its_new_configuration_one_node_after_another(site: ApiServer, cluster: RestClient) -> None:
    target = give_next(cluster, "worker")
    most = 0
    with machine_config_operator(site, reboot_objects(cluster)):
        wait_for(lambda: condition(cluster, f"{POOLS}/worker", "Updating"))
        while not condition(cluster, f"{POOLS}/worker", "Updated"):
            most = max(most, len([node for node in nodes(cluster) if node["spec"].get("unschedulable")]))
    workers = [node for node in nodes(cluster) if node["metadata"]["name"].startswith("worker")]
    assert most == 1
    assert {node["metadata"]["annotations"]["machineconfiguration.openshift.io/currentConfig"] for node in workers} == {
        target
    }
    assert not [node for node in workers if node["spec"].get("unschedulable")]


def test_a_paused_pool_stays_where_it_is_and_says_that_it_is_not_updated(site: ApiServer, cluster: RestClient) -> None:
    before = {boot(node) for node in nodes(cluster)}
    cluster.merge(f"{POOLS}/worker", {"spec": {"paused": True}})
    give_next(cluster, "worker")
    with machine_config_operator(site, reboot_objects(cluster)):
        wait_for(lambda: not condition(cluster, f"{POOLS}/worker", "Updated"))
        assert not condition(cluster, f"{POOLS}/worker", "Updating")
    assert {boot(node) for node in nodes(cluster)} == before
    cluster.merge(f"{POOLS}/worker", {"spec": {"paused": False}})


def test_real_hosts_are_drained_rebooted_and_come_back(lab: Lab) -> None:
    rest = lab.api.rest
    rest.apply(workloads.deployment("busy", pause_image().name, replicas=2))
    rest.apply(workloads.disruption_budget("busy", maxUnavailable=1))
    before = {node["metadata"]["name"]: boot(node) for node in nodes(rest)}
    give_next(rest, "worker")
    with machine_config_operator(lab.api, reboot_hosts(lab)):
        wait_for(lambda: not condition(rest, f"{POOLS}/worker", "Updated"))
        wait_for(lambda: condition(rest, f"{POOLS}/worker", "Updated"), 60)
    after = {node["metadata"]["name"]: boot(node) for node in nodes(rest)}
    assert {name for name in after if after[name] != before[name]} == {"worker-0", "worker-1"}
    rest.delete("/apis/apps/v1/namespaces/default/deployments/busy")
    rest.delete("/apis/policy/v1/namespaces/default/poddisruptionbudgets/busy")


def give_next(client: RestClient, pool: str) -> str:
    target = rendered_name(pool, NEXT)
    client.apply_all(machine_configs(pool, NEXT)[-1:])
    client.merge(f"{POOLS}/{pool}", {"spec": {"configuration": {"name": target}}})
    return target


def nodes(client: RestClient) -> list[Json]:
    items: list[Json] = client.get("/api/v1/nodes")["items"]
    return items


def boot(node: Json) -> str:
    return str(node["status"]["nodeInfo"]["bootID"])


def condition(client: RestClient, path: str, kind: str) -> bool:
    conditions = client.get(path)["status"].get("conditions", [])
    return any(one["type"] == kind and one["status"] == "True" for one in conditions)


def wait_for(true: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.05)
