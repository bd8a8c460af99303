# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The actor that goes along with a release in place of the machine-config operator."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import (
    machine_config_operator,
    reboot_objects,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.actors.other_operators import OtherOperators, version_of
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import (
    OPERATOR,
    operator_condition,
    pool_is,
)
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import OPERATORS
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import rendered_name

VERSION = "/apis/config.openshift.io/v1/clusterversions/version"
OLD, NEW = "4.21.3", "4.21.5"
OTHERS = [(50, name) for name in OPERATORS if name != "machine-config"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[RestClient]:
    """Three nodes of the control plane and a worker, with both pools paused, on their way to a release."""
    with ApiServer.start_openshift() as server:
        client = server.rest
        plant(client, healthy_cluster(OLD, workers=1))
        for pool in ("master", "worker"):
            client.merge(f"{POOLS}/{pool}", {"spec": {"paused": True}})
        found = client.get(VERSION)
        history = found["status"]["history"]
        history.insert(0, {**history[0], "state": "Partial", "version": NEW, "completionTime": None})
        client.request("PUT", f"{VERSION}/status", found, "application/json")
        with machine_config_operator(server, reboot_objects(client)):
            yield client


def target(client: RestClient, pool: str) -> str:
    name: str = client.get(f"{POOLS}/{pool}")["spec"]["configuration"]["name"]
    return name


def test_pools_get_their_configuration_once_all_other_operators_are_at_the_release(cluster: RestClient) -> None:
    with OtherOperators(cluster, OTHERS[1:]):
        last_but_one = f"{OPERATOR.rpartition('/')[0]}/{OTHERS[-1][1]}"
        wait_for(lambda: version_of(cluster.get(last_but_one)) == NEW)
    assert {target(cluster, pool) for pool in ("master", "worker")} == {
        rendered_name("master", OLD),
        rendered_name("worker", OLD),
    }
    with OtherOperators(cluster, OTHERS):
        wait_for(lambda: target(cluster, "worker") == rendered_name("worker", NEW))
    assert target(cluster, "master") == rendered_name("master", NEW)


def test_it_progresses_while_a_required_pool_is_behind(cluster: RestClient) -> None:
    wait_for(lambda: operator_condition(cluster, "Progressing")["status"] == "True")
    assert operator_condition(cluster, "Progressing")["message"] == f"Working towards {NEW}"
    wait_for(lambda: not pool_is(cluster, "master", "Updated"))
    assert version_of(cluster.get(OPERATOR)) == OLD


def test_it_reports_the_release_when_the_required_pool_is_there_and_the_workers_are_not(cluster: RestClient) -> None:
    cluster.merge(f"{POOLS}/master", {"spec": {"paused": False}})
    wait_for(lambda: version_of(cluster.get(OPERATOR)) == NEW, 60)
    assert pool_is(cluster, "master", "Updated")
    assert not pool_is(cluster, "worker", "Updated")
    assert operator_condition(cluster, "Progressing")["message"] == f"Cluster version is {NEW}"
