# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_story import Failure, Story, TaskSeen
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_words import Line
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import ProgressLines
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock

CLOCK = "03:29:11"
PHASES = ("Verify", "Load", "Roll")


def texts(lines: list[Line] | None) -> list[str]:
    return [line.text for line in lines or ()]


def story(*, is_live: bool = False) -> Story:
    """A play that has begun, whose nodes get a line each minute and which is silent for five."""
    told = Story(is_live=is_live, interval=60, silence=300)
    told.play_starts("Update", PHASES, 0, "2026-11-22 03:29:11 UTC")
    return told


def begin(told: Story, name: str, *path: str, at: float = 0.0) -> list[str]:
    return texts(told.task_starts(TaskSeen(name, path), at, CLOCK))


def says(told: Story, node: str, sentence: str, at: float) -> list[str]:
    return texts(told.progress(f"  {node}: 2026-11-22T03:30:00Z {sentence}", at))


def test_a_play_is_named_with_its_day() -> None:
    told = Story(is_live=False, interval=60, silence=300)
    assert texts(told.play_starts("Update", (), 0, "2026-11-22 03:29:11 UTC")) == ["2026-11-22 03:29:11 UTC  Update"]


def test_a_phase_that_ends_says_how_long_it_took() -> None:
    told = story()
    assert begin(told, "Read", "Verify", at=10) == []
    assert begin(told, "Judge", "Verify", "Trust", at=20) == []
    assert begin(told, "Start", "Load", at=75) == [f"{CLOCK}  done: Verify, 1 min 5 s"]
    assert begin(told, "Gather", at=80) == [f"{CLOCK}  done: Load, 5 s"]


def test_a_phase_in_which_a_task_failed_has_failed() -> None:
    told = story()
    begin(told, "Read", "Verify", at=10)
    told.failed(Failure("Read", "localhost", {"msg": "no"}), 12)
    assert begin(told, "Clean", at=13) == [f"{CLOCK}  failed: Verify, 3 s"]


def test_a_phase_that_had_nothing_to_do_is_worth_no_line() -> None:
    told = story()
    begin(told, "Read", "Verify", at=10)
    assert begin(told, "Start", "Load", at=10.9) == []


def test_a_failure_that_the_play_handles_does_not_fail_its_phase() -> None:
    told = story()
    begin(told, "Read", "Verify")
    told.failed(Failure("Read", "localhost", {"msg": "no"}, handled=True), 1)
    assert begin(told, "Clean", at=3) == [f"{CLOCK}  done: Verify, 3 s"]


@pytest.mark.parametrize(
    ("tasks", "upcoming"),
    [
        pytest.param([], PHASES, id="nothing"),
        pytest.param([TaskSeen("Read", ("Verify",))], ("Load", "Roll"), id="begun"),
        pytest.param([TaskSeen("Load", (), is_include=True)], ("Roll",), id="skipped"),
        pytest.param([TaskSeen("Load")], PHASES, id="a task of that name"),
        pytest.param([TaskSeen("a", ("Roll",)), TaskSeen("b", ("Verify",))], (), id="again"),
    ],
)
def test_phases_that_are_left(tasks: list[TaskSeen], upcoming: tuple[str, ...]) -> None:
    told = story()
    for task in tasks:
        told.task_starts(task, 0, CLOCK)
    assert told.now.upcoming == upcoming


def test_the_lines_of_actions_that_wait_are_known() -> None:
    shown: list[str] = []
    clock = FakeClock()
    told, lines = story(), ProgressLines(Deadline(600, clock), shown.append, heartbeat=60)
    lines.saw("1 of 5 nodes; next: worker-1")
    clock.sleep(61)
    lines.saw("1 of 5 nodes; next: worker-1")
    assert len(shown) == 2
    for line in shown:
        told.progress(f"  worker-0: {line}", 0)
        told.progress(f"  {line}", 0)
        assert {name: state.sentence for name, state in told.now.nodes.items()} == dict.fromkeys(
            ("worker-0", ""), "1 of 5 nodes; next: worker-1"
        )


@pytest.mark.parametrize("line", ["[WARNING]: x", "TASK [a] ***", "  indented", "", "  a: b"])
def test_other_lines_are_none_of_the_storys(line: str) -> None:
    assert story().progress(line, 0) is None


