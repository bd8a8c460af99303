# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real machine-config operator and controller on a cluster without hosts: what they render, choose and report."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_health import (
    HEALTH_OPTIONS,
    read_health,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pause_record import (
    PAUSE_ANNOTATION,
    PauseRecord,
)
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.machine_config.first_state import (
    CONFIGS,
    configuration_of,
    settle,
    wait_rendered,
)
from ansible_collections.fieldops.openshift.tests.lab.machine_config.processes import VERSION, operator_processes
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import (
    OPERATOR,
    content_of,
    operator_condition,
    pool_is,
)
from ansible_collections.fieldops.openshift.tests.lab.machine_config.templates import RELEASE_FILE
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_with_file

MIRRORS = "/apis/config.openshift.io/v1/imagedigestmirrorsets"
MIRROR = "registry.lab.example"
REGISTRIES = "/etc/containers/registries.conf"
DESIRED = "machineconfiguration.openshift.io/desiredConfig"
RENDERING = 60.0
POOLS_FAILED = "RequiredPoolsFailed"
PAUSED_PENDING = (
    f"Failed to resync {VERSION} because: error required MachineConfigPool master is paused and cannot sync until it "
    "is unpaused"
)


@pytest.fixture(scope="module")
def operated() -> Iterator[ApiServer]:
    """A cluster of one control-plane node and two workers that belongs to the real operator and controller."""
    with ApiServer.start_openshift() as server:
        plant(server.rest, healthy_cluster(VERSION, control_plane=1, workers=2))
        with operator_processes(server):
            yield server


@pytest.fixture
def cluster(operated: ApiServer) -> Iterator[RestClient]:
    """The cluster with every node in the configuration of its pool, and ClusterOperator machine-config at rest."""
    client = operated.rest
    settle(client)
    yield client
    for path in (f"{CONFIGS}/50-test", f"{MIRRORS}/test"):
        if client.exists(path):
            client.delete(path)
    client.merge(f"{POOLS}/master", {"metadata": {"annotations": {PAUSE_ANNOTATION: None}}, "spec": {"paused": False}})
    # The controllers take some seconds to render without what is gone.
    wait_for(lambda: not any(changed(client, pool) for pool in ("master", "worker")), RENDERING)


def changed(client: RestClient, pool: str) -> bool:
    """Whether the configuration of a pool has something of a test in it."""
    configuration = configuration_of(client, client.get(f"{POOLS}/{pool}"))
    return content_of(configuration, "/etc/test") != "" or MIRROR in content_of(configuration, REGISTRIES)


def test_pools_are_rendered_from_the_templates(cluster: RestClient) -> None:
    for pool, configuration in wait_rendered(cluster).items():
        assert content_of(configuration, RELEASE_FILE) == f"role {pool}\n"
        assert configuration["spec"]["osImageURL"] == release_image(VERSION)


def test_mirror_rules_reach_every_pool_and_one_worker_after_another(cluster: RestClient) -> None:
    mirrors = [{"source": "quay.io/example", "mirrors": [f"{MIRROR}/example"]}]
    cluster.apply(
        {
            "apiVersion": "config.openshift.io/v1",
            "kind": "ImageDigestMirrorSet",
            "metadata": {"name": "test"},
            "spec": {"imageDigestMirrors": mirrors},
        }
    )
    wait_for(lambda: all(MIRROR in registries(cluster, pool) for pool in ("master", "worker")), 60)
    target = cluster.get(f"{POOLS}/worker")["spec"]["configuration"]["name"]
    wait_for(lambda: target in desired_of_workers(cluster), 60)
    assert desired_of_workers(cluster).count(target) == 1  # of two: the pool's maxUnavailable is one


def registries(client: RestClient, pool: str) -> str:
    return content_of(configuration_of(client, client.get(f"{POOLS}/{pool}")), REGISTRIES)


