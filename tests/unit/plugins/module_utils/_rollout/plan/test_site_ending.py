# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.site_ending import ending_of

UPDATE = {"version": "4.20.1", "digest": "sha256:3f2a1b0c9d8e7766", "images": 191}
OPENS = "2026-11-28T22:00:00Z"
RESTRICTED = {"outcome": "restricted", "reason": "the window is closed", "next_permitted": OPENS}
ROLLED = {"outcome": "done", "remaining": []}
LEFT = {"reason": "", "remaining": ["worker-1"]}


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        ({"update": {}, "completed": False}, "needs_person"),
        ({"completed": False}, "needs_person"),
        ({"update": UPDATE}, "done"),
        ({"update": UPDATE, "completed": False}, "needs_person"),
        ({"update": UPDATE, "release": {"outcome": "done"}}, "done"),
        ({"update": UPDATE, "release": {"outcome": "failed"}, "completed": False}, "needs_person"),
        ({"update": UPDATE, "release": RESTRICTED}, "waits_for_window"),
        ({"update": UPDATE, "rollout": ROLLED, "pending_before": ["worker-1"]}, "done"),
        ({"update": UPDATE, "rollout": ROLLED, "pending_before": []}, "nothing_to_do"),
        ({"update": UPDATE, "rollout": ROLLED, "pending_before": [], "completed": False}, "needs_person"),
        ({"update": UPDATE, "rollout": {**LEFT, **RESTRICTED}}, "waits_for_window"),
        ({"update": UPDATE, "rollout": {**LEFT, **RESTRICTED}, "completed": False}, "needs_person"),
        ({"update": UPDATE, "rollout": {**ROLLED, "remaining": ["worker-1"]}}, "needs_person"),
        *[
            ({"update": UPDATE, "rollout": {**LEFT, "outcome": ended}, "completed": completed}, "needs_person")
            for ended in ("blocked", "held_back", "failed", "interrupted", "")
            for completed in (True, False)
        ],
        ({"update": {**UPDATE, "further": ["4.21.1"]}, "rollout": ROLLED, "pending_before": ["w"]}, "needs_person"),
        ({"update": {**UPDATE, "further": []}, "rollout": ROLLED, "pending_before": ["w"]}, "done"),
        ({"update": {**UPDATE, "further": ["4.21.1"]}, "release": RESTRICTED}, "waits_for_window"),
        ({"rollout": {**ROLLED, "had_work": True}}, "done"),
        ({"rollout": {**ROLLED, "had_work": False}}, "nothing_to_do"),
        ({"rollout": {**LEFT, **RESTRICTED}}, "waits_for_window"),
        ({"update": UPDATE, "rollout": ROLLED, "boot_images": RESTRICTED}, "waits_for_window"),
        ({"update": UPDATE, "rollout": ROLLED, "boot_images": {"outcome": "not_judged"}}, "nothing_to_do"),
        ({"update": UPDATE, "rollout": {**LEFT, "outcome": "failed"}, "boot_images": RESTRICTED}, "needs_person"),
    ],
)
def test_a_run_ends_in_one_of_four_statuses(outcome: dict[str, t.Any], status: str) -> None:
    assert ending_of(outcome).status == status


@pytest.mark.parametrize("ended", ["done", "restricted", "blocked", "held_back", "failed", "interrupted", ""])
def test_no_run_is_green_while_a_node_remains(ended: str) -> None:
    assert ending_of({"update": UPDATE, "rollout": {**LEFT, "outcome": ended}}).as_data()["failed"] is True


def test_what_waits_says_for_what_and_until_when() -> None:
    ending = ending_of({"update": UPDATE, "rollout": {**LEFT, **RESTRICTED}}).as_data()
    assert ending == {
        "status": "waits_for_window",
        "failed": True,
        "sentence": "Stopped, because the window is closed. It can continue at 2026-11-28 22:00:00 UTC: run the same "
        "command again then. Remaining: worker-1.",
        "next_permitted": OPENS,
        "remaining": ["worker-1"],
    }


def test_nodes_that_are_held_back_remain() -> None:
    held = {"outcome": "held_back", "remaining": [], "held_back": ["worker-2"]}
    assert ending_of({"update": UPDATE, "rollout": held}).remaining == ("worker-2",)


@pytest.mark.parametrize("ended", ["failed", "interrupted"])
def test_where_no_node_remains_none_is_named(ended: str) -> None:
    rollout = {"outcome": ended, "reason": "the cluster has not settled", "remaining": []}
    assert "Remaining" not in ending_of({"update": UPDATE, "rollout": rollout}).sentence
