# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Node hosts are machines: they boot, run pods, reboot, join and leave."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.stopwatch import Stopwatch
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.cache import say
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError, LabError
from ansible_collections.fieldops.openshift.tests.lab.go import KUBERNETES, pinned_version
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads

PODS = "/api/v1/namespaces/default/pods"
ATTEMPTS = 3


def test_no_unit_of_a_host_has_failed(lab: Lab) -> None:
    for host in lab.hosts.values():
        assert host.run("systemctl", "is-system-running", "--wait").strip() == "running"


def test_a_host_runs_the_kubelet_that_the_lab_is_pinned_to(lab: Lab) -> None:
    nodes = lab.api.rest.get("/api/v1/nodes")["items"]
    assert {node["status"]["nodeInfo"]["kubeletVersion"] for node in nodes} == {pinned_version(KUBERNETES)}


def test_a_technician_gets_in_by_ssh_and_can_become_root(lab: Lab) -> None:
    command = ["ssh", "-F", str(lab.ssh_config), "worker-0", "hostname; sudo -n id -u"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.split() == ["worker-0", "0"]


def test_hosts_differ_in_identity_and_share_nothing(lab: Lab) -> None:
    identities = [lab.hosts[name].run("cat", "/etc/machine-id", "/etc/hostname") for name in sorted(lab.hosts)]
    assert len(set(identities)) == len(lab.hosts)


def test_pods_run_from_an_image_that_no_registry_has(lab: Lab) -> None:
    lab.api.rest.apply(workloads.pod("alone", pause_image().name, node="worker-0"))
    wait_for(lambda: lab.api.rest.get(f"{PODS}/alone")["status"]["phase"] == "Running")
    listed = json.loads(lab.hosts["worker-0"].run("crictl", "images", "-o", "json"))["images"]
    assert pause_image().name in {name for image in listed for name in image["repoDigests"]}
    lab.api.rest.delete(f"{PODS}/alone")


def test_an_eviction_beyond_the_budget_is_refused(lab: Lab) -> None:
    rest = lab.api.rest
    rest.apply(workloads.deployment("web", pause_image().name, replicas=2))
    rest.apply(workloads.disruption_budget("web", maxUnavailable=1))
    budget = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/web"
    wait_for(lambda: rest.get(budget).get("status", {}).get("disruptionsAllowed") == 1)
    names = [pod["metadata"]["name"] for pod in rest.get(PODS, labelSelector="app=web")["items"]]
    evict(lab, names[0])
    with pytest.raises(LabApiError, match="disruption budget") as refused:
        evict(lab, names[1])
    assert refused.value.status == 429
    rest.delete("/apis/apps/v1/namespaces/default/deployments/web")
    rest.delete(budget)


def test_a_static_pod_shows_as_a_mirror_pod(lab: Lab) -> None:
    manifest = json.dumps(workloads.static_pod("keeper", pause_image().name, namespace="default"))
    host = lab.hosts["worker-1"]
    host.write("/etc/kubernetes/manifests/keeper.json", manifest)
    wait_for(lambda: lab.api.rest.exists(f"{PODS}/keeper-worker-1"), 30)
    mirror = lab.api.rest.get(f"{PODS}/keeper-worker-1")
    assert "kubernetes.io/config.mirror" in mirror["metadata"]["annotations"]
    host.run("rm", "/etc/kubernetes/manifests/keeper.json")


def test_after_a_reboot_the_node_is_ready_with_a_new_boot_id_within_ten_seconds(lab: Lab) -> None:
    """Of a few attempts the best counts."""

    def undisturbed() -> float:
        before, watch = boot_id(lab, "worker-0"), Stopwatch()
        lab.reboot("worker-0")
        lab.wait_ready(["worker-0"])
        assert boot_id(lab, "worker-0") not in ("", before)
        say(f"reboot to Ready in {watch.seconds:.1f} s, without others on the machine {watch.undisturbed:.1f} s")
        return watch.undisturbed

    assert any(undisturbed() < 10 for _again in range(ATTEMPTS))
    assert float(lab.hosts["worker-0"].run("cat", "/proc/uptime").split()[0]) < 60


def test_a_fresh_node_is_a_node_like_the_others_until_it_is_taken_away(lab: Lab) -> None:
    host = lab.add_host()
    rest = lab.api.rest
    pool = rest.get("/apis/machineconfiguration.openshift.io/v1/machineconfigpools/worker")["spec"]["configuration"]
    metadata = rest.get(f"/api/v1/nodes/{host.name}")["metadata"]
    assert metadata["annotations"]["machineconfiguration.openshift.io/currentConfig"] == pool["name"]
    rest.apply(workloads.pod("guest", pause_image().name, node=host.name))
    wait_for(lambda: rest.get(f"{PODS}/guest")["status"]["phase"] == "Running")
    assert reaches(lab, "worker-0", rest.get(f"{PODS}/guest")["status"]["podIP"])
    lab.remove_host(host.name)
    assert not rest.exists(f"/api/v1/nodes/{host.name}")
    assert not rest.exists(f"{PODS}/guest")
    assert not host.directory.exists()


def test_a_second_fresh_node_has_another_name(lab: Lab, fresh_node: Callable[..., NodeHost]) -> None:
    first = fresh_node()
    assert first.name in lab.hosts
    second = fresh_node()
    assert len({first.name, second.name, first.address, second.address}) == 4


def test_a_host_that_cannot_join_leaves_nothing(lab: Lab) -> None:
    nodes = {node["metadata"]["name"] for node in lab.api.rest.get("/api/v1/nodes")["items"]}
    with pytest.raises(LabError, match="make a disk"):
        lab.add_host(sizes={"/var/lib/containers": 1 << 20})
    assert {node["metadata"]["name"] for node in lab.api.rest.get("/api/v1/nodes")["items"]} == nodes == {*lab.hosts}


def evict(lab: Lab, name: str) -> None:
    body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name}}
    lab.api.rest.create(f"{PODS}/{name}/eviction", body)


def boot_id(lab: Lab, name: str) -> str:
    info = lab.api.rest.get(f"/api/v1/nodes/{name}")["status"]["nodeInfo"]
    return str(info["bootID"])


def reaches(lab: Lab, name: str, address: str) -> bool:
    """Whether a packet from a host to an address arrives: a closed port says so."""
    attempt = f"import socket; socket.create_connection(({address!r}, 9), 5)"
    return "refused" in lab.hosts[name].run("python3", "-c", f"try: {attempt}\nexcept OSError as e: print(e)")
