# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The report as data and as a page: complete, and safe whatever names and reasons hold."""

from __future__ import annotations

import re
import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.bounds import (
    LONGEST_TEXT,
    MOST_ENTRIES,
    bounded,
    bounded_text,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.document import (
    SiteRecords,
    site_document,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.report_page import report_page
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.timeline import MOST_ROWS
from ansible_collections.fieldops.openshift.tests.lab.page_elements import Elements
from ansible_collections.fieldops.openshift.tests.lab.report_records import (
    DIGEST,
    DONE,
    NOW,
    READY,
    STAGED,
    change,
    finding,
    node,
    record,
    records,
    rollout,
    run,
)

HOSTILE = '"></title></svg><script>alert(1)</script>'


def page(found: SiteRecords) -> str:
    return report_page(site_document(found))


def test_who_asked_for_what() -> None:
    asked = site_document(records())["asked"]
    assert (asked["version"], asked["bundle_digest"]) == ("4.21.5", DIGEST)
    assert (asked["accepted_by"], asked["started_by"]) == ("system:admin", "technician@laptop/4711-1")


def test_versions_before_and_after() -> None:
    versions = site_document(records())["versions"]
    assert [versions[name] for name in ("before", "now", "target")] == ["4.21.3", "4.21.3", "4.21.5"]


PASSAGES: dict[str, tuple[dict[str, t.Any], list[tuple[str, str, str]]]] = {
    "whole": (DONE, [("drain", "22:05", "22:20"), ("change", "22:20", "22:50"), ("reboot", "22:50", "23:10")]),
    "in progress": (record("draining", draining="22:05"), [("drain", "22:05", "")]),
    "failed": (
        record("failed", draining="22:05", failed="22:30"),
        [("drain", "22:05", "22:30"), ("failed", "22:30", "")],
    ),
    "failed and tried again": (
        record("drained", failed="22:30", draining="22:40", drained="22:50"),
        [("failed", "22:30", "22:40"), ("drain", "22:40", "22:50"), ("change", "22:50", "")],
    ),
    "not started": (record("skipped", skipped="22:05"), []),
}


@pytest.mark.parametrize(("known", "expected"), PASSAGES.values(), ids=PASSAGES)
def test_the_passage_of_a_node(known: dict[str, t.Any], expected: list[tuple[str, str, str]]) -> None:
    (found,) = site_document(records(rollout=rollout(node("a", "done", known))))["nodes"]
    assert [(one["phase"], one["start"][11:16], one["end"][11:16]) for one in found["segments"]] == expected


def test_times_that_are_none_are_left_out() -> None:
    known = {**DONE, "times": {"draining": "yesterday", "done": ""}}
    (found,) = site_document(records(rollout=rollout(node("a", "done", known))))["nodes"]
    assert (found["segments"], found["done"]) == ([], "")


def test_bundles_are_staged_and_images_loaded_where_the_cluster_has_recorded_it() -> None:
    found = {
        one["name"]: (one["staged"], one["staged_bytes"], one["loaded"]) for one in site_document(records())["nodes"]
    }
    had = (STAGED, 17 << 30, READY)
    assert found == {"master-0": had, "worker-1": had, "worker-2": ("", 0, "")}


def test_an_image_that_is_lacking_is_not_loaded_and_an_earlier_record_has_no_sizes() -> None:
    lacking = {"type": "Present", "status": "False", "message": "1 image is lacking", "lastTransitionTime": READY}
    readiness = [{"version": "4.21.5", "nodes": [{"name": "worker-1", "ready": False, "conditions": [lacking]}]}]
    (found,) = (one for one in site_document(records(readiness=readiness))["nodes"] if one["name"] == "worker-1")
    assert (found["staged"], found["staged_bytes"], found["loaded"]) == ("", 0, "")


def test_the_timeline_marks_when_the_bundle_was_staged_and_images_were_loaded() -> None:
    for mark in (f"Bundle staged, {STAGED}", f"Images loaded, {READY}"):
        assert page(records()).count(f"<title>{mark}</title>") == 2


def test_all_that_is_known_is_on_the_page() -> None:
    shown = Elements(page(records()))
    assert shown.open == []
    for words in (
        "Update to 4.21.5",
        "Waits for a window",
        "Stopped, because the window is closed.",
        DIGEST,
        "x86_64",
        "worker-2",
        "2026-11-28 22:00:00",
        "Check the kubelet of the node.",
        "80.0 GiB",
        "17.0 GiB",
        "24.0 GiB",
        "it boots the image of an earlier release",
        "2026-10-03 21:00:00",
    ):
        assert words in shown.words
    assert "svg" in shown.seen


def test_a_report_of_nothing() -> None:
    shown = Elements(page(SiteRecords(NOW, "system:admin")))
    assert "No update is recorded in this cluster." in shown.words
    assert "svg" not in shown.seen


@pytest.mark.parametrize(
    ("part", "status"), [("rollout", "unknown"), ("rollouts", "unknown"), ("runs", "unknown"), ("space", "none")]
)
def test_what_could_not_be_read_is_listed(part: str, status: str) -> None:
    found = replace(records(rollout=None), runs=(), missing=((part, "the API did not respond"),))
    assert site_document(found)["outcome"]["status"] == status
    assert f"{part}: the API did not respond" in Elements(page(found)).words


def hostile() -> SiteRecords:
    """Return records in which everything that comes from outside is hostile."""
    found = records(
        rollout=rollout(node(HOSTILE, "done", {**DONE, "reason": HOSTILE, "by": HOSTILE}, HOSTILE)),
        changes=[change(HOSTILE, resource=HOSTILE, sentence=HOSTILE)],
        health={"cluster_version": {"cluster_id": HOSTILE, "history": []}, "findings": [finding(name=HOSTILE)]},
        space=[{"node": HOSTILE, "filesystem": "root", "free": 1, "size": 2, "percent": 50}],
    )
    runs = (run(sentence=HOSTILE, by=HOSTILE, version=HOSTILE, next_permitted=HOSTILE, ended=HOSTILE),)
    return replace(found, runs=runs, by=HOSTILE, missing=((HOSTILE, HOSTILE),))


def test_what_comes_from_outside_is_shown_as_text() -> None:
    shown = Elements(page(hostile()))
    assert shown.open == []
    assert "script" not in shown.seen
    assert shown.words.count("alert(1)") > 8


LONG = "n" * 100_000


def test_texts_and_lists_are_cut() -> None:
    many = rollout(*(node(f"{LONG}{number}", "done", DONE) for number in range(MOST_ENTRIES + 1)))
    found = records(rollout=many, health={"findings": [finding(seen=LONG, advice=LONG)] * (MOST_ENTRIES + 1)})
    document = site_document(found)
    assert (len(document["nodes"]), len(document["findings"])) == (MOST_ENTRIES, MOST_ENTRIES)
    assert len(report_page(document)) < 8 << 20


TEXTS: dict[str, tuple[str, str]] = {
    "a short text": ("worker-1\nis ready", "worker-1\nis ready"),
    "a long text": ("n" * (LONGEST_TEXT + 1), "n" * (LONGEST_TEXT - 1) + "\u2026"),
    "a terminal's commands": ("\x1b[31mred", "\ufffd[31mred"),
    "the direction of writing": ("a\u202eb", "a\ufffdb"),
    "half of a character": ("\ud83d", "\ufffd"),
}


@pytest.mark.parametrize(("text", "expected"), TEXTS.values(), ids=TEXTS)
def test_a_text(text: str, expected: str) -> None:
    assert bounded_text(text) == expected
    assert bounded({text: [text]}) == {expected: [expected]}


def figures(*nodes: dict[str, t.Any], **parts: t.Any) -> list[str]:
    shown = page(records(rollout=rollout(*nodes), **parts))
    return re.findall(r"<figure>.*?</figure>", shown, re.DOTALL)


def test_the_timeline_stands_against_the_windows() -> None:
    (figure,) = figures(node("a", "done", DONE))
    assert "2026-11-21 22:03 to Sat 2026-11-21 23:11 UTC" in figure
    assert figure.count('class="permitted"') == 1, "the window of a week later is not on this axis"
    assert [kind for kind in ("drain", "change", "reboot", "done") if f'class="{kind}"' in figure] == [
        "drain",
        "change",
        "reboot",
        "done",
    ]


def test_bundles_and_images_that_came_shortly_before_are_on_the_axis() -> None:
    (figure,) = figures(node("worker-1", "done", DONE))
    assert "Sat 2026-11-21 19:58 to " in figure
    assert f"Images loaded, {READY}" in figure


def test_bars_stay_within_the_axis() -> None:
    (figure,) = figures(node("a", "done", DONE), changes=[change("worker")])
    places = re.findall(r'x="([0-9.]+)%" width="([0-9.]+)%"', figure)
    assert len(places) == 4
    assert all(float(left) >= 0 and float(left) + float(width) <= 100.2 for left, width in places)


def test_passages_that_are_days_apart_have_axes_of_their_own() -> None:
    later = {name: time.replace("-21T", "-28T") for name, time in DONE["times"].items()}
    assert len(figures(node("a", "done", DONE), node("b", "done", {**DONE, "times": later}))) == 2


def test_a_figure_fits_a_sheet_of_paper() -> None:
    found = figures(*(node(f"w-{number}", "done", DONE) for number in range(MOST_ROWS + 1)))
    assert [figure.count('class="drain"') for figure in found] == [MOST_ROWS, 1]
    assert len({figure.partition("</figcaption>")[0] for figure in found}) == 1, "both have the same axis"


def test_a_passage_of_no_length_is_drawn() -> None:
    assert len(figures(node("a", "in_progress", {**record("draining"), "times": {"draining": NOW}}))) == 1
