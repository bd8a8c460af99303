# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the comparison of results with RETURN finds, and what it leaves alone."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration import documented_results
from ansible_collections.fieldops.openshift.tests.integration.documented_results import Comparison, compare_diffs

RETURN = {
    "images": {
        "type": "list",
        "elements": "dict",
        "returned": "when loaded",
        "description": "What is loaded.",
        "contains": {"name": {"type": "str"}, "size": {"type": "int", "returned": "when known"}},
    },
    "image": {
        "type": "dict",
        "returned": "when loaded",
        "description": "The last one, as an entry of RV(fieldops.openshift.other#module:images[]).",
    },
    "lacking": {"type": "list", "elements": "str", "returned": "success"},
    "seconds": {"type": "float", "returned": "when loaded"},
    "timeline": {"type": "list", "elements": "dict", "returned": "always"},
}
WHOLE: dict[str, t.Any] = {"changed": True, "lacking": [], "timeline": []}
REFUSED = {"failed": True, "error": {"kind": "conflict"}, "msg": "...", "timeline": []}
CASES = {
    "as documented": (WHOLE, []),
    "more, as documented": ({**WHOLE, "images": [{"name": "etcd", "size": 3}], "seconds": 3}, []),
    "what is optional": ({**WHOLE, "images": [{"name": None}]}, []),
    "of Ansible": ({**WHOLE, "attempts": 3, "warnings": ["w"], "ansible_loop_var": "item"}, []),
    "as documented elsewhere": ({**WHOLE, "image": {"name": "etcd"}}, []),
    "not documented elsewhere": (
        {**WHOLE, "image": {"name": "etcd", "tag": ""}},
        ["m.image.tag is returned and not documented"],
    ),
    "not returned, documented elsewhere": (
        {**WHOLE, "image": {"size": 3}},
        ["m.image.name is documented and not returned"],
    ),
    "not documented": ({**WHOLE, "stores": 1}, ["m.stores is returned and not documented"]),
    "not documented, inside": (
        {**WHOLE, "images": [{"name": "etcd", "tag": ""}]},
        ["m.images.tag is returned and not documented"],
    ),
    "not returned": ({"timeline": []}, ["m.lacking is documented and not returned"]),
    "nothing is there": ({**WHOLE, "images": [{}]}, []),
    "not returned, inside": ({**WHOLE, "images": [{"size": 3}]}, ["m.images.name is documented and not returned"]),
    "another type": ({**WHOLE, "seconds": "3"}, ["m.seconds is documented as float, and is '3'"]),
    "a truth for a number": ({**WHOLE, "seconds": True}, ["m.seconds is documented as float, and is True"]),
    "other elements": ({**WHOLE, "lacking": [1]}, ["m.lacking is documented as a list of str, has 1"]),
    "a failure": (REFUSED, []),
    "a failure with what was achieved": ({**REFUSED, "job": {"state": "failed"}}, []),
    "a failure with another type": ({**REFUSED, "lacking": ""}, ["m.lacking is documented as list, and is ''"]),
    "begun and not ended": ({"ansible_job_id": "j1", "started": True, "finished": False}, []),
    "a failure without what is always there": (
        {"failed": True, "error": {"kind": "conflict"}},
        ["m.timeline is documented and not returned"],
    ),
    "a host that was not reached": ({"failed": True, "error": {"kind": "host_away"}}, []),
    "refused by Ansible": ({"failed": True, "msg": "missing required arguments"}, []),
}


@pytest.fixture(autouse=True)
def _documentation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documented_results, "documented", lambda _module: RETURN)


@pytest.mark.parametrize(("result", "problems"), CASES.values(), ids=CASES)
def test_a_result_is_held_to_its_documentation(result: dict[str, t.Any], problems: list[str]) -> None:
    assert Comparison("m", result).problems == problems


def test_all_of_a_subject_that_was_gathered_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    one = {"type": "str", "returned": "with O(gather=one)"}
    monkeypatch.setattr(documented_results, "documented", lambda _module: {"one": one})
    assert Comparison("m", {"changed": False}, ["one"]).problems == ["m.one is documented and not returned"]
    assert Comparison("m", {"changed": False}, ["other"]).problems == []


def test_what_had_a_value_was_seen() -> None:
    compared = Comparison("m", {**WHOLE, "images": [{"name": None, "size": 3}], "seconds": None})
    assert compared.seen == {"m.images", "m.images.size", "m.lacking", "m.timeline"}


def run(before: t.Any, after: t.Any, *, check_mode: bool = False, changed: bool = True) -> dict[str, t.Any]:
    result = {"changed": changed, "diff": {"before": before, "after": after}}
    return {"module": "m", "arguments": {"name": "x"}, "check_mode": check_mode, "result": result}


def steps(*diffs: tuple[t.Any, t.Any]) -> dict[str, t.Any]:
    several = [{"before": before, "after": after} for before, after in diffs]
    return {**run(None, None), "result": {"changed": True, "diff": several}}


DIFFS = {
    "one that says what changes": ([run(1, 2)], []),
    "none where nothing changed": ([run(1, 1, changed=False)], []),
    "the same in check mode": ([run(1, 2, check_mode=True), run(1, 2)], []),
    "one that says nothing": ([run(1, 1)], ["m changed something, and the diff is {'before': 1, 'after': 1}"]),
    "another in check mode": (
        [run(1, 3, check_mode=True), run(1, 2)],
        ["m would change {'before': 1, 'after': 3}, and changed {'before': 1, 'after': 2}"],
    ),
    "another instant": ([run("", {"at": "T10:01Z"}, check_mode=True), run("", {"at": "T10:02Z"})], []),
    "in several steps": ([run(1, 3, check_mode=True), steps((1, 2), (2, 3))], []),
    "what is to be made": ([run("", "not known yet", check_mode=True), run("", "sha256:ab")], []),
}


@pytest.mark.parametrize(("records", "problems"), DIFFS.values(), ids=DIFFS)
def test_a_diff_is_data_that_says_what_changes(records: list[dict[str, t.Any]], problems: list[str]) -> None:
    assert [*compare_diffs(records)] == problems
