# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Change management beside the real machine-config operator and controller.

What anybody applies on a closed day is rendered, and rolled out when change is permitted. With the second admission
policy it is refused, and what the operators themselves write passes.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do import write_override
from ansible_collections.fieldops.openshift.plugins.modules import change_override
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    NAMESPACE,
    assignments,
    client_of,
    enforce,
    params,
)
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import shipped
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.machine_config.first_state import (
    CONFIGS,
    configuration_of,
    settle,
)
from ansible_collections.fieldops.openshift.tests.lab.machine_config.processes import VERSION, operator_processes
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import (
    content_of,
    operator_condition,
)
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_with_file
from ansible_collections.fieldops.openshift.tests.lab.workspace import LeashedProcess

KUBELET_CONFIGS = "/apis/machineconfiguration.openshift.io/v1/kubeletconfigs"
GENERATED = "99-worker-generated-kubelet"
WORKERS = "pools.operator.machineconfiguration.openshift.io/worker"
LIMITS, LIMIT = "limits", "podPidsLimit: 8765"
MIRROR = "registry.lab.example"
REFUSED = "change of the affected pools is not permitted now"
DESIRED = "machineconfiguration.openshift.io/desiredConfig"
ROUNDS = 60.0


class Site(t.NamedTuple):
    """The cluster, and the machine-config controller that works on it."""

    server: ApiServer
    controller: LeashedProcess


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A cluster that belongs to the real operator and controller, its workers closed, the admission policy in force."""
    with ApiServer.start_openshift() as server:
        plant(server.rest, healthy_cluster(VERSION, control_plane=1, workers=2))
        server.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        with operator_processes(server) as controller:
            settle(server.rest)
            server.rest.apply(assignments(worker="Restrictive"))
            enforce(server)
            for document in shipped("change-enforcement.yml"):
                server.rest.apply(document)
            yield Site(server, controller)


def permit(site: Site) -> None:
    override(site, strategy="Permissive", duration="1h")


def override(site: Site, **asked: str) -> None:
    with client_of(site.server) as client:
        write_override.carry_out(client, params(change_override.SPEC, pools=["worker"], reason="agreed", **asked))
    enforce(site.server)


def rendered(client: RestClient) -> str:
    """Return the name of the workers' configuration once it has the file of the test, else nothing."""
    pool = client.get(f"{POOLS}/worker")
    found = content_of(configuration_of(client, pool), "/etc/test")
    return str(pool["spec"]["configuration"]["name"]) if found else ""


def desired(client: RestClient) -> list[str]:
    workers = client.get("/api/v1/nodes", labelSelector="node-role.kubernetes.io/worker")["items"]
    return [node["metadata"]["annotations"][DESIRED] for node in workers]


def opened_by_hand(client: RestClient) -> bool:
    try:
        client.merge(f"{POOLS}/worker", {"spec": {"paused": False}}, dryRun="All")
    except LabApiError as error:
        if "change of MachineConfigPool.worker is not permitted now" in str(error):
            return False
        raise
    return True


def test_what_is_applied_on_a_closed_day_waits_until_change_is_permitted(site: Site) -> None:
    client = site.server.rest
    before = desired(client)
    client.apply(machine_config_with_file("50-test", "worker", "/etc/test", "on a closed day"))
    wait_for(lambda: rendered(client) != "", ROUNDS)
    target = rendered(client)
    # The controller has seen the pool with its new configuration, and has begun no node of it.
    wait_for(lambda: client.get(f"{POOLS}/worker")["status"].get("updatedMachineCount") == 0, ROUNDS)
    assert desired(client) == before
    wait_for(lambda: not opened_by_hand(client), ROUNDS)
    permit(site)
    wait_for(lambda: target in desired(client), ROUNDS)
    assert desired(client).count(target) == 1, "one after another, as the pool says"
    assert client.exists(f"{CONFIGS}/50-test")


@pytest.fixture(scope="module")
def bound(site: Site) -> Site:
    """The same with the second policy in force."""
    for document in shipped("change-enforcement-configs.yml"):
        site.server.rest.apply(document)
    return site


def open_workers(site: Site) -> None:
    permit(site)
    wait_for(lambda: not is_refused(site.server.rest), ROUNDS)


