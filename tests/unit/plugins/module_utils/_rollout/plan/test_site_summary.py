# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.site_summary import summary_lines

UPDATE = {"version": "4.20.1", "digest": "sha256:3f2a1b0c9d8e7766", "images": 191}
LOADED = {"worker-0": 191, "worker-1": 191}
TIMES = {"draining": "2026-11-21T22:01:07.000000Z", "done": "2026-11-21T22:07:44.120000Z"}
DONE = {"name": "worker-0", "standing": "done", "record": {"phase": "done", "times": TIMES}}
PENDING = {"name": "worker-1", "standing": "pending", "record": None}
FAILED = {
    "name": "worker-1",
    "standing": "in_progress",
    "record": {
        "phase": "failed",
        "failed_in": "rebooting",
        "since": "2026-11-21T22:09:00.000000Z",
        "reason": "its kubelet is silent",
        "times": {},
    },
}


def outcome(*nodes: dict[str, t.Any], ending: str, **rollout: t.Any) -> dict[str, t.Any]:
    remaining = [node["name"] for node in nodes if node["standing"] != "done"]
    summary = {"outcome": ending, "nodes": [*nodes], "remaining": remaining, "reason": "", **rollout}
    return {"update": UPDATE, "loaded": LOADED, "rollout": summary, "pending_before": ["worker-0", "worker-1"]}


def test_a_node_that_is_done_tells_when_it_was_away() -> None:
    assert summary_lines(outcome(DONE, ending="done")) == [
        "Release 4.20.1, bundle sha256:3f2a1b0c9d8e: 191 images are loaded and pinned on 2 nodes.",
        "worker-0  done, away from 2026-11-21 22:01:07 UTC to 2026-11-21 22:07:44 UTC",
        "Nothing remains.",
    ]


def test_what_was_broken_before_a_node_was_begun_is_named_with_it() -> None:
    record = {"phase": "done", "times": TIMES, "broken": ["DaemonSet shop/agent", "DiskPressure"]}
    told = summary_lines(outcome({**DONE, "record": record}, ending="done"))[1]
    assert told.endswith("22:07:44 UTC; already broken before: DaemonSet shop/agent, DiskPressure")


def test_what_was_broken_of_the_cluster_before_has_a_line_of_its_own() -> None:
    broken = ["ClusterOperator insights", "Node worker-7"]
    told = summary_lines(outcome(DONE, ending="done", broken_before=broken))[-2]
    assert told == "Already broken before nodes were started: ClusterOperator insights, Node worker-7."


def test_a_run_that_found_no_work_says_so_and_nothing_of_the_nodes_of_earlier_runs() -> None:
    assert summary_lines({**outcome(DONE, ending="done"), "pending_before": []}) == [
        "Release 4.20.1, bundle sha256:3f2a1b0c9d8e: 191 images are loaded and pinned on 2 nodes.",
        "Everything is up to date; nothing was changed.",
    ]


def test_a_closed_window_says_when_to_come_back() -> None:
    closed = outcome(DONE, PENDING, ending="restricted", reason="the window is closed", next_permitted=TIMES["done"])
    assert summary_lines(closed)[-2:] == [
        "worker-1  not started",
        "Stopped, because the window is closed. It can continue at 2026-11-21 22:07:44 UTC: run the same command again "
        "then. Remaining: worker-1.",
    ]


def test_the_release_has_a_line_of_its_own() -> None:
    release = {"outcome": "done", "sentence": "the cluster is at 4.20.1"}
    lines = summary_lines({**outcome(DONE, ending="done"), "release": release})
    assert lines[1] == "The cluster is at 4.20.1."


def test_a_run_without_the_phases_images_and_nodes_says_what_is_next_and_nothing_of_images_it_did_not_look_at() -> None:
    release = {"outcome": "done", "sentence": "updating to 4.20.1: machine-config is waiting for its nodes"}
    assert summary_lines({"update": UPDATE, "release": release}) == [
        "Release 4.20.1, bundle sha256:3f2a1b0c9d8e: this run staged no images on nodes.",
        "Updating to 4.20.1: machine-config is waiting for its nodes.",
        "No node was started by this run. Run the phase nodes to update them.",
    ]


