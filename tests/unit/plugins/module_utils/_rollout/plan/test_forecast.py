# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t
from datetime import datetime, timedelta, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.forecast import Step, forecast
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.forecast_steps import (
    RELEASE,
    Expected,
    expected_of,
    steps_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.order import RolloutPlan
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import (
    HELD_BACK,
    PENDING,
    RolloutNode,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import DONE, DRAINING, NodeRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Permission

NOON = datetime(2026, 11, 28, 12, tzinfo=timezone.utc)
HOUR = 3600
OPTIONS: dict[str, t.Any] = {
    "begins": "",
    "control_plane_method": "operator",
    "node_seconds": 1200,
    "release_seconds": 0,
    "worker_method": "node_by_node",
}


def at(hours: float) -> str:
    return (NOON + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")


def at_hour(instant: datetime | None) -> float | None:
    return (instant - NOON).total_seconds() / HOUR if instant else None


class Windows:
    """Change management with windows, each from one hour after noon to another."""

    def __init__(self, *windows: tuple[float, float]) -> None:
        self._windows = windows

    def ask_at(self, pool: str, estimate: Estimate, instant: datetime) -> Permission:
        now, needed = (instant - NOON).total_seconds() / HOUR, estimate.seconds / HOUR
        if any(opens <= now and now + needed <= closes for opens, closes in self._windows):
            return Permission(True, pool, "open")
        later = [opens for opens, closes in self._windows if opens > now and opens + needed <= closes]
        return Permission(False, pool, f"{pool} is closed", at(later[0]) if later else "")


def step(name: str, hours: float, pool: str = "worker", beside: int = 1) -> Step:
    return Step(name, pool, Estimate(hours * HOUR), beside)


STEPS = [step("a", 1), step("b", 1), step("c", 2)]


@pytest.mark.parametrize(
    ("windows", "starts", "finishes", "interruptions"),
    [
        pytest.param([(0, 9)], [0, 1, 2], 4, 0, id="one window for all"),
        pytest.param([(0, 2.5), (20, 30)], [0, 1, 20], 22, 1, id="the last one does not fit"),
        pytest.param([(1, 2), (5, 6), (20, 21), (40, 42)], [1, 5, 40], 42, 3, id="one that is too short is left out"),
    ],
)
def test_steps_follow_one_another_within_windows(
    windows: list[tuple[float, float]], starts: list[float], finishes: float, interruptions: int
) -> None:
    found = forecast(STEPS, NOON, Windows(*windows).ask_at, {})
    assert [one["starts"] for one in found.as_data()["steps"]] == [at(hours) for hours in starts]
    assert (found.as_data()["finishes"], found.interruptions) == (at(finishes), interruptions)


def test_steps_of_a_pool_may_be_in_progress_side_by_side_and_pools_may_not() -> None:
    pool = [step(name, hours, "worker", 2) for name, hours in (("a", 1), ("b", 3), ("c", 1), ("d", 2))]
    found = forecast([step("r", 1, ""), *pool, step("x", 1, "infra", 2)], NOON, Windows((0, 99)).ask_at, {})
    assert [(one.step.name, at_hour(one.starts), at_hour(one.ends)) for one in found.steps] == [
        ("r", 0, 1),
        ("a", 1, 2),
        ("b", 1, 4),
        ("c", 2, 3),
        ("d", 3, 5),
        ("x", 5, 6),
    ]
    assert at_hour(found.finishes) == 6


def test_nodes_that_wait_for_the_same_opening_need_one_run_more() -> None:
    found = forecast([step(name, 1, "worker", 2) for name in "abc"], NOON, Windows((2, 9)).ask_at, {})
    assert ([at_hour(one.starts) for one in found.steps], found.interruptions) == ([2, 2, 3], 1)


def test_what_never_may_start_is_named_and_so_is_what_follows_it() -> None:
    found = forecast(STEPS, NOON, Windows((0, 1)).ask_at, {"d": "it is cordoned"})
    assert [(one.starts is None, one.waits) for one in found.steps] == [
        (False, ""),
        (True, "worker is closed"),
        (True, "it follows b"),
    ]
    assert found.finishes is None
    assert found.sentence == (
        "3 steps; b never starts: worker is closed; d is held back: it is cordoned; space was not compared"
    )


def test_an_opening_that_does_not_hold_is_none() -> None:
    def ask_at(pool: str, _estimate: Estimate, _instant: datetime) -> Permission:
        return Permission(False, pool, "closed", at(1))

    assert forecast(STEPS, NOON, ask_at, {}).finishes is None


def test_the_sentence_counts_runs_and_time() -> None:
    found = forecast(STEPS, NOON, Windows((0, 2.5), (20, 30)).ask_at, {})
    assert found.sentence == "3 steps; done at 2026-11-29 10:00:00 UTC, after 22h in 2 runs; space was not compared"


def test_a_step_is_a_sentence_with_its_times_and_reasons() -> None:
    steps = [Step("a", "worker", Estimate(HOUR, "a took 1h")), *STEPS[1:]]
    found = forecast(steps, NOON, Windows((0, 1), (11, 13)).ask_at, {})
    assert [one.sentence for one in found.steps] == [
        "a  2026-11-28 12:00:00 to 13:00:00 UTC: a took 1h",
        "b  2026-11-28 23:00:00 to 2026-11-29 00:00:00 UTC: waits, because worker is closed",
        "c  never: worker is closed",
    ]


def test_one_run_is_enough_where_nothing_waits() -> None:
    said = forecast(STEPS[:1], NOON, Windows((0, 9)).ask_at, {}).sentence
    assert said.startswith("1 step; done at 2026-11-28 13:00:00 UTC, after 1h in one run; ")


def test_without_steps_nothing_remains() -> None:
    assert forecast([], NOON, Windows().ask_at, {}).finishes == NOON


def node(name: str, pool: str, standing: str = PENDING, minutes: int = 0) -> RolloutNode:
    labels = {"node-role.kubernetes.io/master": ""} if pool == "master" else {}
    times = {DRAINING: "2026-11-21T22:00:00Z", DONE: f"2026-11-21T22:{minutes:02}:00Z"}
    record = NodeRecord(DONE, times[DONE], rollout="r0", times=times) if minutes else None
    return RolloutNode(NodeState.of({"metadata": {"name": name, "labels": labels}}), pool, standing, "", record)


PLAN = RolloutPlan(
    [node("m-0", "master"), node("w-0", "worker", minutes=7), node("w-1", "worker"), node("w-2", "worker", HELD_BACK)],
    None,
    "",
)


@pytest.mark.parametrize(
    ("release", "operator", "expected"),
    [
        (None, True, [("m-0", 600), ("w-0", 420), ("w-1", 900)]),
        (Estimate(5400, "stated"), True, [(RELEASE, 5400), ("w-0", 420), ("w-1", 900)]),
        (Estimate(5400, "stated"), False, [(RELEASE, 5400), ("m-0", 600), ("w-0", 420), ("w-1", 900)]),
    ],
    ids=["nodes alone", "with a release", "node by node"],
)
def test_steps_are_the_release_and_the_nodes_that_remain(
    release: Estimate | None, operator: bool, expected: list[tuple[str, float]]
) -> None:
    steps = steps_of(PLAN, Expected(1200, release, operator=operator), {}, {"m-0": 600.0, "w-1": 900.0})
    assert [(one.name, one.estimate.seconds) for one in steps] == expected


@pytest.mark.parametrize(
    ("limits", "beside"), [({}, 1), ({"worker": "2"}, 2), ({"worker": "50%"}, 1)], ids=["default", "number", "share"]
)
def test_the_operator_updates_as_many_workers_at_a_time_as_their_pool_permits(
    limits: dict[str, str], beside: int
) -> None:
    steps = steps_of(PLAN, Expected(1200, by_pool=True), {"master": "3", **limits}, {})
    assert [(one.name, one.beside) for one in steps] == [("m-0", 1), ("w-0", beside), ("w-1", beside)]


def test_the_operator_updates_one_pool_after_another() -> None:
    mixed = RolloutPlan([node("a", "infra"), node("b", "worker"), node("c", "infra"), node("m", "master")], None, "")
    assert [one.name for one in steps_of(mixed, Expected(1200, by_pool=True), {}, {})] == ["m", "a", "c", "b"]
    assert [one.name for one in steps_of(mixed, Expected(1200), {}, {})] == ["a", "b", "c", "m"]


@pytest.mark.parametrize(
    ("seconds", "measured", "expected"),
    [(0, 300.0, None), (5400, 0.0, 5400), (5400, 300.0, 300.0)],
    ids=["no release", "never measured", "measured"],
)
def test_a_release_takes_what_it_took_before(seconds: int, measured: float, expected: float | None) -> None:
    found = expected_of({**OPTIONS, "release_seconds": seconds}, Estimate(measured)).release
    assert (found.seconds if found else None) == expected


def test_a_begin_that_is_no_time_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="'Saturday' is no time in UTC"):
        expected_of({**OPTIONS, "begins": "Saturday"}, Estimate())
