# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a lab is seeded with is what the real API takes and what real nodes do with it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab import admission_policies
from ansible_collections.fieldops.openshift.tests.lab.actors.guard_controller import GuardController, guards_left
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.control_plane import start_controller_manager, start_scheduler
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.kwok import start_kwok, without_host
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import (
    boot_images,
    cluster,
    hosted_clusters,
    machine_configs,
    nodes,
    workloads,
)

MANIFEST = "/etc/kubernetes/manifests/standing.json"
PATIENCE = 90.0  # of real hosts, which share the machine with whatever else runs on it
PLATFORMS = ("aws", "azure", "gcp", "vsphere", "baremetal")
MASTERS = ("master-0", "master-1", "master-2")
CONFIGURATION = "/apis/operator.openshift.io/v1/machineconfigurations/cluster"
BUDGET = f"/apis/policy/v1/namespaces/{workloads.ETCD_NAMESPACE}/poddisruptionbudgets/etcd-guard-pdb"
GUARDS = f"/api/v1/namespaces/{workloads.ETCD_NAMESPACE}/pods"


@pytest.fixture(scope="module")
def client() -> Iterator[RestClient]:
    """An API server with controllers, a scheduler and three control-plane nodes without hosts."""
    with ApiServer.start_openshift() as server:
        start_controller_manager(server)
        start_scheduler(server)
        start_kwok(server)
        server.rest.apply(cluster.infrastructure("BareMetal"))
        server.rest.apply_all(without_host(nodes.node("master", number)) for number in range(3))
        yield server.rest


class TestAdmissionPolicies:
    """Those of the machine-config operator are in force."""

    def test_a_custom_pool_inherits_from_the_workers(self, client: RestClient) -> None:
        admission_policies.wait_enforced(client)
        client.apply(machine_configs.machine_config_pool("infra", 0))
        alone = machine_configs.machine_config_pool("alone", 0)
        alone["spec"]["machineConfigSelector"] = {"matchLabels": {machine_configs.ROLE_LABEL: "alone"}}
        with pytest.raises(LabApiError, match="must inherit from the worker pool"):
            client.apply(alone)

    def test_there_is_one_machine_configuration(self, client: RestClient) -> None:
        admission_policies.wait_enforced(client)
        other = boot_images.machine_configuration()
        other["metadata"]["name"] = "other"
        with pytest.raises(LabApiError, match="must be named cluster"):
            client.apply(other)

    def test_boot_images_are_managed_where_the_platform_allows_it(self, client: RestClient) -> None:
        admission_policies.wait_enforced(client)
        wanted = boot_images.machine_configuration(managedBootImages=boot_images.managed_boot_images())
        with pytest.raises(LabApiError, match="only supported on these platforms"):
            client.apply(wanted)
        client.apply(cluster.infrastructure("AWS"))
        wait_for(lambda: is_taken(client, wanted))
        assert client.get(CONFIGURATION)["spec"]["managedBootImages"] == boot_images.managed_boot_images()


