# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether nodes are ready for a release, and the record of it."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_readiness import (
    MOST_RELEASES,
    OS_IMAGE,
    PINNED,
    PRESENT,
    SERVABLE,
    NodeReadiness,
    ReleaseReadiness,
    ReleaseReadinessError,
    judged_nodes,
    readiness_config_map,
    recorded_releases,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

Facts = dict[str, t.Any]
AWAY = {"staged": None}
WELL: Facts = {"staged": True, "serving": True, "lacking": [], "unpinned": [], "unserved": []}
PULLING: Facts = {"serving": False, "pullable": True, "unpullable": []}
LOST = [{"name": "os", "seen": "manifest unknown"}]
DIGEST = "sha256:" + "0" * 64


def answer(name: str = "worker-0", **others: t.Any) -> Facts:
    return {"ansible_loop_var": "node", "node": name, **WELL, **others}


def release(number: int, *, ready: bool = True) -> ReleaseReadiness:
    nodes = judged_nodes([answer(serving=ready)], "4.21.3", ["worker-0"])
    return ReleaseReadiness(f"sha256:{number:064x}", f"4.21.{number}", f"2026-11-{number + 1:02}T20:00:00Z", nodes)


@pytest.mark.parametrize(
    ("others", "version", "false"),
    [
        pytest.param({}, "4.18.3", set(), id="all is well"),
        pytest.param({"lacking": ["a", "b"], "unpinned": ["a", "b"]}, "4.21.3", set(), id="images on disk"),
        pytest.param(
            {"lacking": ["a"], "unserved": ["a"]}, "4.21.3", {PRESENT, SERVABLE, OS_IMAGE}, id="an image is nowhere"
        ),
        pytest.param(
            {"lacking": ["a"], "serving": False}, "4.23.1", {PRESENT, SERVABLE, OS_IMAGE}, id="lacking and no source"
        ),
        pytest.param({"unpinned": ["a"]}, "4.21.3", {PINNED}, id="an image is not pinned"),
        pytest.param({"unserved": ["a"]}, "4.21.3", {SERVABLE, OS_IMAGE}, id="an image is not served"),
        pytest.param({"serving": False}, "4.21.3", {SERVABLE, OS_IMAGE}, id="no image source"),
        pytest.param({"serving": False}, "4.23.1", {SERVABLE}, id="a daemon that looks on the node first"),
        pytest.param(PULLING, "4.18.3", set(), id="no copy, and the control plane has it"),
        pytest.param({**PULLING, "unpullable": LOST}, "4.21.3", {SERVABLE, OS_IMAGE}, id="no copy anywhere"),
        pytest.param({**PULLING, "unpullable": LOST}, "4.23.1", {SERVABLE}, id="no other copy than that loaded"),
        pytest.param({**PULLING, "lacking": ["a"], "serving": True}, "4.21.3", {PRESENT}, id="no copy, not pulled"),
        pytest.param({**PULLING, "unpinned": ["a"]}, "4.21.3", {PINNED}, id="no copy, not kept"),
        pytest.param({"staged": False}, "4.23.1", {PRESENT, PINNED, SERVABLE, OS_IMAGE}, id="no bundle"),
        pytest.param(AWAY, "4.23.1", {PRESENT, PINNED, SERVABLE, OS_IMAGE}, id="a node that is away"),
    ],
)
def test_conditions_of_a_node(others: Facts, version: str, false: set[str]) -> None:
    (node,) = judged_nodes([answer(**others)], version, ["worker-0"])
    conditions = {one["type"]: (one["status"], bool(one["message"])) for one in node.as_data()["conditions"]}
    assert conditions == {
        kind: ("False", True) if kind in false else ("True", False) for kind in (PRESENT, PINNED, SERVABLE, OS_IMAGE)
    }
    assert node.is_ready is not bool(false)


def test_a_release_is_ready_when_every_node_is() -> None:
    assert release(1).is_ready
    asked = [answer("worker-1", staged=None), answer("worker-0")]
    nodes = judged_nodes(asked, "4.21.3", ["worker-1", "worker-0"])
    assert [node.node for node in nodes] == ["worker-0", "worker-1"]
    assert not ReleaseReadiness(DIGEST, "4.21.3", "", nodes).is_ready
    assert not ReleaseReadiness(DIGEST, "4.21.3", "", ()).is_ready, "nothing is known of no nodes"


