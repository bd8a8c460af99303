# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Pools of bootc-operator on the real API with its definitions; the operator and its daemons are an actor."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.play_processes import run_ansible_playbook
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for, run_play
from ansible_collections.fieldops.openshift.tests.lab import bootc_node_definitions
from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_operator import (
    BOOTC_NODES,
    NODES,
    POOLS,
    BootcOperator,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.nodes import node

POOL, WORKERS = f"{POOLS}/workers", ("worker-0", "worker-1")
BEFORE, LIST, OWN = (f"sha256:{64 * one}" for one in "abc")
IMAGE = "quay.io/example/os"
OPEN, CLOSED = {"strategy": "Permissive"}, {"strategy": "Restrictive"}
OF_MACHINE_CONFIG_POOL = "machineconfiguration.openshift.io/machine-config-pool"
Json = dict[str, t.Any]


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as started:
        bootc_node_definitions.install(started.rest)
        started.rest.apply_all([node("worker", number) for number, _name in enumerate(WORKERS)])
        yield started


@pytest.fixture
def operator(server: ApiServer) -> BootcOperator:
    """An operator that has brought an image onto both nodes of an open pool, and is not at work."""
    for path in (BOOTC_NODES, POOLS):
        server.rest.delete(path)
    for name in WORKERS:
        server.rest.merge(f"{NODES}/{name}", {"spec": {"unschedulable": None}})
    server.rest.apply(
        {
            "apiVersion": "node.bootc.dev/v1alpha1",
            "kind": "BootcNodePool",
            "metadata": {"name": "workers"},
            "spec": {
                "nodeSelector": {"matchLabels": {"node-role.kubernetes.io/worker": ""}},
                "image": {"ref": f"{IMAGE}@{BEFORE}"},
            },
        }
    )
    made = BootcOperator(server.rest, {LIST: OWN})
    for _made_and_booted in range(3):
        made.step()
    assert server.rest.get(POOL)["status"]["updatedCount"] == len(WORKERS)
    return made


@pytest.fixture
def working(operator: BootcOperator) -> Iterator[BootcOperator]:
    """The same operator at work beside the test."""
    with operator:
        yield operator


def run(server: ApiServer, folder: Path, *words: str, **options: t.Any) -> Json:
    known = {"name": "workers", "image": f"{IMAGE}:9.6@{LIST}", "guard": {"stanza": OPEN}, **options}
    task = {"fieldops.openshift.bootc_node_pool": {"kubeconfig": str(server.kubeconfig), **known}}
    return run_play(folder, task, *words).result


def standings(result: Json) -> set[str]:
    return {node["standing"] for node in result["pool"]["nodes"]}


def test_an_image_is_staged_in_a_pool_that_is_paused_with_it(
    server: ApiServer, working: BootcOperator, tmp_path: Path
) -> None:
    staged = run(server, tmp_path, wait=True, wait_timeout=60)
    assert (staged["changed"], staged["pool"]["paused"], standings(staged)) == (True, True, {"staged"})
    assert (server.rest.get(POOL)["spec"]["image"]["ref"], working.begun) == (f"{IMAGE}@{LIST}", [])
    assert (staged["permission"], staged["pool"]["nodes"][0]["staged"]["digest"]) == (None, OWN)
    again = run(server, tmp_path, wait=True, wait_timeout=60)
    assert (again["changed"], again["actions"]) == (False, [])


def test_nodes_boot_it_while_change_is_permitted_and_the_pool_is_left_paused(
    server: ApiServer, working: BootcOperator, tmp_path: Path
) -> None:
    booted = run(server, tmp_path, state="booted", wait=True, wait_timeout=60)
    assert (standings(booted), booted["pool"]["paused"], booted["ended"]) == ({"booted"}, True, None)
    assert working.begun == list(WORKERS)
    assert {node["booted"]["digest"] for node in booted["pool"]["nodes"]} == {OWN}
    again = run(server, tmp_path, state="booted", wait=True, wait_timeout=60)
    assert (again["changed"], again["permission"]) == (False, None)


def test_where_change_is_restricted_no_node_is_begun(server: ApiServer, working: BootcOperator, tmp_path: Path) -> None:
    ended = run(server, tmp_path, state="booted", guard={"stanza": CLOSED}, wait=True, wait_timeout=60)
    assert (ended["ended"]["outcome"], ended["pool"]["paused"], working.begun) == ("restricted", True, [])


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("falling_back", "worker-0: it rebooted without the image, and stages it again"),
        ("lost", "worker-0: it is not back after the rebootTimeoutSeconds of the pool"),
    ],
)
def test_a_node_that_does_not_come_back_with_it_ends_the_rollout(
    server: ApiServer, working: BootcOperator, tmp_path: Path, fault: str, said: str
) -> None:
    setattr(working, fault, {WORKERS[0]})
    working.late = {WORKERS[0]} if fault == "lost" else set()
    failed = run(server, tmp_path, state="booted", wait=True, wait_timeout=60)
    assert (failed["error"]["kind"], said in failed["msg"]) == ("bootc_pool", True)
    assert (server.rest.get(POOL)["spec"]["rollout"]["paused"], working.begun) == (True, [WORKERS[0]])
    # The image of before is another wish, of which nothing was said yet.
    working.lost, working.late = set(), set()
    back = run(server, tmp_path, image=f"{IMAGE}@{BEFORE}", state="booted", wait=True, wait_timeout=60)
    assert (back.get("msg"), standings(back)) == (None, {"booted"})


