# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""cluster_health_info as a user runs it, against a real API server that holds a whole cluster."""

from __future__ import annotations

import os
import select
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.plays import (
    PlayRun,
    finish_play,
    run_play,
    start_play,
)
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

WORKER = "/api/v1/nodes/worker-0"


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    """A cluster of its own: these tests change its health and take its API away."""
    with ApiServer.start_openshift(users={"technician": []}) as server:
        plant(server.rest, healthy_cluster("4.21.3", control_plane=3, workers=2))
        yield server


def task(site: ApiServer, **options: t.Any) -> dict[str, t.Any]:
    return {"fieldops.openshift.cluster_health_info": {"kubeconfig": str(site.kubeconfig), **options}}


def cordon(site: ApiServer, cordoned: bool) -> None:
    site.rest.merge(WORKER, {"spec": {"unschedulable": cordoned}})


def set_ready(site: ApiServer, status: str) -> None:
    """Set the Ready condition of a worker as its kubelet would."""
    condition = {"type": "Ready", "status": status, "reason": "KubeletNotReady", "message": "container runtime is down"}
    site.rest.merge(f"{WORKER}/status", {"status": {"conditions": [condition]}})


def processes_below(pid: int) -> list[int]:
    """Return handles of the processes that ``pid`` has started."""
    return [os.pidfd_open(int(word)) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def assert_ended(processes: list[int], patience: float = 60.0) -> None:
    """Wait until all of them have ended."""
    for handle in processes:
        readable, _writable, _broken = select.select([handle], [], [], patience)
        os.close(handle)
        assert readable, "it goes on without its play"


def sentences(run: PlayRun) -> list[str]:
    return [entry["sentence"] for entry in run.result["timeline"]]


def test_a_cluster_at_rest(site: ApiServer, tmp_path: Path) -> None:
    result = run_play(tmp_path, task(site)).result
    assert (result["healthy"], result["settled"], result["changed"], result["findings"]) == (True, True, False, [])
    assert result["cluster_version"]["current_version"] == "4.21.3"
    assert [node["name"] for node in result["nodes"]] == ["master-0", "master-1", "master-2", "worker-0", "worker-1"]
    assert all(node["ready"] and node["updated"] for node in result["nodes"])
    assert {pool["name"]: pool["machines"] for pool in result["machine_config_pools"]} == {"master": 3, "worker": 2}
    assert all(operator["settled"] for operator in result["cluster_operators"])
    assert "5 of 5 nodes ready" in result["progress"]["sentence"]


def test_check_mode_says_the_same(site: ApiServer, tmp_path: Path) -> None:
    result = run_play(tmp_path, task(site, wait=True), "--check").result
    assert (result["settled"], result["changed"]) == (True, False)


def test_one_look_costs_one_request_for_each_kind(site: ApiServer, tmp_path: Path) -> None:
    run_play(tmp_path, task(site))
    mark = site.audit.mark()
    run_play(tmp_path, task(site))
    assert site.audit.count(mark, verb="list") == 4


def test_a_cordoned_node_is_a_notice(site: ApiServer, tmp_path: Path) -> None:
    cordon(site, True)
    result = run_play(tmp_path, task(site)).result
    cordon(site, False)
    assert [(f["severity"], f["kind"], f["name"]) for f in result["findings"]] == [("notice", "Node", "worker-0")]
    assert result["settled"] is True


def test_waiting_shows_each_change_and_survives_an_outage(site: ApiServer, tmp_path: Path) -> None:
    set_ready(site, "False")
    mark = site.audit.mark()
    play = start_play(tmp_path, task(site, wait=True, wait_timeout=250))
    site.audit.wait_for(mark, verb="list", resource="nodes")
    site.stop()
    site.start()
    set_ready(site, "True")
    run = finish_play(tmp_path, play)
    assert run.result["settled"] is True
    assert sentences(run)[0] == "1 fault: Node worker-0 is not ready: container runtime is down"
    assert sentences(run)[-1].startswith("healthy and settled")
    assert all(sentence in run.output for sentence in sentences(run))


def test_what_a_killed_play_leaves_running_ends_at_its_next_step(site: ApiServer, tmp_path: Path) -> None:
    set_ready(site, "False")
    mark = site.audit.mark()
    play = start_play(tmp_path, task(site, wait=True, wait_timeout=250))
    site.audit.wait_for(mark, verb="list", resource="nodes")
    workers = processes_below(play.pid)
    play.kill()
    play.communicate()
    assert workers
    assert_ended(workers)
    set_ready(site, "True")


def test_the_deadline_names_what_is_missing(site: ApiServer, tmp_path: Path) -> None:
    set_ready(site, "False")
    result = run_play(tmp_path, task(site, wait=True, wait_timeout=1)).result
    set_ready(site, "True")
    assert result["failed"] is True
    assert result["error"]["kind"] == "deadline_exceeded"
    assert "Node worker-0 is not ready: container runtime is down" in result["msg"]
    assert result["healthy"] is False, "what was seen last belongs to the result"


def test_the_module_waits_by_itself_where_its_action_cannot(site: ApiServer, tmp_path: Path) -> None:
    set_ready(site, "False")
    play = start_play(tmp_path, {**task(site, wait=True, wait_timeout=250), "async": 280, "poll": 1})
    mark = site.audit.mark()
    site.audit.wait_for(mark, verb="list", resource="nodes")
    set_ready(site, "True")
    assert finish_play(tmp_path, play).result["settled"] is True


def test_shipped_rights_are_enough(site: ApiServer, tmp_path: Path) -> None:
    grant(site.rest, "technician", "cluster-health-reader.yml")
    access = {"host": site.url, "ca_cert": str(site.ca_file), "api_key": site.token_of("technician")}
    assert run_play(tmp_path, task(site, kubeconfig=None, **access)).result["settled"] is True


def test_a_missing_right_is_named(site: ApiServer, tmp_path: Path) -> None:
    kubeconfig = str(site.kubeconfig_for("stranger"))
    result = run_play(tmp_path, task(site, kubeconfig=kubeconfig, wait=True, wait_timeout=100)).result
    assert (result["failed"], result["error"]["transient"]) == (True, False)
    assert "stranger" in result["msg"]
    assert "clusterversions" in result["msg"]


def test_wrong_arguments_are_refused_by_the_module(site: ApiServer, tmp_path: Path) -> None:
    result = run_play(tmp_path, task(site, wait=True, wait_timeout="soon")).result
    assert result["failed"] is True
    assert "wait_timeout" in result["msg"]
