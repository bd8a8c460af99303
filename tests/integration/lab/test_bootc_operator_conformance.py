# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The actor of bootc-operator, and what this collection makes of its nodes, held to what upstream's tests expect.

Neither the operator nor its module can be had here, so that what its own tests and pull requests expect is recorded:
``internal/controller/rollout_test.go``, ``status_test.go``, ``rollout_envtest_test.go``, ``membership_test.go``,
``internal/daemon/reconciler_test.go`` (September 2026), and pull requests 96, 159 and 167.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.bootc_pool import PoolNode
from ansible_collections.fieldops.openshift.tests.lab import bootc_node_definitions
from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_operator import (
    BOOTC_NODES,
    MANAGED,
    NODES,
    POOLS,
    WAS_CORDONED,
    BootcOperator,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_operator_rules import (
    SLOT,
    STATES,
    InvalidSpecError,
    daemon_action,
    most_unavailable,
    next_nodes,
    pool_status,
    sorted_by_state,
    state_of,
    unhealthy_slots,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.nodes import node as kubernetes_node

NAME = "quay.io/example/myos"
A, B, C = (f"sha256:{64 * one}" for one in "abc")


def image(digest: str, name: str = "") -> Json:
    return {"image": f"{NAME}@{name or digest}", "imageDigest": digest}


def bootc_node(name: str, *, desired: str = A, boots: bool = False, slot: bool = False, **status: t.Any) -> Json:
    """Return a BootcNode; ``idle`` is the reason of its condition Idle, ``degraded`` whether it is that."""
    idle, degraded = status.pop("idle", ""), status.pop("degraded", None)
    conditions = [{"type": "Idle", "status": str(idle == "Idle"), "reason": idle}] if idle else []
    if degraded is not None:
        conditions.append({"type": "Degraded", "status": str(degraded), "reason": "Error" if degraded else "Healthy"})
    return {
        "metadata": {"name": name, "annotations": {SLOT: ""} if slot else {}},
        "spec": {"desiredImage": f"{NAME}@{desired}", "desiredImageState": "Booted" if boots else "Staged"},
        "status": {"conditions": conditions, **status},
    }


@dataclass(frozen=True)
class Row:
    """A node, what upstream's classifyNode takes it to be, and where we say that it stands; why, if that differs."""

    status: Json
    state: str
    standing: str = ""
    why: str = ""


OLD: dict[str, t.Any] = {"booted": image(B)}
ROWS = {
    "image matches": Row({"booted": image(A), "idle": "Idle"}, "UpToDate", "booted"),
    "the daemon has not reacted": Row({**OLD, "idle": "Idle"}, "Pending"),
    "nothing is booted yet": Row({}, "Pending"),
    "no conditions": Row(OLD, "Pending"),
    "staging": Row({**OLD, "idle": "Staging"}, "Staging"),
    "staged": Row({**OLD, "staged": image(A), "idle": "Staged"}, "Staged"),
    "rebooting": Row({**OLD, "staged": image(A), "idle": "Rebooting"}, "Rebooting"),
    "healthy": Row({**OLD, "idle": "Staging", "degraded": False}, "Staging"),
    "degraded before all else": Row({"booted": image(A), "idle": "Idle", "degraded": True}, "Degraded"),
    "a reason that is not known": Row({**OLD, "idle": "SomethingNew"}, "Pending"),
    "a list in the name, its manifest booted": Row({"booted": image(C, A), "idle": "Idle"}, "UpToDate", "booted"),
    "its manifest staged": Row({**OLD, "staged": image(C, A), "idle": "Staged"}, "Staged"),
    "said to be staged, another image is": Row(
        {**OLD, "staged": image(C), "idle": "Staged"},
        "Staged",
        "pending",
        "upstream believes the word; what is staged is what the next boot takes",
    ),
}


@pytest.mark.parametrize("row", [pytest.param(row, id=name) for name, row in ROWS.items()])
def test_a_node_is_taken_to_be_what_upstream_takes_it_to_be(row: Row) -> None:
    node = bootc_node("worker-0", **row.status)
    assert (state_of(node), PoolNode.of(node, A).standing) == (row.state, row.standing or row.state.lower())


@pytest.mark.parametrize(
    ("rollout", "most"),
    [
        ({}, 1),
        ({"maxUnavailable": 3}, 3),
        ({"maxUnavailable": 0}, 0),
        ({"maxUnavailable": "25%"}, 3),
        ({"maxUnavailable": 3, "paused": True}, 0),
        ({"maxUnavailable": "banana"}, None),
    ],
    ids=["one unless said otherwise", "a number", "none", "a share is rounded up", "paused", "no number"],
)
def test_so_many_nodes_of_ten_may_be_away(rollout: Json, most: int | None) -> None:
    if most is None:
        with pytest.raises(InvalidSpecError, match='invalid maxUnavailable "banana"'):
            most_unavailable(rollout, 10)
    else:
        assert most_unavailable(rollout, 10) == most


def test_nodes_that_were_begun_come_first_and_need_no_free_slot() -> None:
    staged = [bootc_node(f"node-{name}", slot=name in "ab") for name in "cbad"]
    found = [node["metadata"]["name"] for node in next_nodes(staged, 1)]
    assert (found, next_nodes([bootc_node("x")], 0)) == (["node-a", "node-b", "node-c"], [])


@pytest.mark.parametrize(
    ("nodes", "late", "unhealthy"),
    [
        ([bootc_node("a", slot=True, booted=image(A), degraded=True)], (), ["a: Degraded"]),
        ([bootc_node("a", slot=True, degraded=True)], (), ["a: Degraded"]),
        ([bootc_node("a", slot=True, degraded=True, **OLD)], (), []),
        ([bootc_node("a", booted=image(A), degraded=True)], (), []),
        ([bootc_node("a", slot=True, booted=image(A), idle="Idle")], (), ["a: NotReady"]),
        ([bootc_node("a", slot=True, idle="Rebooting", **OLD)], (), []),
        ([bootc_node("a", slot=True, idle="Rebooting", **OLD)], ("a",), ["a: Degraded"]),
    ],
    ids=["the new image", "nothing booted", "the old image", "no slot", "not ready", "on its way", "late"],
)
def test_a_slot_speaks_against_the_image(nodes: list[Json], late: tuple[str, ...], unhealthy: list[str]) -> None:
    assert unhealthy_slots(sorted_by_state(nodes, late), A, late) == unhealthy


UPDATED: dict[str, t.Any] = {"booted": image(A), "idle": "Idle"}
BUCKETS = [UPDATED, OLD, *({**OLD, "idle": state} for state in ("Staging", "Staged", "Rebooting"))]


@pytest.mark.parametrize(
    ("nodes", "paused", "counts", "up_to_date"),
    [
        ([UPDATED] * 3, False, (3, 3, 0, 0), (True, "AllUpdated", "")),
        (
            BUCKETS,
            False,
            (5, 1, 4, 0),
            (False, "RolloutInProgress", "1/5 updated; 1 pending, 1 staging, 1 staged, 1 rebooting, 0 degraded"),
        ),
        (
            [UPDATED, OLD, OLD],
            True,
            (3, 1, 2, 0),
            (False, "Paused", "1/3 updated; 2 pending, 0 staging, 0 staged, 0 rebooting, 0 degraded"),
        ),
        ([], False, (0, 0, 0, 0), (True, "AllUpdated", "")),
    ],
    ids=["all updated", "in progress", "paused", "no nodes"],
)
def test_a_pool_counts_its_nodes(
    nodes: list[Json], paused: bool, counts: tuple[int, ...], up_to_date: tuple[bool, str, str]
) -> None:
    pool = {"metadata": {"generation": 2}, "spec": {"rollout": {"paused": paused}}, "status": {"deployedDigest": B}}
    found = sorted_by_state(bootc_node(f"n{number}", **status) for number, status in enumerate(nodes))
    told = pool_status(pool, found, A)
    names = ("nodeCount", "updatedCount", "updatingCount", "degradedCount")
    assert (tuple(told[name] for name in names), told["up_to_date"]) == (counts, up_to_date)
    # What was rolled out before stays until the last node is updated.
    is_done = up_to_date[0]
    assert (told["deployedDigest"], told["updateAvailable"]) == (A if is_done else B, not is_done)


@pytest.mark.parametrize(
    ("node", "action"),
    [
        (bootc_node("a", booted=image(A)), "idle"),
        (bootc_node("a", booted=image(C, A)), "idle"),
        (bootc_node("a", **OLD), "stage"),
        (bootc_node("a", staged=image(C), **OLD), "stage"),
        (bootc_node("a", boots=True, **OLD), "stage"),
        (bootc_node("a", staged=image(A), **OLD), "await"),
        (bootc_node("a", boots=True, staged=image(A), **OLD), "boot"),
    ],
    ids=["booted", "its manifest", "nothing staged", "another staged", "fell back", "staged", "may boot"],
)
def test_a_daemon_does_the_next_thing(node: Json, action: str) -> None:
    assert daemon_action(node) == action


def test_every_state_of_upstream_is_one_of_ours() -> None:
    assert {row.standing or row.state.lower() for row in ROWS.values()} == {
        *(state.lower() for state in STATES[1:]),
        "booted",
    }


@pytest.fixture(scope="module")
def client() -> Iterator[RestClient]:
    with ApiServer.start_openshift() as server:
        bootc_node_definitions.install(server.rest)
        server.rest.apply_all([kubernetes_node("worker", number) for number in range(3)])
        yield server.rest


def make_pool(client: RestClient, name: str, digest: str = A, selector: Json | None = None, **rollout: t.Any) -> None:
    labels = selector or {"matchLabels": {"node-role.kubernetes.io/worker": ""}}
    spec = {"nodeSelector": labels, "image": {"ref": f"{NAME}@{digest}"}, "rollout": rollout}
    about = {"apiVersion": "node.bootc.dev/v1alpha1", "kind": "BootcNodePool", "metadata": {"name": name}}
    client.create(POOLS, {**about, "spec": spec})


@pytest.fixture
def operator(client: RestClient) -> BootcOperator:
    for path in (BOOTC_NODES, POOLS):
        client.delete(path)
    for node in client.get(NODES)["items"]:
        client.merge(f"{NODES}/{node['metadata']['name']}", {"spec": {"unschedulable": None}})
    return BootcOperator(client)


def settle(operator: BootcOperator, steps: int = 3) -> None:
    for _step in range(steps):
        operator.step()


def degraded(client: RestClient, pool: str) -> tuple[str, str]:
    found = client.get(f"{POOLS}/{pool}")["status"]["conditions"]
    return next((one["reason"], one["message"]) for one in found if one["type"] == "Degraded")


def test_nodes_are_begun_one_after_another_by_name_and_let_go_when_they_are_ready(
    client: RestClient, operator: BootcOperator
) -> None:
    make_pool(client, "workers")
    settle(operator)
    client.merge(f"{POOLS}/workers", {"spec": {"image": {"ref": f"{NAME}@{B}"}}})
    most = []
    while client.get(f"{POOLS}/workers")["status"].get("deployedDigest") != B:
        operator.step()
        every = client.get(BOOTC_NODES)["items"]
        slots = [one["metadata"]["name"] for one in every if SLOT in (one["metadata"].get("annotations") or {})]
        away = [one["metadata"]["name"] for one in client.get(NODES)["items"] if one["spec"].get("unschedulable")]
        assert slots == away
        most.append(len(slots))
    settle(operator, 1)
    assert (operator.begun, max(most)) == (["worker-0", "worker-1", "worker-2"], 1)
    left = [one["metadata"].get("annotations") or {} for one in client.get(BOOTC_NODES)["items"]]
    assert not any({SLOT, WAS_CORDONED} & set(one) for one in left)


def test_a_node_that_cannot_stage_degrades_the_pool_and_others_go_on(
    client: RestClient, operator: BootcOperator
) -> None:
    make_pool(client, "workers")
    settle(operator)
    operator.unstageable = {"worker-0": "pull error"}
    client.merge(f"{POOLS}/workers", {"spec": {"image": {"ref": f"{NAME}@{B}"}}})
    settle(operator, 4)
    assert degraded(client, "workers") == ("NodeDegraded", "Degraded nodes: worker-0")
    assert operator.begun == ["worker-1"]


def test_two_nodes_that_do_not_come_back_halt_the_rollout(client: RestClient, operator: BootcOperator) -> None:
    make_pool(client, "workers", maxUnavailable=2)
    settle(operator)
    operator.lost = operator.late = {"worker-0", "worker-1"}
    client.merge(f"{POOLS}/workers", {"spec": {"image": {"ref": f"{NAME}@{B}"}}})
    settle(operator, 8)
    reason, message = degraded(client, "workers")
    assert (reason, "2+ unhealthy nodes in reboot slots (worker-0: Degraded, worker-1: Degraded)" in message) == (
        "RolloutHalted",
        True,
    )
    assert operator.begun == ["worker-0", "worker-1"]


def test_a_paused_pool_stages_and_begins_nothing(client: RestClient, operator: BootcOperator) -> None:
    make_pool(client, "workers", paused=True)
    settle(operator)
    client.merge(f"{POOLS}/workers", {"spec": {"image": {"ref": f"{NAME}@{B}"}}})
    settle(operator, 5)
    staged = {one["status"]["staged"]["imageDigest"] for one in client.get(BOOTC_NODES)["items"]}
    assert (staged, operator.begun) == ({B}, [])


def test_another_image_takes_back_the_leave_to_boot(client: RestClient, operator: BootcOperator) -> None:
    make_pool(client, "workers", maxUnavailable=3)
    settle(operator)
    operator.lost = {"worker-0"}
    client.merge(f"{POOLS}/workers", {"spec": {"image": {"ref": f"{NAME}@{B}"}}})
    settle(operator, 5)
    assert client.get(f"{BOOTC_NODES}/worker-0")["spec"]["desiredImageState"] == "Booted"
    client.merge(f"{POOLS}/workers", {"spec": {"image": {"ref": f"{NAME}@{C}"}, "rollout": {"paused": True}}})
    settle(operator, 1)
    wish = {"desiredImage": f"{NAME}@{C}", "desiredImageState": "Staged"}
    assert client.get(f"{BOOTC_NODES}/worker-0")["spec"] == wish


def test_nodes_join_and_leave_with_their_labels(client: RestClient, operator: BootcOperator) -> None:
    client.merge(f"{NODES}/worker-0", {"metadata": {"labels": {"zone": "a"}}})
    make_pool(client, "zone", selector={"matchLabels": {"zone": "a"}})
    settle(operator, 1)
    (made,) = client.get(BOOTC_NODES)["items"]
    assert made["spec"] == {"desiredImage": f"{NAME}@{A}", "desiredImageState": "Staged"}
    assert MANAGED in client.get(f"{NODES}/worker-0")["metadata"]["labels"]
    client.merge(f"{NODES}/worker-0", {"metadata": {"labels": {"zone": None}}})
    settle(operator, 1)
    assert client.get(BOOTC_NODES)["items"] == []
    assert MANAGED not in client.get(f"{NODES}/worker-0")["metadata"]["labels"]


def test_a_node_stays_with_the_pool_that_has_it(client: RestClient, operator: BootcOperator) -> None:
    make_pool(client, "a-first")
    settle(operator, 1)
    make_pool(client, "b-second", B)
    settle(operator, 1)
    assert degraded(client, "a-first") == ("Healthy", "")
    assert degraded(client, "b-second") == ("NodeConflict", "Node selector overlaps with pool(s): a-first")


def test_an_image_without_host_stops_the_operator_before_it_says_what_it_saw(
    client: RestClient, operator: BootcOperator
) -> None:
    make_pool(client, "workers")
    client.merge(f"{POOLS}/workers", {"spec": {"image": {"ref": f"myos@{A}"}}})
    settle(operator, 1)
    found = client.get(f"{POOLS}/workers")["status"]
    assert (degraded(client, "workers")[0], "observedGeneration" in found) == ("InvalidSpec", False)
    client.merge(f"{POOLS}/workers", {"spec": {"image": {"ref": f"{NAME}@{A}"}}})
    settle(operator, 1)
    assert degraded(client, "workers") == ("Healthy", "")


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"image": {"ref": NAME}}, "spec.nodeSelector"),
        ({"image": {"ref": ""}, "nodeSelector": {}}, "spec.image.ref"),
        ({"image": {"ref": NAME}, "nodeSelector": {}, "rollout": {"rebootTimeoutSeconds": -1}}, "rebootTimeoutSeconds"),
        ({"image": {"ref": NAME}, "nodeSelector": {}, "disruption": {"rebootPolicy": "Never"}}, "rebootPolicy"),
        ({"image": {"ref": NAME}, "nodeSelector": {}, "pullSecretRef": {"name": "a"}}, "pullSecretRef.namespace"),
    ],
)
def test_the_api_refuses_what_the_definition_refuses(client: RestClient, spec: Json, field: str) -> None:
    about = {"apiVersion": "node.bootc.dev/v1alpha1", "kind": "BootcNodePool", "metadata": {"name": "refused"}}
    with pytest.raises(LabApiError, match=field):
        client.create(POOLS, {**about, "spec": spec})
