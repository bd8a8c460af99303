# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The answers of many nodes are those of a loop over them: their order, their loop variable, and how they fail."""

from __future__ import annotations

import json
import os
import typing as t
from functools import partial
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.aside import begin_aside
from ansible_collections.fieldops.openshift.plugins.module_utils._run.node_answers import NodesFailedError, answers

Object = dict[str, t.Any]
AWAY = {"unreachable": True, "msg": "no route to host"}
BROKEN = {"failed": True, "msg": "the disk is full"}


@pytest.fixture
def begun(tmp_path: Path) -> t.Callable[..., list[Object]]:
    """Return what a loop over nodes returns that has begun to get these answers."""

    def loop(**told: Object) -> list[Object]:
        return [
            {
                "ansible_loop_var": "node",
                "node": node,
                "changed": False,
                "begun": str(begin_aside(tmp_path, partial(json.dumps, answer))),
            }
            for node, answer in told.items()
        ]

    return loop


Begun = t.Callable[..., list[Object]]


def test_they_have_the_order_and_the_variable_of_the_loop(begun: Begun) -> None:
    loop = begun(b={"changed": True, "size": 2}, a={"changed": False, "size": 1})
    found = answers(loop, report_unreachable=False)
    assert found.objects == {"results": [{**loop[0], "changed": True, "size": 2}, {**loop[1], "size": 1}]}


@pytest.mark.parametrize(
    ("told", "changed"), [({"changed": True}, True), ({"changed": False}, False), ({}, False)], ids=str
)
def test_one_that_changed_something_is_enough(begun: Begun, told: Object, changed: bool) -> None:
    assert answers(begun(a={"changed": False}, b=told), report_unreachable=False).changed is changed


def test_what_the_loop_has_skipped_stays_as_it_is() -> None:
    skipped = {"ansible_loop_var": "node", "node": "a", "skipped": True, "changed": False}
    assert answers([skipped], report_unreachable=False).objects == {"results": [skipped]}


def test_all_that_was_done_and_told_is_together(begun: Begun) -> None:
    one = {"actions": [{"verb": "pin"}], "warnings": ["old"], "diff": [{"before": 1, "after": 2}, {"after": 3}]}
    other = {"actions": [{"verb": "load"}], "warnings": ["old", "slow"], "diff": {"before": 7, "after": 8}}
    found = answers(begun(a=one, b=other), report_unreachable=False)
    assert found.actions == [{"verb": "pin"}, {"verb": "load"}]
    assert found.warnings == ["a, b: old", "b: slow"]
    assert found.diff == {"before": {"a": 1, "b": 7}, "after": {"a": 3, "b": 8}}


@pytest.mark.parametrize(
    ("told", "reason"), [(BROKEN, "b: the disk is full"), (AWAY, "b: no route to host"), ({"failed": True}, "b: ")]
)
def test_a_node_that_failed_is_named_with_its_reason(begun: Begun, told: Object, reason: str) -> None:
    with pytest.raises(NodesFailedError) as failure:
        answers(begun(a={}, b=told, c={}), report_unreachable=False)
    assert failure.value.on == "b"
    assert failure.value.seen.startswith(reason)
    assert [one["node"] for one in failure.value.partial["results"]] == ["a", "b", "c"]


def test_arguments_are_not_repeated(begun: Begun) -> None:
    (found,) = answers(begun(a={"invocation": {"module_args": {"src": "/media"}}}), report_unreachable=False).objects[
        "results"
    ]
    assert "invocation" not in found


def test_one_that_is_away_may_be_told_only(begun: Begun) -> None:
    (found,) = answers(begun(a=AWAY), report_unreachable=True).objects["results"]
    assert found["unreachable"] is True


def test_one_whose_process_was_killed_has_failed(tmp_path: Path) -> None:
    folder = begin_aside(tmp_path, lambda: os._exit(1))
    with pytest.raises(NodesFailedError, match="a: its process on this machine ended"):
        answers([{"item": "a", "begun": str(folder)}], report_unreachable=False)


def test_an_item_that_is_no_name_is_told_by_the_node_it_was_begun_on(begun: Begun) -> None:
    loop = [{**one, "begun_on": "a"} for one in begun(bundle={"diff": {"before": 1, "after": 2}}, other=BROKEN)]
    with pytest.raises(NodesFailedError, match="a: the disk is full"):
        answers(loop, report_unreachable=False)


def test_the_difference_of_a_node_is_that_of_all_its_items(begun: Begun) -> None:
    told = begun(bundle={"diff": {"before": 1, "after": 2}}, other={"diff": {"before": 3, "after": 4}})
    found = answers([{**one, "begun_on": "a"} for one in told], report_unreachable=False)
    assert found.diff == {"before": {"a": 1}, "after": {"a": 4}}
