# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The API server of the lab is a real one: it authorises, admits, validates, logs, goes away and comes back."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.stopwatch import Stopwatch
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.cache import say
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.go import KUBERNETES, pinned_version
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import boot_images, machine_configs
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

ATTEMPTS = 3


@pytest.fixture(scope="module")
def own_server() -> Iterator[ApiServer]:
    """A server that tests may stop, and that was ready within six seconds at one of a few attempts."""
    undisturbed: list[float] = []
    while len(undisturbed) < ATTEMPTS:
        watch = Stopwatch()
        with ApiServer.start_openshift() as server:
            undisturbed.append(watch.undisturbed)
            say(f"API server after {watch.seconds:.1f} s, without others on the machine {undisturbed[-1]:.1f} s")
            if undisturbed[-1] < 6:
                yield server
                return
    pytest.fail(f"ready after {undisturbed} seconds")


def test_a_warm_start_takes_less_than_six_seconds_beside_another_server(
    own_server: ApiServer, api_server: ApiServer
) -> None:
    assert own_server.rest.get("/version")["gitVersion"] == pinned_version(KUBERNETES)
    assert own_server.url != api_server.url


def test_it_serves_the_definitions_of_openshift(api_server: ApiServer) -> None:
    served = {group["name"] for group in api_server.rest.get("/apis")["groups"]}
    wanted = {"config.openshift.io", "machine.openshift.io", "machineconfiguration.openshift.io", "route.openshift.io"}
    assert wanted <= served


def test_a_healthy_cluster_passes_validation_with_its_status(api_server: ApiServer) -> None:
    plant(api_server.rest, healthy_cluster("4.21.3", control_plane=3, workers=2))
    version = api_server.rest.get("/apis/config.openshift.io/v1/clusterversions/version")
    nodes = {node["metadata"]["name"]: node["spec"] for node in api_server.rest.get("/api/v1/nodes")["items"]}
    assert version["status"]["history"][0]["version"] == "4.21.3"
    assert {"master-0", "master-1", "master-2", "worker-0", "worker-1"} <= set(nodes)
    assert "taints" not in nodes["worker-0"]


def test_machine_sets_of_every_platform_and_their_boot_images_are_accepted(api_server: ApiServer) -> None:
    platforms = ("aws", "azure", "gcp", "vsphere", "baremetal")
    rest = api_server.rest
    rest.apply_all(boot_images.namespaces())
    rest.apply_all([boot_images.coreos_bootimages(), boot_images.user_data(), *map(boot_images.machine_set, platforms)])
    path = "/apis/machine.openshift.io/v1beta1/namespaces/openshift-machine-api/machinesets"
    assert len(rest.get(path)["items"]) == len(platforms)


def test_rules_in_the_definitions_are_enforced(api_server: ApiServer) -> None:
    wrong = machine_configs.machine_config_node("worker-0", "worker")
    wrong["spec"]["node"]["name"] = "worker-1"
    with pytest.raises(LabApiError, match="422"):
        api_server.rest.apply(wrong)


def test_a_user_may_do_nothing_before_somebody_grants_it(api_server: ApiServer, namespace: str) -> None:
    path = f"/api/v1/namespaces/{namespace}/configmaps"
    with client(api_server, "observer") as observer, pytest.raises(LabApiError, match="403"):
        observer.get(path)
    api_server.rest.apply(
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "RoleBinding",
            "metadata": {"name": "observers", "namespace": namespace},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
            "subjects": [{"kind": "Group", "name": "fieldops:observers"}],
        }
    )
    with client(api_server, "observer") as observer:
        assert is_soon_allowed(observer, path)


def test_requests_are_counted_by_verb_and_resource(api_server: ApiServer, namespace: str) -> None:
    mark = api_server.audit.mark()
    with client(api_server, "technician") as technician:
        for _again in range(3):
            with pytest.raises(LabApiError):
                technician.get(f"/api/v1/namespaces/{namespace}/secrets/x")
    assert api_server.audit.count(mark, verb="get", resource="secrets") == 0
    requests = api_server.audit.requests(mark, own=True, user="technician")
    assert [(one.verb, one.resource, one.name, one.code) for one in requests] == [("get", "secrets", "x", 403)] * 3


def test_over_an_outage_the_address_stays_reserved_and_the_objects_are_kept(own_server: ApiServer) -> None:
    own_server.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "kept"}})
    url = own_server.url
    own_server.stop()
    with pytest.raises(OSError, match=r"refused|reset"):
        own_server.rest.get("/version")
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("127.0.0.1", own_server.port))
    own_server.start()
    assert own_server.url == url
    assert own_server.rest.get("/api/v1/namespaces/kept")["metadata"]["name"] == "kept"


def client(server: ApiServer, user: str) -> RestClient:
    return RestClient(server.url, server.ca_file, server.token_of(user))


def is_soon_allowed(client: RestClient, path: str) -> bool:
    """RBAC is served from a cache that follows within milliseconds."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        with contextlib.suppress(LabApiError):
            client.get(path)
            return True
    return False