def test_in_a_log_a_node_has_one_line_in_a_while() -> None:
    told = story()
    begin(told, "Wait", "Load")
    assert says(told, "worker-0", "1 of 17", 5) == []
    assert says(told, "worker-0", "9 of 17", 61) == ["03:30:00  worker-0: 9 of 17"]
    assert says(told, "worker-0", "9 of 17", 200) == [], "said already"
    assert says(told, "worker-0", "10 of 17", 201) == ["03:30:00  worker-0: 10 of 17"]
    assert says(told, "worker-1", "10 of 17", 202) == ["03:30:00  worker-1: 10 of 17"]


def test_in_a_terminal_the_area_shows_it_instead() -> None:
    told = story(is_live=True)
    begin(told, "Wait", "Load")
    assert says(told, "worker-0", "9 of 17", 61) == []
    assert told.now.nodes["worker-0"].sentence == "9 of 17"


@pytest.mark.parametrize(
    ("changed", "said"), [(True, ["03:30:00  worker-0: 17 of 17"]), (False, [])], ids=["changed", "unchanged"]
)
def test_a_step_that_changed_something_ends_with_the_last_words_of_its_nodes(changed: bool, said: list[str]) -> None:
    told = story()
    begin(told, "Wait", "Load", "On each node")
    says(told, "worker-0", "1 of 17", 5)
    says(told, "worker-0", "17 of 17", 6)
    assert texts(told.went_well({"changed": changed}, 7, CLOCK)) == []
    assert begin(told, "Prove", "Load", at=8) == said
    assert told.now.nodes == {}


def test_nodes_with_the_same_last_words_share_a_line() -> None:
    told = story()
    begin(told, "Wait", "Load", "On each node")
    for number in range(8, 0, -1):
        told.progress(f"  worker-{number}: 2026-11-22T03:30:0{number}Z 17 of 17", 5)
    told.progress("  master-0: 2026-11-22T03:30:00Z 16 of 17", 5)
    told.went_well({"changed": True}, 7, CLOCK)
    assert begin(told, "Prove", "Load", at=8) == [
        "03:30:08  worker-1, worker-2, worker-3, worker-4, worker-5, worker-6 and 2 more: 17 of 17",
        "03:30:00  master-0: 16 of 17",
    ]


def test_the_last_words_are_not_repeated_where_a_message_has_said_them() -> None:
    told = story()
    begin(told, "Wait", "Load", "On each node")
    told.progress("  2026-11-22T03:30:00Z the bundle is complete", 5)
    told.went_well({"changed": True}, 6, CLOCK)
    told.shows({"msg": "the bundle is complete"}, 7)
    assert begin(told, "Prove", "Load", at=8) == []


def test_a_change_without_words_is_named_by_its_task() -> None:
    told = story()
    begin(told, "Pause the pools")
    assert texts(told.went_well({"changed": True}, 1, CLOCK)) == [f"{CLOCK}  Pause the pools"]
    items = [{"changed": True, "item": "worker"}, {"changed": False, "item": "infra"}]
    assert texts(told.went_well({"changed": True, "results": items}, 1, CLOCK)) == [f"{CLOCK}  Pause the pools: worker"]
    assert texts(told.went_well({"changed": False}, 1, CLOCK)) == []


def test_a_message_is_not_repeated() -> None:
    told = story()
    assert texts(told.shows({"msg": "1 of 2 nodes"}, 0)) == ["1 of 2 nodes"]
    assert texts(told.shows({"msg": "1 of 2 nodes"}, 1)) == []
    assert texts(told.shows({"msg": ["1 of 2 nodes", "more"]}, 2)) == ["1 of 2 nodes", "more"]


@pytest.mark.parametrize(
    ("is_live", "shown"),
    [(True, ["Index  a", "", "\u2588\u2580 \u2584\u2588", "\u2580\u2580"]), (False, ["Index  a"])],
    ids=["a terminal", "a log"],
)
def test_only_a_terminal_shows_a_qr_code(is_live: bool, shown: list[str]) -> None:
    page = {"msg": ["Index  a", "", "\u2588\u2580 \u2584\u2588", "\u2580\u2580"]}
    assert texts(story(is_live=is_live).shows(page, 0)) == shown