class TestBootImages:
    """MachineSets and the stream speak of the same images."""

    @pytest.mark.parametrize("platform", PLATFORMS)
    def test_a_machine_set_is_taken_with_its_old_boot_image(self, client: RestClient, platform: str) -> None:
        client.apply_all(boot_images.namespaces())
        taken = client.apply(boot_images.machine_set(platform))
        old = json.dumps(boot_images.machine_set(platform, release=boot_images.OLD)["spec"]["template"]["spec"])
        assert json.loads(old) == taken["spec"]["template"]["spec"]

    def test_the_stream_has_an_image_for_every_platform_that_lists_one(self, client: RestClient) -> None:
        client.apply_all(boot_images.namespaces())
        data = client.apply(boot_images.coreos_bootimages("4.21.3"))["data"]
        found = json.loads(data["stream"])["architectures"]["x86_64"]
        current = boot_images.machine_set("aws", release=boot_images.CURRENT)
        ami = current["spec"]["template"]["spec"]["providerSpec"]["value"]["ami"]["id"]
        assert found["images"]["aws"]["regions"]["eu-central-1"]["image"] == ami
        assert found["images"]["gcp"]["name"] == boot_images.gcp_name(boot_images.CURRENT)
        assert "vmware" in found["artifacts"]
        assert data["MCOReleaseImageVersion"] == "4.21.3"

    def test_user_data_is_an_ignition_stub(self, client: RestClient) -> None:
        client.apply_all(boot_images.namespaces())
        client.apply(boot_images.user_data("2.2.0"))
        path = f"/api/v1/namespaces/{boot_images.MACHINE_API}/secrets/worker-user-data"
        assert set(client.get(path)["data"]) == {"userData", "disableTemplating"}

    @pytest.mark.parametrize("mode", ["Manual", "None"])
    def test_a_configuration_may_say_how_old_boot_images_may_be(self, client: RestClient, mode: str) -> None:
        admission_policies.wait_enforced(client)
        skew: Json = {"mode": mode, **({"manual": _BOUND} if mode == "Manual" else {})}
        client.apply(boot_images.machine_configuration(bootImageSkewEnforcement=skew))
        assert client.get(CONFIGURATION)["spec"]["bootImageSkewEnforcement"]["mode"] == mode


class TestHostedClusters:
    """HyperShift's API is the real one."""

    def test_a_hosted_cluster_and_its_node_pool_are_taken(self, client: RestClient) -> None:
        client.apply(workloads.namespace(hosted_clusters.NAMESPACE))
        client.apply_all([hosted_clusters.hosted_cluster(), hosted_clusters.node_pool()])
        path = f"/apis/{hosted_clusters.API_VERSION}/namespaces/{hosted_clusters.NAMESPACE}"
        pool = client.get(f"{path}/nodepools/branch-workers")
        assert pool["spec"]["arch"] == "amd64"
        assert client.get(f"{path}/hostedclusters/branch")["spec"]["platform"]["type"] == "Agent"

    def test_its_rules_are_enforced(self, client: RestClient) -> None:
        client.apply(workloads.namespace(hosted_clusters.NAMESPACE))
        pool = hosted_clusters.node_pool(name="wrong")
        pool["spec"]["autoScaling"] = {"min": 1, "max": 2}
        with pytest.raises(LabApiError, match="Both replicas or autoScaling should not be set"):
            client.apply(pool)


class TestEtcdGuards:
    """A drain of the control plane takes one node at a time."""

    def test_an_evicted_guard_is_made_again_and_blocks_the_next_node(self, client: RestClient) -> None:
        with GuardController(client, "quay.io/lab/guard:1"):
            wait_for(lambda: client.exists(BUDGET) and guards_left(client) == 1, PATIENCE)
            cordon(client, "master-0")
            evict(client, "master-0")
            wait_for(lambda: phase(client, "master-0") == "Pending")
            wait_for(lambda: guards_left(client) == 0)
            with pytest.raises(LabApiError, match="disruption budget"):
                evict(client, "master-1")
            cordon(client, "master-0", wanted=False)
            wait_for(lambda: guards_left(client) == 1)

    def test_a_single_node_cluster_has_none(self) -> None:
        assert [one["kind"] for one in workloads.etcd_guards(["master-0"], "x")] == ["Namespace"]


def test_guards_budgets_and_daemons_work_on_real_nodes(lab: Lab) -> None:
    rest, names = lab.api.rest, sorted(lab.hosts)
    image = pause_image().name
    workloads.plant(rest, [*workloads.etcd_guards(names, image), workloads.daemon_set("agent", image)])
    wait_for(lambda: guards_left(rest) == 1, PATIENCE)
    wait_for(
        lambda: rest.get("/apis/apps/v1/namespaces/default/daemonsets/agent")["status"]["numberReady"] == 3, PATIENCE
    )
    evict(rest, "worker-0")
    with pytest.raises(LabApiError, match="disruption budget") as refused:
        evict(rest, "worker-1")
    assert refused.value.status == 429
    rest.delete("/apis/apps/v1/namespaces/default/daemonsets/agent")
    rest.delete(GUARDS)
    rest.delete(f"/apis/policy/v1/namespaces/{workloads.ETCD_NAMESPACE}/poddisruptionbudgets")


