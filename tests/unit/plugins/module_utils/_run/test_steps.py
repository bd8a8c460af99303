# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t
from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import (
    REFUSAL_GRACE,
    Timeline,
    Waiting,
    follow,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    API,
    DeadlineExceededError,
    FieldOpsError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock

AWAY = FieldOpsError("ask", on="the API", seen="connection refused", advice="Wait.", transient=True)
FORBIDDEN = FieldOpsError("ask", on="the API", seen="forbidden", advice="Get the right.")


def steps(*outcomes: Step | FieldOpsError) -> Callable[[], Step]:
    """Return a function that gives the outcomes one after another and the last one for ever."""
    pending = list(outcomes)

    def take() -> Step:
        outcome = pending.pop(0) if len(pending) > 1 else pending[0]
        if isinstance(outcome, FieldOpsError):
            raise outcome
        return outcome

    return take


def going(sentence: str, **rest: t.Any) -> Step:
    return Step(sentence=sentence, done=False, **rest)


DONE = Step(sentence="ready", done=True, objects={"nodes": 3})


def wait(clock: FakeClock, *outcomes: Step | FieldOpsError, seconds: float = 100) -> tuple[Step, Timeline]:
    deadline = Deadline(seconds, clock)
    timeline = Timeline(deadline)
    waiting = Waiting("it is ready", "node n1")
    return follow(steps(*outcomes), waiting=waiting, deadline=deadline, observer=timeline), timeline


def test_a_goal_that_is_reached_costs_no_pause(clock: FakeClock) -> None:
    assert wait(clock, DONE)[0] is DONE
    assert clock.slept == []


def test_the_step_says_how_long_to_pause_at_most(clock: FakeClock) -> None:
    wait(clock, *[going("a", next_delay=2)] * 20, DONE)
    assert (clock.slept[0], max(clock.slept), clock.slept[-1]) == (0.5, 2, 2)


def test_what_is_soon_done_is_soon_seen_and_a_long_wait_asks_seldom(clock: FakeClock) -> None:
    wait(clock, *[going("a", next_delay=60)] * 25, DONE, seconds=3600)
    spent = [sum(clock.slept[:number]) for number in range(len(clock.slept))]
    assert all(pause <= max(0.5, before / 4) for pause, before in zip(clock.slept, spent))
    assert clock.slept[-1] > 30


def test_an_appointment_is_waited_for_in_one_pause(clock: FakeClock) -> None:
    wait(clock, going("the window opens", next_delay=3000, appointed=True), DONE, seconds=3600)
    assert clock.slept == [3000]


def test_the_timeline_holds_changes_only(clock: FakeClock) -> None:
    timeline = wait(clock, going("a"), going("a"), going("b"), DONE)[1]
    assert timeline.entries == [
        {"at": "2026-11-21T22:00:00Z", "sentence": "a"},
        {"at": "2026-11-21T22:00:01Z", "sentence": "b"},
        {"at": "2026-11-21T22:00:01Z", "sentence": "ready"},
    ]


def test_an_outage_is_survived_and_told(clock: FakeClock) -> None:
    step, timeline = wait(clock, going("a"), AWAY, DONE)
    assert step is DONE
    assert timeline.entries[1]["sentence"] == "Could not ask on the API: connection refused. Wait."


def test_a_final_error_ends_the_wait_at_once(clock: FakeClock) -> None:
    with pytest.raises(FieldOpsError, match="forbidden"):
        wait(clock, going("a"), FORBIDDEN)
    assert clock.elapsed == 0.5


def refused() -> FieldOpsError:
    error = FieldOpsError("ask", on="the API", seen="403 Forbidden", advice="Get the right.")
    error.kind = API
    return error


def test_an_api_that_granted_a_step_before_may_refuse_for_a_while_as_one_does_that_has_just_started(
    clock: FakeClock,
) -> None:
    step, timeline = wait(clock, going("a"), refused(), refused(), DONE)
    assert step is DONE
    assert "403 Forbidden" in timeline.entries[1]["sentence"]


def test_an_api_that_goes_on_refusing_ends_the_wait(clock: FakeClock) -> None:
    with pytest.raises(FieldOpsError, match="403 Forbidden"):
        wait(clock, going("a"), refused())
    assert REFUSAL_GRACE < clock.elapsed < 2 * REFUSAL_GRACE


def test_each_start_of_an_api_server_may_refuse_for_a_while(clock: FakeClock) -> None:
    step = wait(clock, going("a"), refused(), *[AWAY] * 20, refused(), DONE)[0]
    assert step is DONE
    assert clock.elapsed > REFUSAL_GRACE


def test_an_api_that_refuses_from_the_start_ends_the_wait_at_once(clock: FakeClock) -> None:
    with pytest.raises(FieldOpsError, match="403 Forbidden"):
        wait(clock, refused())
    assert clock.elapsed == 0


def test_the_deadline_names_what_was_missing_and_keeps_what_was_seen(clock: FakeClock) -> None:
    stuck = going("2 of 3 nodes ready", objects={"nodes": 2})
    with pytest.raises(DeadlineExceededError) as caught:
        wait(clock, stuck, seconds=12)
    assert "wait until it is ready on node n1: after 12 s the last state was: 2 of 3 nodes ready" in str(caught.value)
    assert caught.value.partial["nodes"] == 2
    assert clock.elapsed == 12


def test_what_was_seen_before_an_outage_is_kept_at_the_deadline(clock: FakeClock) -> None:
    with pytest.raises(DeadlineExceededError) as caught:
        wait(clock, going("a", objects={"nodes": 2}), AWAY, seconds=12)
    assert caught.value.partial["nodes"] == 2
    assert "connection refused" in caught.value.seen


def test_a_last_look_is_taken_when_the_time_is_up(clock: FakeClock) -> None:
    step = wait(clock, going("a", next_delay=10), DONE, seconds=10)[0]
    assert step is DONE