def test_a_failure_is_named_with_its_task_and_host_and_said_once() -> None:
    told = story()
    failure = Failure("Drain", "worker-0", {"msg": "no"})
    assert texts(told.failed(failure, 0)) == ["FAILED  Drain (worker-0)", "  no"]
    assert texts(told.failed(Failure("Stop", "localhost", {"msg": "no"}), 1)) == ["FAILED  Stop (localhost)"]
    assert told.now.problem == ("no",)


def test_a_failure_that_a_summary_has_said_is_not_said_again() -> None:
    told = story()
    told.shows({"msg": ["worker-1  not started", "Stopped, because the window is closed."]}, 0)
    said = told.failed(Failure("Fail", "localhost", {"msg": "Stopped, because the window is closed."}), 1)
    assert texts(said) == ["FAILED  Fail (localhost)"]


def test_while_the_operator_rolls_a_pool_its_nodes_are_counted() -> None:
    told = story(is_live=True)
    told.went_well({"done": [], "remaining": ["worker-0"], "node": {"name": "worker-0"}}, 0, CLOCK)
    told.progress("  2026-11-22T03:30:00Z pool master: 1 of 3 nodes have rendered-master-2, master-1 is in progress", 5)
    assert (told.now.nodes_done, told.now.node) == ("1 of 3 nodes of pool master are done", "")


@pytest.mark.parametrize(
    ("content", "nodes_done", "window"),
    [
        ({"done": ["a"], "remaining": ["b"]}, "1 of 2 nodes are done", ""),
        (
            {"done": ["a"], "remaining": ["b"], "held_back": ["c"], "estimate": {"remaining_seconds": 824.0}},
            "1 of 3 nodes are done, about 13 min 44 s left",
            "",
        ),
        ({"done": ["a"], "remaining": [], "estimate": {"remaining_seconds": 0}}, "1 of 1 nodes are done", ""),
        ({"done": True, "remaining": 3}, "", ""),
        ({"permission": {"sentence": "change is permitted for 3h"}}, "", "at 03:29 UTC, change is permitted for 3h"),
        ({"permission": None}, "", ""),
    ],
)
def test_what_results_carry_is_kept(content: dict[str, t.Any], nodes_done: str, window: str) -> None:
    told = story()
    told.went_well(content, 0, CLOCK)
    assert (told.now.nodes_done, told.now.window) == (nodes_done, window)


@pytest.mark.parametrize(
    ("content", "node"),
    [
        ({"node": {"name": "worker-1"}, "remaining": ["worker-1"]}, "worker-1"),
        ({"node": None, "remaining": []}, ""),
        ({"node": "worker-2"}, "worker-0"),
        ({"changed": False}, "worker-0"),
    ],
)
def test_the_node_that_was_chosen_last_is_known(content: dict[str, t.Any], node: str) -> None:
    told = story()
    told.went_well({"node": {"name": "worker-0"}, "remaining": ["worker-0"]}, 0, CLOCK)
    told.went_well(content, 0, CLOCK)
    assert told.now.node == node


def test_a_log_shows_a_sign_of_life_where_nothing_was_said_for_long() -> None:
    told = story()
    begin(told, "Wait", "Load", at=100)
    says(told, "worker-0", "9 of 17", 101)
    assert texts(told.is_silent(299, CLOCK)) == []
    alive = [f"{CLOCK}  still running for 3 min 20 s: Wait; worker-0: 9 of 17"]
    assert texts(told.is_silent(300, CLOCK)) == alive
    assert texts(told.is_silent(301, CLOCK)) == []
    assert texts(Story(is_live=False, interval=1, silence=1).is_silent(1000, CLOCK)) == [], "no play has begun"


@pytest.mark.parametrize(
    ("ending", "failures", "last"),
    [
        ("", [], "done"),
        ("nothing_to_do", [], "nothing_to_do"),
        ("waits_for_window", ["localhost"], "waits_for_window"),
        ("", ["worker-0", "worker-1"], "failed on worker-0, worker-1"),
    ],
)
def test_the_last_line_says_how_it_ended(ending: str, failures: list[str], last: str) -> None:
    told = story()
    begin(told, "Read", "Verify", at=10)
    assert texts(told.ends(70, CLOCK, ending, failures)) == [
        f"{CLOCK}  done: Verify, 1 min 0 s",
        f"{CLOCK}  Ended after 1 min 10 s: {last}",
    ]