def test_a_node_that_cannot_stage_it_holds_the_rest_up_and_is_told(
    server: ApiServer, working: BootcOperator, tmp_path: Path
) -> None:
    working.unstageable = {WORKERS[0]: "connection refused"}
    late = run(server, tmp_path, wait=True, wait_timeout=3)
    assert "worker-0: bootc stage failed: connection refused" in late["msg"]
    working.unstageable = {}
    assert standings(run(server, tmp_path, wait=True, wait_timeout=60)) == {"staged"}


@pytest.mark.usefixtures("working")
def test_a_pool_that_the_operator_cannot_read_is_told(server: ApiServer, tmp_path: Path) -> None:
    # While the pool is paused, the operator does not read that.
    server.rest.merge(POOL, {"spec": {"rollout": {"maxUnavailable": "many"}}})
    failed = run(server, tmp_path, state="booted", wait=True, wait_timeout=60)
    assert 'InvalidSpec: invalid maxUnavailable "many"' in failed["msg"]


@pytest.mark.usefixtures("operator")
def test_a_pool_of_the_machine_config_operator_is_left_to_it(server: ApiServer, tmp_path: Path) -> None:
    server.rest.merge(POOL, {"metadata": {"labels": {OF_MACHINE_CONFIG_POOL: "worker"}}})
    refused = run(server, tmp_path)
    assert "keeps it paused, with the image of MachineConfigPool worker" in refused["msg"]
    assert server.rest.get(POOL)["spec"]["image"]["ref"] == f"{IMAGE}@{BEFORE}"


@pytest.mark.usefixtures("operator")
def test_check_mode_names_the_change_and_makes_none(server: ApiServer, tmp_path: Path) -> None:
    before = server.rest.get(POOL)["spec"]
    tried = run(server, tmp_path, "--check", state="booted", wait=True)
    assert (tried["changed"], server.rest.get(POOL)["spec"]) == (True, before)
    assert tried["diff"]["after"] == {"image": {"ref": f"{IMAGE}@{LIST}"}, "rollout": {"paused": False}}


@pytest.mark.usefixtures("operator")
def test_pools_are_told(server: ApiServer, tmp_path: Path) -> None:
    options = {"kubeconfig": str(server.kubeconfig), "gather": ["bootc_pools"]}
    (told,) = run_play(tmp_path, {"fieldops.openshift.machine_config_pool_info": options}).result["bootc_pools"]
    assert (told["name"], told["digest"], told["paused"]) == ("workers", BEFORE, False)
    assert told["sentence"] == "pool workers: of 2 nodes 2 booted"


@pytest.mark.parametrize(("stanza", "outcome"), [(CLOSED, "restricted"), (OPEN, "done")])
def test_the_role_stages_at_any_time_and_boots_when_it_may(
    server: ApiServer, working: BootcOperator, tmp_path: Path, stanza: Json, outcome: str
) -> None:
    variables = {
        "switch_bootc_pool_name": "workers",
        "switch_bootc_pool_image": f"{IMAGE}@{LIST}",
        "switch_bootc_pool_guard": {"stanza": stanza},
    }
    role = {"name": "Switch", "ansible.builtin.include_role": {"name": "fieldops.openshift.switch_bootc_pool"}}
    told = {"name": "Tell", "ansible.builtin.debug": {"var": "switch_bootc_pool_result"}}
    play = {"hosts": "localhost", "gather_facts": False, "vars": variables, "tasks": [role, told]}
    path = tmp_path / "role.json"
    path.write_text(json.dumps([play]))
    environment = environment_for(tmp_path, {"K8S_AUTH_KUBECONFIG": str(server.kubeconfig)})
    done = run_ansible_playbook([str(path)], environment, seconds=120)
    assert done.returncode == 0, done.stdout
    assert f'"outcome": "{outcome}"' in done.stdout
    assert working.begun == (list(WORKERS) if outcome == "done" else [])
    assert server.rest.get(POOL)["spec"]["rollout"]["paused"]