@pytest.mark.parametrize(
    ("held", "expected"),
    [({"size": 17 << 30, "since": "2026-11-21T20:02:00Z"}, (17 << 30, "2026-11-21T20:02:00Z")), (None, (0, ""))],
    ids=["a copy", "no copy"],
)
def test_what_a_node_holds_of_the_bundle_is_recorded(held: Facts | None, expected: tuple[int, str]) -> None:
    nodes = judged_nodes([answer(staged_bundle=held)], "4.21.3", ["worker-0"])
    stored = readiness_config_map([ReleaseReadiness(DIGEST, "4.21.3", "2026-11-21T20:10:00Z", nodes)], None)
    ((node,),) = (one.nodes for one in recorded_releases(stored))
    assert (node.staged_bytes, node.staged) == expected


@pytest.mark.parametrize("wrong", [{}, {"ansible_loop_var": "node"}, answer(lacking=3), "text"])
def test_what_is_no_answer_is_refused(wrong: t.Any) -> None:
    with pytest.raises(InvalidInputError):
        judged_nodes([wrong], "4.21.3", ["worker-0"])


def test_the_nodes_are_those_of_the_cluster() -> None:
    """A node that joined and was not asked is not ready; the answer of one that is gone is no matter."""
    nodes = judged_nodes([answer("worker-0"), answer("worker-9")], "4.21.3", ["worker-0", "worker-1"])
    assert [(node.node, node.is_ready) for node in nodes] == [("worker-0", True), ("worker-1", False)]
    assert set(nodes[1].problems.values()) == {"the node was not queried"}


def test_what_is_recorded_is_read_again_and_old_releases_go() -> None:
    many = [release(number, ready=number % 2 == 0) for number in range(MOST_RELEASES + 2)]
    body = readiness_config_map(list(reversed(many)), {"data": {"ready": "x", "sha256-other": "{}"}})
    assert body["data"]["sha256-other"] is None, "a merge removes it"
    stored = {"data": {key: value for key, value in body["data"].items() if value is not None}}
    read = recorded_releases(stored)
    assert read == tuple(reversed(many))[:MOST_RELEASES]
    assert stored["data"]["ready"].split() == sorted(one.digest for one in read if one.is_ready)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"schemaVersion": "2"},
        {"schemaVersion": "1", "sha256-x": "{"},
        {"schemaVersion": "1", "sha256-x": "[]"},
        {"schemaVersion": "1", "sha256-x": "[" * 100_000},
        {
            "schemaVersion": "1",
            f"sha256-{'1' * 64}": f'{{"digest": "{DIGEST}", "version": "", "checked": "", "nodes": []}}',
        },
    ],
    ids=["nothing", "another format", "no JSON", "a list", "deep", "another release"],
)
def test_a_damaged_record_is_refused(data: dict[str, str]) -> None:
    with pytest.raises(ReleaseReadinessError):
        recorded_releases({"data": data})


def test_no_record_is_no_release() -> None:
    assert recorded_releases(None) == ()


THEN, NOW = "2026-11-20T08:00:00Z", "2026-11-21T08:00:00Z"
BEFORE = NodeReadiness("worker-0", {PRESENT: "", PINNED: "2 images are not pinned"}, {PRESENT: THEN, PINNED: THEN})

FOLLOWING: dict[str, tuple[NodeReadiness | None, dict[str, str]]] = {
    "a node that was not recorded": (None, {PRESENT: NOW, PINNED: NOW}),
    "one condition has changed": (BEFORE, {PRESENT: THEN, PINNED: NOW}),
    "recorded without instants": (NodeReadiness("worker-0", {PRESENT: "", PINNED: ""}), {PRESENT: NOW, PINNED: NOW}),
}


@pytest.mark.parametrize(("before", "since"), FOLLOWING.values(), ids=FOLLOWING)
def test_since_when_a_condition_is_as_it_is(before: NodeReadiness | None, since: dict[str, str]) -> None:
    node = NodeReadiness("worker-0", {PRESENT: "", PINNED: ""}).following(before, NOW)
    assert node.since == since
    assert [one["lastTransitionTime"] for one in node.as_data()["conditions"]] == list(since.values())
