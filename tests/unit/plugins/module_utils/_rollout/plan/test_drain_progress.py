# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.drain_progress import (
    DrainProgress,
    PodProgress,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.eviction_answers import (
    ACCEPTED,
    BLOCKED,
    LATER,
    REFUSED,
    EvictionFate,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pod_filters import LEAVE, REMOVE, PodPlan


def planned(*names: str) -> DrainProgress:
    progress = DrainProgress()
    progress.plan([PodPlan("shop", name, f"uid-{name}", REMOVE) for name in names])
    return progress


def listed(name: str, deleted: bool = False, **metadata: t.Any) -> dict[str, dict[str, t.Any]]:
    known = {"deletionTimestamp": "2026-11-21T22:00:00Z"} if deleted else {}
    return {f"uid-{name}": {"metadata": {**known, **metadata}}}


def data(progress: DrainProgress, name: str) -> dict[str, t.Any]:
    return next(pod for pod in progress.as_data() if pod["name"] == name)


def test_a_pod_from_request_to_end() -> None:
    progress = planned("web")
    (pod,) = progress.due(100.0)
    pod.take(EvictionFate(ACCEPTED), 100.0)
    progress.look(listed("web", deleted=True), 101.0)
    assert (data(progress, "web")["fate"], progress.is_over) == ("terminating", False)
    progress.look({}, 104.5)
    assert data(progress, "web") == {
        "namespace": "shop",
        "name": "web",
        "uid": "uid-web",
        "fate": "removed",
        "reason": "",
        "budget": "",
        "tries": 1,
        "seconds": 4.5,
    }
    assert progress.is_over


def test_a_blocked_pod_is_told_with_its_budget() -> None:
    progress = planned("web")
    progress.due(100.0)[0].take(EvictionFate(BLOCKED, "needs 2 healthy pods and has 2 currently", "web", 5.0), 100.0)
    progress.look(listed("web"), 101.0)
    assert progress.sentence == (
        "0 of 1 pods are removed; 1 held back: shop/web by budget shop/web, which needs 2 healthy pods and has 2 "
        "currently"
    )


def held(progress: DrainProgress, now: float) -> None:
    for pod in progress.due(now):
        progress.take(pod, EvictionFate(BLOCKED, "needs 2 healthy pods", "web", 5.0), now)


def names(pods: list[PodProgress]) -> list[str]:
    return [pod.plan.name for pod in pods]


def test_one_of_those_that_a_budget_holds_back_asks_often() -> None:
    progress = planned("a", "b", "c")
    held(progress, 100.0)
    assert names(progress.due(100.9)) == []
    assert names(progress.due(101.0)) == ["a"]
    held(progress, 101.0)
    assert names(progress.due(101.9)) == []
    assert names(progress.due(105.0)) == ["b", "c", "a"]


def test_once_it_is_let_go_the_next_one_asks_at_once_until_one_is_held_back_again() -> None:
    progress = planned("a", "b", "c")
    held(progress, 100.0)
    for name in ("a", "b"):
        (scout,) = progress.due(101.0)
        assert scout.plan.name == name
        progress.take(scout, EvictionFate(ACCEPTED), 101.0)
    assert names(progress.due(101.0)) == ["c"]
    held(progress, 101.0)
    assert names(progress.due(101.9)) == []


def test_each_budget_has_its_scout() -> None:
    progress = planned("a", "b", "c")
    for pod, budget in zip(progress.due(100.0), ("x", "y", "x")):
        progress.take(pod, EvictionFate(BLOCKED, "needs it", budget, 5.0), 100.0)
    assert sorted(names(progress.due(101.0))) == ["a", "b"]


def test_a_successor_of_the_same_name_is_another_pod() -> None:
    progress = planned("web")
    progress.due(0.0)[0].take(EvictionFate(ACCEPTED), 0.0)
    progress.look({"uid-of-the-next": {"metadata": {"name": "web"}}}, 1.0)
    assert data(progress, "web")["fate"] == "removed"


def test_what_was_deleted_before_is_waited_for_and_not_asked_for() -> None:
    progress = planned("web")
    progress.look(listed("web", deleted=True), 0.0)
    assert (progress.due(0.0), progress.is_over) == ([], False)


def test_finalizers_and_stuck_ends_are_told() -> None:
    progress = planned("web", "db")
    both = {**listed("web", True, finalizers=["a/b"]), **listed("db", True, deletionGracePeriodSeconds=30)}
    progress.look(both, 0.0)
    assert "shop/web held by finalizers a/b" in progress.sentence
    assert "shop/db" not in progress.sentence
    progress.look(both, 95.0)
    assert "shop/db terminating for 95 s with a grace period of 30 s" in progress.sentence


def test_refusals_and_delays_are_told_apart() -> None:
    progress = planned("web", "db")
    web, db = progress.due(0.0)
    web.take(EvictionFate(REFUSED, "two budgets"), 0.0)
    db.take(EvictionFate(LATER, "the server limits the rate of requests", again_in=1.0), 0.0)
    assert [pod.plan.name for pod in progress.open] == ["db"]
    assert "1 slow: shop/db the server limits the rate of requests" in progress.sentence


def test_pods_that_stay_do_not_count() -> None:
    progress = planned()
    progress.plan([PodPlan("infra", "dns", "uid-dns", LEAVE, "its DaemonSet would restart it")])
    assert (progress.is_over, progress.sentence) == (True, "0 of 0 pods are removed")
    assert data(progress, "dns")["fate"] == "left"


def test_planning_again_keeps_what_is_known() -> None:
    progress = planned("web")
    progress.due(0.0)[0].take(EvictionFate(ACCEPTED), 0.0)
    progress.plan([PodPlan("shop", "web", "uid-web", REMOVE)])
    assert (data(progress, "web")["fate"], progress.due(99.0)) == ("terminating", [])


def test_of_many_a_few_are_named() -> None:
    progress = planned(*(f"p{number}" for number in range(9)))
    for pod in progress.due(0.0):
        pod.take(EvictionFate(BLOCKED, "is full", "web", 5.0), 0.0)
    assert progress.sentence.endswith("and 6 more")
