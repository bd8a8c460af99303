# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a rollout came to: its last run's ending if nothing was written after it, else where its nodes stand."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.document import subject
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.outcome import outcome
from ansible_collections.fieldops.openshift.tests.lab.report_records import (
    DONE,
    NOW,
    UNDER_WAY,
    change,
    node,
    record,
    rollout,
    run,
)

FAILED = {
    **record("failed", draining="22:05", failed="22:30"),
    "failed_in": "draining",
    "reason": "a budget is used up.",
}
HELD: dict[str, t.Any] = {"lock": {"holder": "technician@laptop", "expires": "2026-11-21T23:40:00.000000Z"}}
LAPSED: dict[str, t.Any] = {"lock": {"holder": "technician@laptop", "expires": "2026-11-21T23:20:00.000000Z"}}
HALF = rollout(node("a", "done", DONE), node("b", "pending"))
EARLIER = run("waits_for_window", ended="2026-11-21T21:00:00Z")

CASES: dict[str, tuple[t.Any, t.Any, list[t.Any], str, str]] = {
    "nothing": (None, None, [], "none", "No update is recorded"),
    "no node has started": (rollout(node("a", "pending")), None, [], "none", "No update is recorded"),
    "a run that came to no node": (None, run("needs_person"), [], "needs_person", "the window is closed"),
    "a run that ended": (HALF, run(), [], "waits_for_window", "the window is closed"),
    "the lock is held": (rollout(node("a", "in_progress", UNDER_WAY), **HELD), run(), [], "running", "in progress"),
    "the lock has lapsed": (rollout(node("a", "in_progress", UNDER_WAY), **LAPSED), None, [], "needs_person", "again"),
    "nodes went on after the last run": (rollout(node("a", "done", DONE)), EARLIER, [], "done", "Nothing remains"),
    "a node failed": (rollout(node("a", "in_progress", FAILED)), None, [], "needs_person", "a failed while draining"),
    "held back": (rollout(node("a", "done", DONE), node("b", "held_back")), None, [], "needs_person", "held back: b"),
    "the window is closed": (HALF, None, [change("worker")], "waits_for_window", "2026-11-28T22:00:00Z"),
    "of no pool that remains": (HALF, None, [change("master")], "needs_person", "without an ending"),
    "the window is open": (HALF, None, [change("worker", permitted=True)], "needs_person", "without an ending"),
    "no opening is known": (HALF, None, [change("worker", next_permitted="")], "waits_for_window", "unknown when"),
}


@pytest.mark.parametrize(("found", "last", "changes", "status", "words"), CASES.values(), ids=CASES)
def test_the_outcome(found: t.Any, last: t.Any, changes: list[t.Any], status: str, words: str) -> None:
    told = outcome(found, last, changes, NOW)
    assert told["status"] == status
    assert words in told["sentence"]


HEADS = [{"rollout": "new", "started": "2026-11-22T08:00:00.000000Z"}, {"rollout": "old", "started": "2026-08-01"}]

SUBJECTS: dict[str, tuple[str, list[t.Any], list[dict[str, str]], str]] = {
    "nothing": ("", [], [], ""),
    "what is wanted": ("old", [run(rollout="new")], HEADS, "old"),
    "the rollout that began last": ("", [], HEADS, "new"),
    "of a run before its first node": ("", [run(rollout="next")], [], "next"),
    "of a run after the last rollout": ("", [run(rollout="next", ended="2026-11-23T00:00:00Z")], HEADS, "next"),
    "a rollout that began after the last run": ("", [run(rollout="old")], HEADS, "new"),
    "a run without a rollout": ("", [run(rollout="", ended="2026-11-23T00:00:00Z")], HEADS, "new"),
}


@pytest.mark.parametrize(("wanted", "runs", "heads", "expected"), SUBJECTS.values(), ids=SUBJECTS)
def test_the_subject(wanted: str, runs: list[t.Any], heads: list[dict[str, str]], expected: str) -> None:
    assert subject(wanted, runs, heads) == expected