def close(site: Site) -> None:
    override(site, state="absent")
    wait_for(lambda: is_refused(site.server.rest), ROUNDS)


def is_refused(client: RestClient) -> bool:
    """Whether a user's KubeletConfig would be; any other refusal is an error."""
    try:
        client.create(KUBELET_CONFIGS, kubelet_config("another"), dryRun="All")
    except LabApiError as error:
        if REFUSED in str(error):
            return True
        raise
    return False


def kubelet_config(name: str) -> Json:
    selector = {"matchLabels": {WORKERS: ""}}
    return {
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "KubeletConfig",
        "metadata": {"name": name},
        "spec": {"machineConfigPoolSelector": selector, "kubeletConfig": {"podPidsLimit": 8765}},
    }


def kubelet_of_workers(client: RestClient) -> str:
    """Return the kubelet's configuration as it is rendered for the workers."""
    return file_of_workers(client, "/etc/kubernetes/kubelet.conf")


def file_of_workers(client: RestClient, path: str) -> str:
    return content_of(configuration_of(client, client.get(f"{POOLS}/worker")), path)


def test_configurations_of_a_closed_pool_are_refused_to_users(bound: Site) -> None:
    close(bound)
    client = bound.server.rest
    with pytest.raises(LabApiError, match=REFUSED):
        client.create(CONFIGS, machine_config_with_file("50-refused", "worker", "/etc/refused", "one"))
    with pytest.raises(LabApiError, match=REFUSED):
        client.merge(f"{CONFIGS}/00-worker", {"spec": {"kernelArguments": ["audit=1"]}})


def test_what_was_accepted_is_carried_out_by_the_controller_after_the_pool_has_closed(bound: Site) -> None:
    """It writes a MachineConfig, and annotation, finalizer and status of the KubeletConfig."""
    client = bound.server.rest
    open_workers(bound)
    bound.controller.freeze()
    client.create(KUBELET_CONFIGS, kubelet_config(LIMITS))
    close(bound)
    bound.controller.thaw()
    wait_for(lambda: LIMIT in kubelet_of_workers(client), ROUNDS)
    wait_for(lambda: succeeded(client), ROUNDS)
    assert client.get(f"{KUBELET_CONFIGS}/{LIMITS}")["metadata"]["finalizers"] == [GENERATED]
    assert client.get(f"{POOLS}/worker")["spec"]["paused"] is True


def succeeded(client: RestClient) -> bool:
    conditions = client.get(f"{KUBELET_CONFIGS}/{LIMITS}").get("status", {}).get("conditions", [])
    return [(one["type"], one["status"]) for one in conditions] == [("Success", "True")]


def test_what_other_settings_need_reaches_a_closed_pool(bound: Site) -> None:
    client = bound.server.rest
    close(bound)
    mirrors = {"imageDigestMirrors": [{"source": "quay.io/example", "mirrors": [f"{MIRROR}/example"]}]}
    kind = {"apiVersion": "config.openshift.io/v1", "kind": "ImageDigestMirrorSet", "metadata": {"name": "test"}}
    client.apply({**kind, "spec": mirrors})
    wait_for(lambda: MIRROR in file_of_workers(client, "/etc/containers/registries.conf"), ROUNDS)
    wait_for(lambda: operator_condition(client, "Degraded").get("status") == "False", ROUNDS)


def test_a_configuration_is_let_go_by_its_selector_and_the_controller_cleans_up(bound: Site) -> None:
    client, path = bound.server.rest, f"{KUBELET_CONFIGS}/{LIMITS}"
    open_workers(bound)
    if not client.exists(path):
        client.create(KUBELET_CONFIGS, kubelet_config(LIMITS))
    wait_for(lambda: LIMIT in kubelet_of_workers(client), ROUNDS)
    with pytest.raises(LabApiError, match="first remove the pool from the role label or the pool selector"):
        client.delete(path)
    client.merge(path, {"spec": {"machineConfigPoolSelector": {"matchLabels": {WORKERS: None, f"{WORKERS}s": ""}}}})
    close(bound)
    client.delete(path)
    wait_for(lambda: not client.exists(path) and not client.exists(f"{CONFIGS}/{GENERATED}"), ROUNDS)
    wait_for(lambda: LIMIT not in kubelet_of_workers(client), ROUNDS)
