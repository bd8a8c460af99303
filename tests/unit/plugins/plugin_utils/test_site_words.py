# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_words import (
    changed_items,
    duration,
    failure_lines,
    message_lines,
    printable,
)

ERROR = {"attempted": "drain the node", "on": "worker-0", "seen": "shop/web stays.", "advice": "Raise its budget."}


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.4, "0 s"), (59, "59 s"), (60, "1 min 0 s"), (3599, "59 min 59 s"), (3600, "1 h 0 min"), (90000, "25 h 0 min")],
)
def test_a_duration_has_two_units_at_most(seconds: float, said: str) -> None:
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        pytest.param(
            {"msg": "Could not ...", "error": ERROR},
            ["Could not drain the node on worker-0: shop/web stays.", "What to do: Raise its budget."],
            id="an error of this collection",
        ),
        pytest.param({"msg": "no such file\n"}, ["no such file"], id="a message"),
        pytest.param({"censored": "the output has been hidden"}, ["the output has been hidden"], id="no_log"),
        pytest.param({}, ["The task failed without a message."], id="nothing"),
        pytest.param({"msg": {"a": 1}}, ['{"a": 1}'], id="no text"),
        pytest.param(
            {"msg": "non-zero return code", "stderr": "a\nb", "stdout": "non-zero", "rc": 1},
            ["non-zero return code", "stderr:", "a", "b"],
            id="a command, and nothing twice",
        ),
        pytest.param(
            {"msg": "MODULE FAILURE", "module_stderr": "Traceback", "exception": "(traceback unavailable)"},
            ["MODULE FAILURE", "module_stderr:", "Traceback"],
            id="a crash",
        ),
    ],
)
def test_a_failure_says_all_it_knows_once(content: dict[str, t.Any], lines: list[str]) -> None:
    assert failure_lines(content) == lines


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ({"msg": "one\ntwo", "changed": False}, ["one", "two"]),
        ({"msg": ["one", "two"]}, ["one", "two"]),
        ({"msg": ""}, [""]),
        ({"msg": ["one", {"a": 1}]}, ["one", '{"a": 1}']),
        ({"number": 3, "_ansible_verbose_always": True, "changed": False, "failed": False}, ["number: 3"]),
        ({"found": {"a": [1]}}, ["found: {", '  "a": [', "    1", "  ]", "}"]),
    ],
)
def test_a_message_is_shown_line_by_line(content: dict[str, t.Any], lines: list[str]) -> None:
    assert message_lines(content) == lines


@pytest.mark.parametrize(
    ("results", "names"),
    [
        ([{"changed": True, "item": "a"}, {"changed": False, "item": "b"}], "a"),
        ([{"changed": True, "ansible_loop_var": "node", "node": "worker-0"}], "worker-0"),
        ([{"changed": True, "item": {"name": "a"}, "_ansible_item_label": "the label"}], "the label"),
        ([{"changed": True, "item": "secret", "_ansible_no_log": True}, {"changed": True, "censored": "x"}], ""),
        ([{"changed": True, "item": str(number)} for number in range(8)], "0, 1, 2, 3, 4, 5 and 2 more"),
        (None, ""),
    ],
)
def test_the_items_that_were_changed_are_named(results: t.Any, names: str) -> None:
    assert changed_items({"results": results} if results is not None else {}) == names


def test_no_message_can_steer_the_terminal() -> None:
    assert printable("a\x1b[2Jb\rc") == "a [2Jb c"
    assert message_lines({"msg": "\x1b[2J"}) == [" [2J"]
    assert failure_lines({"msg": "\x1b[2J"}) == [" [2J"]
