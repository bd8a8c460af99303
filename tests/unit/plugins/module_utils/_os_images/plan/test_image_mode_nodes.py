# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How far the nodes of a pool have come."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_nodes import (
    NodeStanding,
    has_arrived,
    node_standings,
    pool_sentence,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

PREFIX = "machineconfiguration.openshift.io"
CONFIG, IMAGE = "rendered-worker-1", "registry.site.example/os/worker@sha256:1f"


def node(name: str, config: str = CONFIG, image: str = IMAGE, *, ready: bool = True, **notes: str) -> dict[str, t.Any]:
    known = {"currentConfig": config, "desiredConfig": config, "state": "Done", **notes}
    if image:
        known = {"currentImage": image, "desiredImage": image, **known}
    return {
        "metadata": {"name": name, "annotations": {f"{PREFIX}/{key}": value for key, value in known.items()}},
        "status": {"conditions": [{"type": "Ready", "status": str(ready)}]},
    }


def standing(one: dict[str, t.Any], image: str = IMAGE) -> NodeStanding:
    members = [{"metadata": {"name": one["metadata"]["name"]}, "spec": {"pool": {"name": "worker"}}}]
    (found,) = node_standings("worker", CONFIG, image, [one], members)
    return found


@pytest.mark.parametrize(
    ("one", "image", "done"),
    [
        (node("a"), IMAGE, True),
        (node("a", image=""), "", True),
        (node("a", image=""), IMAGE, False),
        (node("a"), "", False),
        (node("a", config="rendered-worker-0"), IMAGE, False),
        (node("a", ready=False), IMAGE, False),
        (node("a", desiredImage="another"), IMAGE, False),
        (node("a", state="Working"), IMAGE, False),
    ],
    ids=["built", "release", "not yet", "not yet back", "configuration", "not ready", "on its way", "working"],
)
def test_when_a_node_has_arrived(one: dict[str, t.Any], image: str, done: bool) -> None:
    assert standing(one, image).done is done


def test_only_nodes_of_the_pool_count_in_the_order_of_their_names() -> None:
    members = [
        {"metadata": {"name": name}, "spec": {"pool": {"name": pool}}}
        for name, pool in (("b", "worker"), ("a", "worker"), ("c", "infra"))
    ]
    nodes = [node(name) for name in ("c", "b", "a", "unknown")]
    assert [one.node for one in node_standings("worker", CONFIG, IMAGE, nodes, members)] == ["a", "b"]


def pool(machines: int = 2, *, paused: bool = False, degraded: str = "") -> PoolState:
    conditions = [{"type": "NodeDegraded", "status": "True", "message": degraded}] if degraded else []
    conditions += [{"type": "Degraded", "status": "True"}] if degraded else []
    found = {"metadata": {"name": "worker"}, "spec": {"paused": paused}}
    return PoolState.of({**found, "status": {"machineCount": machines, "conditions": conditions}})


DONE, WAITING = standing(node("a")), standing(node("b", image=""))
WORKING = standing(node("b", state="Working"))
DEGRADED = standing(node("b", state="Degraded", reason="no space left"))


@pytest.mark.parametrize(
    ("state", "nodes", "sentence"),
    [
        (pool(), [DONE, DONE], f"2 of 2 nodes of pool worker have {IMAGE}"),
        (pool(), [DONE, WORKING], f"1 of 2 nodes of pool worker have {IMAGE}; b is Working"),
        (pool(paused=True), [DONE, WAITING], f"1 of 2 nodes of pool worker have {IMAGE}; the pool is paused"),
        (pool(), [DONE, DEGRADED], f"1 of 2 nodes of pool worker have {IMAGE}; b is degraded: no space left"),
        (
            pool(degraded="two nodes are"),
            [DONE, WAITING],
            f"1 of 2 nodes of pool worker have {IMAGE}; the pool is degraded: two nodes are",
        ),
        (pool(3), [DONE, DONE], f"2 of 3 nodes of pool worker have {IMAGE}"),
    ],
)
def test_in_one_line(state: PoolState, nodes: list[NodeStanding], sentence: str) -> None:
    assert pool_sentence(state, nodes, IMAGE) == sentence


@pytest.mark.parametrize(
    ("machines", "nodes", "arrived"), [(2, [DONE, DONE], True), (2, [DONE, WAITING], False), (3, [DONE, DONE], False)]
)
def test_a_machine_without_a_node_has_not_arrived(machines: int, nodes: list[NodeStanding], arrived: bool) -> None:
    assert has_arrived(pool(machines), nodes) is arrived
