# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Node hosts are machines: they boot, run pods, reboot, lose power and their cable."""

from __future__ import annotations

import json
import subprocess
import time
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError, LabError
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

PODS = "/api/v1/namespaces/default/pods"


def test_no_unit_of_a_host_has_failed(lab: Lab) -> None:
    for host in lab.hosts.values():
        assert host.run("systemctl", "is-system-running", "--wait").strip() == "running"


def test_a_technician_gets_in_by_ssh_and_can_become_root(lab: Lab) -> None:
    command = ["ssh", "-F", str(lab.ssh_config), "worker-0", "hostname; sudo -n id -u"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.split() == ["worker-0", "0"]


def test_hosts_differ_in_identity_and_share_nothing(lab: Lab) -> None:
    identities = [lab.hosts[name].run("cat", "/etc/machine-id", "/etc/hostname") for name in sorted(lab.hosts)]
    assert len(set(identities)) == len(lab.hosts)


def test_nothing_of_the_lab_can_reach_the_machines_network(lab: Lab) -> None:
    routes = lab.hosts["worker-0"].run("ip", "route", "show", "default")
    assert routes == ""


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


def test_after_a_reboot_the_node_is_ready_with_a_new_boot_id(lab: Lab) -> None:
    before = boot_id(lab, "worker-0")
    started = time.monotonic()
    lab.reboot("worker-0")
    lab.wait_ready(["worker-0"])
    assert time.monotonic() - started < 10
    assert boot_id(lab, "worker-0") not in ("", before)
    assert float(lab.hosts["worker-0"].run("cat", "/proc/uptime").split()[0]) < 60


def test_after_a_power_loss_the_disk_is_as_it_was(lab: Lab) -> None:
    host = lab.hosts["worker-1"]
    host.write("/var/lib/kept", "here")
    before = boot_id(lab, "worker-1")
    host.lose_power()
    host.power_on()
    lab.wait_ready(["worker-1"])
    assert host.run("cat", "/var/lib/kept") == "here"
    assert boot_id(lab, "worker-1") != before


def test_a_pulled_cable_cuts_a_host_off_until_it_is_plugged_in(lab: Lab) -> None:
    host = lab.hosts["worker-0"]
    ping = [*lab.network.prefix, "ssh", "-F", "none", "-o", "ConnectTimeout=1", "-o", "BatchMode=yes", host.address]
    host.plug(False)
    cut = subprocess.run(ping, capture_output=True, text=True, check=False, timeout=10)
    host.plug(True)
    assert "timed out" in cut.stderr
    assert host.run("hostname").strip() == "worker-0"


def test_a_slow_link_is_slow_until_the_limit_is_taken_away(lab: Lab) -> None:
    host = lab.hosts["worker-0"]
    host.limit_link(1_000_000)
    slow = seconds_to_send(lab, 500_000)
    host.limit_link(None)
    assert slow > 2
    assert seconds_to_send(lab, 500_000) < 2


def test_a_full_disk_refuses_writes_and_an_emptied_one_takes_them(lab: Lab) -> None:
    host = lab.hosts["worker-1"]
    with pytest.raises(LabError, match="No space left"):
        host.run("fallocate", "--length", "1G", "/var/lib/containers/filler")
    host.run("rm", "--force", "/var/lib/containers/filler")
    host.run("fallocate", "--length", "10M", "/var/lib/containers/filler")
    host.run("rm", "/var/lib/containers/filler")


def seconds_to_send(lab: Lab, size: int) -> float:
    command = ["ssh", "-F", str(lab.ssh_config), "worker-0", "cat > /dev/null"]
    started = time.monotonic()
    subprocess.run(command, input=bytes(size), check=True, timeout=60)
    return time.monotonic() - started


def evict(lab: Lab, name: str) -> None:
    body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name}}
    lab.api.rest.create(f"{PODS}/{name}/eviction", body)


def boot_id(lab: Lab, name: str) -> str:
    info = lab.api.rest.get(f"/api/v1/nodes/{name}")["status"]["nodeInfo"]
    return str(info["bootID"])


def wait_for(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.05)