def test_local_data_goes_with_its_pod(lab: Lab, lab_namespace: str) -> None:
    rest, host = lab.api.rest, lab.hosts["worker-0"]
    pod = workloads.pod("cache", pause_image().name, namespace=lab_namespace, node="worker-0")
    made = rest.apply(workloads.with_local_data(pod))
    path = f"/api/v1/namespaces/{lab_namespace}/pods/cache"
    wait_for(lambda: rest.get(path)["status"]["phase"] == "Running", PATIENCE)
    place = f"/var/lib/kubelet/pods/{made['metadata']['uid']}/volumes/kubernetes.io~empty-dir/scratch"
    host.write(f"{place}/file", "here")
    assert host.run("cat", f"{place}/file") == "here"
    rest.delete(path)
    wait_for(lambda: host.run("ls", place, check=False) == "" and not rest.exists(path), PATIENCE)


def test_a_pod_with_a_finalizer_stays_until_that_is_taken_away(lab: Lab, lab_namespace: str) -> None:
    rest = lab.api.rest
    pod = workloads.pod("held", pause_image().name, namespace=lab_namespace, node="worker-1")
    rest.apply(workloads.with_finalizer(pod))
    path = f"/api/v1/namespaces/{lab_namespace}/pods/held"
    wait_for(lambda: rest.get(path)["status"]["phase"] == "Running", PATIENCE)
    evict(rest, "held", lab_namespace)
    wait_for(lambda: rest.get(path)["status"]["phase"] == "Succeeded", PATIENCE)
    assert rest.get(path)["metadata"]["deletionTimestamp"]
    rest.merge(path, {"metadata": {"finalizers": None}})
    wait_for(lambda: not rest.exists(path), PATIENCE)


def test_a_static_pod_survives_its_eviction(lab: Lab) -> None:
    host, rest = lab.hosts["worker-1"], lab.api.rest
    pod = json.dumps(workloads.static_pod("standing", pause_image().name, namespace="default"))
    host.write("/etc/kubernetes/standing.json", pod)
    host.run("mv", "/etc/kubernetes/standing.json", MANIFEST)
    path = "/api/v1/namespaces/default/pods/standing-worker-1"
    wait_for(lambda: running(host) != "" and rest.exists(path), PATIENCE)
    before = running(host)
    evict(rest, "standing-worker-1", "default")
    wait_for(lambda: rest.exists(path), PATIENCE)
    assert running(host) == before
    host.run("rm", MANIFEST)
    wait_for(lambda: not rest.exists(path), PATIENCE)


_BOUND = {"mode": "OCPVersion", "ocpVersion": "4.19.0"}


def running(host: NodeHost) -> str:
    return host.run("crictl", "pods", "--name", "standing-worker-1", "--state", "ready", "--quiet")


def is_taken(client: RestClient, wanted: Json) -> bool:
    with contextlib.suppress(LabApiError):
        client.apply(wanted)
        return True
    return False


def cordon(client: RestClient, node: str, *, wanted: bool = True) -> None:
    client.merge(f"/api/v1/nodes/{node}", {"spec": {"unschedulable": wanted or None}})


def phase(client: RestClient, node: str) -> str:
    phases = {pod["metadata"]["name"]: pod["status"]["phase"] for pod in client.get(GUARDS)["items"]}
    return str(phases.get(f"etcd-guard-{node}", ""))


def evict(client: RestClient, name: str, namespace: str = workloads.ETCD_NAMESPACE) -> None:
    name = f"etcd-guard-{name}" if namespace == workloads.ETCD_NAMESPACE else name
    body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name}}
    client.create(f"/api/v1/namespaces/{namespace}/pods/{name}/eviction", body)
