# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleConnectionFailure

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.plugin_utils import _step_loop
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import (
    HostAwayError,
    PlayGoneError,
    ProgressLines,
    StepLoop,
    StepRefusedError,
    step_arguments,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock

ERROR = {"kind": "api", "attempted": "list nodes", "on": "the API", "seen": "refused", "advice": "Wait."}


def module_result(*, done: bool = False, **rest: t.Any) -> dict[str, t.Any]:
    return {"progress": {"sentence": "1 of 2", "done": done, "next_delay": 3.0}, **rest}


def loop_over(*results: dict[str, t.Any]) -> StepLoop:
    pending = list(results)
    return StepLoop(lambda: pending.pop(0))


def test_a_step_is_what_the_module_says() -> None:
    step = loop_over(module_result()).take()
    assert (step.sentence, step.done, step.next_delay) == ("1 of 2", False, 3.0)


def test_a_transient_failure_may_be_tried_again() -> None:
    steps = loop_over({"failed": True, "error": {**ERROR, "transient": True}})
    with pytest.raises(FieldOpsError, match="Could not list nodes on the API: refused") as caught:
        steps.take()
    assert caught.value.transient


@pytest.mark.parametrize(
    "result",
    [
        pytest.param({"failed": True, "msg": "no", "error": {**ERROR, "transient": False}}, id="final error"),
        pytest.param({"failed": True, "msg": "MODULE FAILURE", "exception": "..."}, id="crash"),
        pytest.param({"failed": True, "msg": "unsupported parameter"}, id="wrong arguments"),
    ],
)
def test_other_failures_are_final_and_kept_whole(result: dict[str, t.Any]) -> None:
    with pytest.raises(StepRefusedError) as caught:
        loop_over(result).take()
    assert caught.value.result is result


def test_a_host_that_is_away_is_waited_for() -> None:
    def away() -> dict[str, t.Any]:
        raise AnsibleConnectionFailure("ssh: no route to host")

    with pytest.raises(HostAwayError, match="no route to host") as caught:
        StepLoop(away).take()
    assert caught.value.transient


def test_no_step_is_taken_once_the_play_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_step_loop, "play_is_gone", lambda: True)
    with pytest.raises(PlayGoneError, match="the play that this task belongs to has ended") as caught:
        loop_over(module_result()).take()
    assert not caught.value.transient, "it is not tried again"


@pytest.mark.parametrize(
    ("waited", "left"),
    [(0.0, 30), (4.3, 26), (29.5, 1), (31.0, 1)],
    ids=["at first", "meanwhile", "at the end", "too late"],
)
def test_a_step_learns_how_long_it_may_take(waited: float, left: int) -> None:
    clock = FakeClock()
    deadline = Deadline(30, clock)
    clock.sleep(waited)
    given = {"name": "worker-0", "wait": True, "wait_timeout": 30, "api_patience": 180}
    assert step_arguments(given, deadline) == {"name": "worker-0", "wait": False, "wait_timeout": left}


def test_the_outcome_tells_what_all_steps_did_together() -> None:
    steps = loop_over(
        module_result(changed=True, actions=["cordon"], diff={"after": "a"}, nodes=1),
        module_result(done=True, changed=False, actions=["uncordon"], nodes=2),
    )
    steps.take()
    steps.take()
    outcome = steps.outcome({})
    assert (outcome["changed"], outcome["actions"], outcome["diff"]) == (True, ["cordon", "uncordon"], [{"after": "a"}])
    assert outcome["nodes"] == 2


def test_a_warning_of_any_step_reaches_the_person_once() -> None:
    steps = loop_over(
        module_result(warnings=["first"]), module_result(warnings=["first", "second"]), module_result(done=True)
    )
    for _number in range(3):
        steps.take()
    assert steps.outcome({})["warnings"] == ["first", "second"]


def test_a_final_failure_after_a_change_still_says_changed() -> None:
    steps = loop_over(module_result(changed=True), {"failed": True, "msg": "no", "changed": False})
    steps.take()
    with pytest.raises(StepRefusedError) as caught:
        steps.take()
    assert steps.outcome(caught.value.result)["changed"] is True


def test_lines_are_shown_for_changes_and_for_long_silence() -> None:
    clock = FakeClock()
    shown: list[str] = []
    lines = ProgressLines(Deadline(1000, clock), shown.append, heartbeat=60)
    for seconds, sentence in [(0, "a"), (30, "a"), (40, "a"), (10, "b"), (55, "b"), (10, "b")]:
        clock.advance(seconds)
        lines.saw(sentence)
    assert shown == [
        "2026-11-21T22:00:00Z a",
        "2026-11-21T22:01:10Z still after 70 s: a",
        "2026-11-21T22:01:20Z b",
        "2026-11-21T22:02:25Z still after 145 s: b",
    ]