def test_boot_images_have_a_line_where_something_was_done_or_is_left() -> None:
    updated = {"outcome": "done", "sentence": "2 were updated to the correct image", "updated": ["a", "b"]}
    lines = summary_lines({**outcome(DONE, ending="done"), "boot_images": updated})
    assert lines[-2] == "Boot images of new machines: 2 were updated to the correct image."
    at_rest = summary_lines({**outcome(DONE, ending="done"), "boot_images": {**updated, "updated": []}})
    assert not [line for line in at_rest if line.startswith("Boot images")]


def test_a_window_that_is_closed_for_the_release_says_when_to_come_back() -> None:
    release = {"outcome": "restricted", "reason": "the window is closed", "next_permitted": TIMES["done"]}
    assert summary_lines({"update": UPDATE, "loaded": LOADED, "release": release})[1:] == [
        "Stopped, because the window is closed. It can continue at 2026-11-21 22:07:44 UTC: run the same command again "
        "then. Remaining: the release and its nodes.",
    ]


def test_a_window_that_never_opens_is_no_promise() -> None:
    closed = outcome(PENDING, ending="restricted", reason="the policy is restrictive", next_permitted=None)
    assert "It is unknown when it can continue." in summary_lines(closed)[-1]


def test_a_node_that_is_held_back_is_not_done() -> None:
    held = {"name": "worker-1", "standing": "held_back", "reason": "it is not ready", "record": None}
    assert summary_lines(outcome(DONE, held, ending="held_back", remaining=[], held_back=["worker-1"]))[-2:] == [
        "worker-1  held back: it is not ready",
        "Stopped. Resolve why these nodes are held back, then run the same command again. Remaining: worker-1.",
    ]


def test_a_failed_node_tells_where_and_why() -> None:
    lines = summary_lines(outcome(DONE, FAILED, ending="failed"))
    assert lines[2] == "worker-1  FAILED at 2026-11-21 22:09:00 UTC while rebooting: its kubelet is silent"
    assert lines[3].startswith("Stopped at the first failure. Fix that node")


def test_the_failure_of_a_pool_is_told_although_no_node_has_failed_by_itself() -> None:
    away = "pool master: for more than 1800 s: master-1: it is not ready: Kubelet stopped posting node status."
    ending = summary_lines(outcome(DONE, PENDING, ending="failed", reason=away))[-1]
    assert ending.startswith(f"Stopped at the first failure: {away} Fix that node, then")


@pytest.mark.parametrize(
    ("left", "line"),
    [
        ({"update": {}}, "The bundle was not accepted"),
        ({"update": UPDATE, "completed": False}, "No node was drained or rebooted. Run the same command again"),
        ({"update": UPDATE, "loaded": LOADED, "rollout": {}}, "The selected phases are done. No node was drained"),
    ],
    ids=["refused", "failed", "not-rolled"],
)
def test_phases_that_were_not_reached_are_told(left: dict[str, t.Any], line: str) -> None:
    assert summary_lines(left)[-1].startswith(line)


@pytest.mark.parametrize(
    ("loaded", "told"),
    [
        pytest.param({"worker-0": 3, "worker-1": 3}, "3 of 191 images are loaded", id="the same choice for all pools"),
        pytest.param({"master-0": 191, "worker-0": 3}, "3 to 191 of 191 images are loaded", id="a choice for one pool"),
    ],
)
def test_nodes_whose_pool_needs_only_some_images_are_not_said_to_have_all(loaded: dict[str, int], told: str) -> None:
    (first, *_others) = summary_lines({"update": UPDATE, "loaded": loaded})
    assert f"{told} and pinned on 2 nodes." in first


def test_many_nodes_that_are_not_started_share_a_line() -> None:
    many = [{**PENDING, "name": f"worker-{number:02}"} for number in range(1, 13)]
    told = summary_lines(outcome(DONE, *many, ending="restricted", reason="the window is closed"))
    named = ", ".join(f"worker-{number:02}" for number in range(1, 11))
    assert told[2:-1] == [f"12 nodes not started: {named} and 2 more"]
    assert told[-1].endswith(f"Remaining: {named} and 2 more.")