def desired_of_workers(client: RestClient) -> list[str]:
    workers = client.get("/api/v1/nodes", labelSelector="node-role.kubernetes.io/worker")["items"]
    return [node["metadata"]["annotations"][DESIRED] for node in workers]


def test_the_operator_reports_its_version_and_where_its_pools_are(cluster: RestClient) -> None:
    wait_for(lambda: operator_condition(cluster, "Available")["status"] == "True")
    assert {"name": "operator", "version": VERSION} in cluster.get(OPERATOR)["status"]["versions"]
    assert operator_condition(cluster, "Progressing")["message"] == f"Cluster version is {VERSION}"
    at_rest = "all 2 nodes are at latest configuration rendered-worker-"
    wait_for(lambda: at_rest in cluster.get(OPERATOR)["status"]["extension"]["worker"])


def test_a_required_pool_that_is_paused_with_an_update_pending_degrades_the_operator(cluster: RestClient) -> None:
    cluster.merge(f"{POOLS}/master", {"spec": {"paused": True}})
    cluster.apply(machine_config_with_file("50-test", "master", "/etc/test", "pending"))
    wait_for(lambda: operator_condition(cluster, "Degraded").get("message") == PAUSED_PENDING, 60)
    assert operator_condition(cluster, "Degraded")["reason"] == POOLS_FAILED
    assert operator_condition(cluster, "Upgradeable")["status"] == "True"


def test_a_required_pool_that_is_paused_with_nothing_pending_degrades_it_for_a_moment_at_most(
    cluster: RestClient,
) -> None:
    """It does only where a look of it falls between the pause and what the node controller makes of that (sync.go)."""
    cluster.merge(f"{POOLS}/master", {"spec": {"paused": True}})
    wait_for(lambda: pool_is(cluster, "master", "Updated"))
    wait_for(lambda: operator_condition(cluster, "Degraded").get("status") == "False", 60)


def test_a_pool_that_is_opened_again_clears_the_operator(cluster: RestClient) -> None:
    cluster.merge(f"{POOLS}/master", {"spec": {"paused": True}})
    cluster.apply(machine_config_with_file("50-test", "master", "/etc/test", "pending"))
    wait_for(lambda: operator_condition(cluster, "Degraded").get("status") == "True", 60)
    cluster.merge(f"{POOLS}/master", {"spec": {"paused": False}})
    settle(cluster)
    assert operator_condition(cluster, "Degraded")["status"] == "False"


def test_the_health_check_finds_the_cluster_settled(operated: ApiServer, cluster: RestClient) -> None:
    health = health_between_two_nodes(operated)
    assert health.done, health.sentence
    assert operator_condition(cluster, "Degraded")["status"] == "False"


def test_the_health_check_expects_what_the_pause_of_a_rollout_does(operated: ApiServer, cluster: RestClient) -> None:
    record = PauseRecord(True, "2026-11-21T22:04:00.000000Z", "technician", "update-4.21.4")
    pause = {"metadata": {"annotations": {PAUSE_ANNOTATION: record.as_text()}}, "spec": {"paused": True}}
    cluster.merge(f"{POOLS}/master", pause)
    cluster.apply(machine_config_with_file("50-test", "master", "/etc/test", "pending"))
    wait_for(lambda: operator_condition(cluster, "Degraded").get("reason") == POOLS_FAILED, 60)
    health = health_between_two_nodes(operated)
    assert health.done, health.sentence
    expected = [one for one in health.objects["findings"] if one["code"] == "operator_degraded"]
    assert [one["advice"] for one in expected] == ["Expected while rollout update-4.21.4 keeps pool master paused."]


def health_between_two_nodes(server: ApiServer) -> Step:
    """Return what a rollout waits for after a node of the control plane (role roll_nodes, settle.yml)."""
    allowed = ["version_progressing", "operator_progressing:machine-config"]
    options = {**{name: one["default"] for name, one in HEALTH_OPTIONS.items()}, "allowed": allowed}
    return read_health(client_of(server), options)
