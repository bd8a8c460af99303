# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One rollout step by step through rollout_info, rollout_record, node_drain and node_ready_info, on a real API."""

from __future__ import annotations

import json
import platform
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

SPACE = "/api/v1/namespaces/fieldops-openshift"
LEASE = "/apis/coordination.k8s.io/v1/namespaces/fieldops-openshift/leases/rollout"
ANNOTATION = "fieldops-openshift/rollout"
TECHNICIAN = "technician"
NODES = ("worker-0", "worker-1")
Result = dict[str, t.Any]


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    """A cluster in which the technician has the rights that are shipped, and no others."""
    with ApiServer.start_openshift(users={TECHNICIAN: []}) as started:
        plant(started.rest, healthy_cluster("4.21.3", control_plane=3, workers=2))
        grant(started.rest, TECHNICIAN, "rollout.yml")
        yield started


class Site:
    """The cluster as the technician's tasks see it; ``rollout`` is the claim that each step makes."""

    def __init__(self, server: ApiServer, folder: Path, name: str) -> None:
        self.server = server
        self.rest = server.rest
        self.environment: dict[str, str] = {}
        self._folder = folder
        self._access = {"host": server.url, "ca_cert": str(server.ca_file), "api_key": server.token_of(TECHNICIAN)}
        self.rollout = {"id": name, "target": f"for {name}", "holder": "job 7"}

    def run(self, module: str, *words: str, **options: t.Any) -> Result:
        """Run one task."""
        task = {f"fieldops.openshift.{module}": {**self._access, **options}}
        return run_play(self._folder, task, *words, **self.environment).result

    def take_lock(self, holder: str = "job 7") -> None:
        """Hold the lock as ``holder`` would."""
        spec = {"holderIdentity": holder, "leaseDurationSeconds": 900, "renewTime": "2026-11-21T22:00:00.000000Z"}
        name = {"name": "rollout", "namespace": "fieldops-openshift"}
        self.rest.apply({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": name, "spec": spec})

    def info(self, **options: t.Any) -> Result:
        """Read where the rollout stands; of the workers unless others are named."""
        known = {"id": self.rollout["id"], "target": self.rollout["target"], "pools": ["worker"]}
        return self.run("rollout_info", **{**known, **options})

    def drain(self, node: str, *words: str, **options: t.Any) -> Result:
        """Drain a node as a step of the rollout, or whatever state is named."""
        return self.run("node_drain", *words, name=node, rollout=self.rollout, wait=True, wait_timeout=200, **options)

    def record(self, node: str, phase: str, *words: str, **options: t.Any) -> Result:
        """Write a phase down."""
        return self.run("rollout_record", *words, node=node, phase=phase, rollout=self.rollout, **options)

    def journal(self) -> dict[str, t.Any]:
        """Return the journal's entries by node."""
        content = self.rest.get(f"{SPACE}/configmaps/rollout-{self.rollout['id']}")["data"]
        return {name: json.loads(text) for name, text in content.items() if name in NODES}

    def noted(self, node: str) -> dict[str, t.Any]:
        """Return what is written on a node."""
        found: dict[str, t.Any] = json.loads(self.notes(node).get(ANNOTATION, "{}"))
        return found

    def notes(self, node: str) -> dict[str, str]:
        """Return a node's annotations."""
        found: dict[str, str] = self.rest.get(f"/api/v1/nodes/{node}")["metadata"]["annotations"]
        return found

    def boot(self, node: str, boot_id: str) -> None:
        """Report another boot, as the kubelet of a host that has rebooted would."""
        status = self.rest.get(f"/api/v1/nodes/{node}")["status"]
        for condition in status["conditions"]:
            condition["lastHeartbeatTime"] = "2026-11-21T22:30:00Z"
        changed = {"nodeInfo": {"bootID": boot_id}, "conditions": status["conditions"]}
        self.rest.merge(f"/api/v1/nodes/{node}/status", {"status": changed})


@pytest.fixture
def site(server: ApiServer, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Site]:
    made = Site(server, tmp_path, f"r-{abs(hash(request.node.name)) % 10**8}")
    made.take_lock()
    yield made
    for node in NODES:
        cleared = {"metadata": {"annotations": {ANNOTATION: None}}, "spec": {"unschedulable": None}}
        server.rest.merge(f"/api/v1/nodes/{node}", cleared)


def standings(info: Result) -> dict[str, str]:
    return {node["name"]: node["standing"] for node in info["nodes"]}


def test_one_node_from_pending_to_done(site: Site) -> None:
    assert site.info()["next"]["name"] == "worker-0"
    drained = site.drain("worker-0")
    assert (drained["drained"], drained["record"]["phase"]) == (True, "drained")
    assert site.noted("worker-0") == site.journal()["worker-0"]
    assert site.record("worker-0", "changing")["record"]["phase"] == "changing"
    before = site.record("worker-0", "rebooting")
    assert (before["rebooted"], bool(before["boot_id"]), before["changed"]) == (False, True, True)
    waiting = site.run("node_ready_info", name="worker-0", boot_id=before["boot_id"], heartbeat=before["heartbeat"])
    assert [one.partition(":")[0] for one in waiting["missing"]] == ["its kubelet has reported no new boot"]
    site.boot("worker-0", "another")
    again = site.record("worker-0", "rebooting")
    assert (again["rebooted"], again["changed"], again["boot_id"]) == (True, False, before["boot_id"])
    ready = site.run(
        "node_ready_info",
        name="worker-0",
        boot_id=before["boot_id"],
        heartbeat=before["heartbeat"],
        rollout=site.rollout,
    )
    assert (ready["ready"], ready["missing"]) == (True, [])
    back = site.drain("worker-0", state="schedulable")
    assert (back["schedulable"], back["record"]["phase"]) == (True, "done")
    after = site.info()
    assert standings(after) == {"worker-1": "pending", "worker-0": "done"}
    assert (after["remaining"], after["done"]) == (["worker-1"], ["worker-0"])
    assert after["estimate"]["node_seconds"] > 0
    assert site.journal()["worker-0"]["phase"] == "done"


def daemon_pod(node: str, since: str) -> dict[str, t.Any]:
    """Return a pod of DaemonSet camera-agent that has not been ready since ``since``."""
    pod = workloads.pod(f"camera-agent-{node}", "registry.example/agent:1", node=node)
    owner = {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "camera-agent", "uid": "1", "controller": True}
    pod["metadata"]["ownerReferences"] = [owner]
    condition = {"type": "Ready", "status": "False", "lastTransitionTime": since}
    return {**pod, "status": {"phase": "Pending", "conditions": [condition]}}


def plant_pod(site: Site, pod: dict[str, t.Any]) -> str:
    """Create a pod with its status; return its path."""
    site.rest.apply(workloads.namespace("default"))
    account = {"name": "default", "namespace": "default"}
    site.rest.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": account})
    site.rest.apply(workloads.daemon_set("camera-agent", "registry.example/agent:1"))
    site.rest.apply({key: value for key, value in pod.items() if key != "status"})
    path = f"/api/v1/namespaces/default/pods/{pod['metadata']['name']}"
    site.rest.merge(f"{path}/status", {"status": pod["status"]})
    return path


@pytest.mark.parametrize(
    ("since", "broken"),
    [("2026-03-01T00:00:00Z", ["DaemonSet default/camera-agent"]), ("2099-01-01T00:00:00Z", [])],
    ids=["broken for months", "broken just now"],
)
def test_a_pod_that_was_broken_before_the_drain_does_not_keep_the_node(
    site: Site, since: str, broken: list[str]
) -> None:
    path = plant_pod(site, daemon_pod("worker-0", since))
    try:
        site.boot("worker-0", f"boot-before-{len(broken)}")
        drained = site.drain("worker-0")
        before = site.record("worker-0", "rebooting")
        site.boot("worker-0", f"boot-after-{len(broken)}")
        proof = {"name": "worker-0", "boot_id": before["boot_id"]}
        ready = site.run("node_ready_info", rollout=site.rollout, **proof)
        outside = site.run("node_ready_info", **proof)
    finally:
        site.rest.delete(path, gracePeriodSeconds="0")
    assert drained["record"]["broken"] == site.journal()["worker-0"].get("broken", []) == broken
    assert (ready["ready"], ready["broken_before"]) == (bool(broken), broken)
    assert (outside["ready"], outside["broken_before"]) == (False, []), "no step of the rollout"


def test_a_step_without_the_lock_changes_nothing(site: Site) -> None:
    site.take_lock("job 8")
    version = site.rest.get("/api/v1/nodes/worker-0")["metadata"]["resourceVersion"]
    for refused in (
        site.drain("worker-0"),
        site.record("worker-0", "skipped"),
        site.drain("worker-0", state="schedulable"),
    ):
        assert refused["error"]["kind"] == "lock_lost"
        assert "job 8" in refused["msg"]
    assert site.rest.get("/api/v1/nodes/worker-0")["metadata"]["resourceVersion"] == version


def test_each_step_renews_the_lock(site: Site) -> None:
    before = site.rest.get(LEASE)["spec"]["renewTime"]
    site.drain("worker-0")
    assert site.rest.get(LEASE)["spec"]["renewTime"] != before


def test_what_was_begun_comes_first_from_any_machine(site: Site) -> None:
    site.drain("worker-1")
    info = site.info(pools=[])
    assert (info["next"]["name"], info["next"]["resumes_in"]) == ("worker-1", "drained")


def test_a_failed_node_is_taken_up_again_where_it_stopped(site: Site) -> None:
    site.drain("worker-0")
    site.record("worker-0", "rebooting")
    failed = site.record("worker-0", "failed", reason="it did not come back")
    assert (failed["record"]["failed_in"], failed["record"]["reason"]) == ("rebooting", "it did not come back")
    assert site.rest.get("/api/v1/nodes/worker-0")["spec"]["unschedulable"] is True
    assert site.record("worker-0", "failed", reason="it did not come back")["changed"] is False
    node = site.info()["next"]
    assert (node["name"], node["resumes_in"], node["reason"]) == ("worker-0", "rebooting", "it did not come back")
    again = site.record("worker-0", "rebooting")
    assert again["boot_id"] == failed["boot_id"], "a reboot that was asked for once must not be asked for again"


def test_a_node_that_failed_before_it_was_cordoned_is_not_written_on(site: Site) -> None:
    failed = site.record("worker-0", "failed", reason="its host cannot be reached")
    assert failed["record"]["failed_in"] == "draining"
    assert site.noted("worker-0") == {}
    assert standings(site.info())["worker-0"] == "in_progress"


def test_a_node_is_left_out_by_somebody_for_a_reason(site: Site) -> None:
    skipped = site.record("worker-0", "skipped", reason="ticket 4711")
    assert (skipped["record"]["by"], skipped["record"]["reason"]) == (TECHNICIAN, "ticket 4711")
    assert site.noted("worker-0") == {}
    info = site.info()
    assert (info["left_out"], info["remaining"]) == (["worker-0"], ["worker-1"])
    assert site.record("worker-0", "skipped", reason="ticket 4711")["changed"] is False


def test_a_node_on_its_way_cannot_be_left_out(site: Site) -> None:
    site.drain("worker-0")
    assert "phase drained" in site.record("worker-0", "skipped")["msg"]


def test_phases_need_a_beginning(site: Site) -> None:
    assert site.record("worker-0", "rebooting")["error"]["kind"] == "journal"


def test_one_id_means_one_target(site: Site) -> None:
    site.drain("worker-0")
    site.rollout = {**site.rollout, "target": "something else"}
    assert "was started for" in site.record("worker-0", "changing")["msg"]


def test_the_node_of_the_jobs_own_pod_comes_last(site: Site) -> None:
    site.environment = {"KUBERNETES_SERVICE_HOST": "203.0.113.1"}
    pods = "/api/v1/namespaces/fieldops-openshift/pods"
    account = {"name": "default", "namespace": "fieldops-openshift"}
    site.rest.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": account})
    site.rest.apply(workloads.pod(platform.node(), "job", namespace="fieldops-openshift", node="worker-0"))
    order = [node["name"] for node in site.info()["nodes"]]
    site.rest.delete(f"{pods}/{platform.node()}", gracePeriodSeconds="0")
    assert order == ["worker-1", "worker-0"]
    assert [node["name"] for node in site.info()["nodes"]] == ["worker-0", "worker-1"]


def test_a_journal_that_was_lost_is_written_anew(site: Site) -> None:
    site.drain("worker-0")
    site.rest.delete(f"{SPACE}/configmaps/rollout-{site.rollout['id']}")
    assert standings(site.info())["worker-0"] == "in_progress"
    site.record("worker-0", "changing")
    assert site.journal()["worker-0"]["phase"] == "changing"


def test_a_foreign_cordon_is_counted_and_left_alone(site: Site) -> None:
    site.rest.merge("/api/v1/nodes/worker-0", {"spec": {"unschedulable": True}})
    info = site.info()
    assert (info["next"], info["held_back"], info["remaining"]) == (None, ["worker-0"], ["worker-1"])
    assert "worker-0 is unavailable (it was cordoned by others (fieldops-lab at " in info["blocked"]
    assert site.info(max_unavailable="2")["next"]["name"] == "worker-1"


def test_check_mode_goes_through_all_steps_and_leaves_no_trace(site: Site) -> None:
    mark = site.server.audit.mark()
    site.take_lock("nobody")
    for step in (
        site.drain("worker-0", "--check"),
        site.record("worker-0", "changing", "--check"),
        site.record("worker-0", "rebooting", "--check"),
    ):
        assert step["changed"] is True
        assert all(action["dry_run"] for action in step["actions"])
    assert site.drain("worker-0", "--check", state="schedulable")["changed"] is False
    assert site.noted("worker-0") == {}
    written = [r for r in site.server.audit.requests(mark, user=TECHNICIAN) if r.verb in ("create", "patch", "delete")]
    assert written
    assert all("dryRun=All" in request.path for request in written if "review" not in request.resource)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"nodes": ["worker-9"]}, "worker-9"),
        ({"pools": ["infra"]}, "infra"),
        ({"id": "../../../secrets"}, "characters that are not allowed in the name of an object"),
        ({"id": "A"}, "lower-case"),
        ({"max_unavailable": "most"}, "percentage"),
    ],
)
def test_wrong_arguments_are_named(site: Site, options: dict[str, t.Any], named: str) -> None:
    result = site.info(**options)
    assert result["failed"] is True
    assert named in result["msg"]
