# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t
from datetime import datetime, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import Hand
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.journal_entries import Journal
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_entries import (
    baseline_entries,
    observed_entries,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import (
    PoolProgress,
    pool_progress,
    progress_of_pools,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.rollout_report import unproved
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    DONE,
    DRAINING,
    FAILED,
    REBOOTING,
    NodeRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pause_record import REQUIRED_LABEL

PREFIX = "machineconfiguration.openshift.io/"
AT, LATER = "2026-11-21T22:00:00.000000Z", "2026-11-21T22:07:00.000000Z"
HAND = Hand(Claim("r1", "t1", "job 7"), LATER, "technician")


def node(
    name: str, current: str = "old", desired: str = "", state: str = "Done", reason: str = "", image: str = ""
) -> NodeState:
    images = {f"{PREFIX}currentImage": image, f"{PREFIX}desiredImage": image} if image else {}
    notes = {f"{PREFIX}currentConfig": current, f"{PREFIX}desiredConfig": desired or current}
    notes.update({f"{PREFIX}state": state, f"{PREFIX}reason": reason})
    return NodeState.of({"metadata": {"name": name, "annotations": {**notes, **images}}})


def pool(
    name: str = "worker", *, paused: bool = False, degraded_at: str = "", required: bool = False
) -> dict[str, t.Any]:
    status = "True" if degraded_at else "False"
    condition = {"type": "NodeDegraded", "status": status, "lastTransitionTime": degraded_at or AT}
    return {
        "metadata": {"name": name, "labels": {REQUIRED_LABEL: ""} if required else {}},
        "spec": {"configuration": {"name": "new"}, "paused": paused},
        "status": {"conditions": [condition]},
    }


DONE_0, BEHIND_1 = node("w0", "new"), node("w1")
MOVING_2, BROKEN_3 = node("w2", "old", "new", "Working"), node("w3", "old", "new", "Degraded", "no space")


@pytest.mark.parametrize(
    ("members", "paused", "standing", "sentence"),
    [
        ([DONE_0], False, "updated", "pool worker: 1 of 1 nodes have new"),
        ([BEHIND_1], True, "pending", "pool worker: 0 of 1 nodes have new, 1 waits while the pool is paused by"),
        ([DONE_0, BEHIND_1], True, "half_updated", "1 of 2 nodes have new, 1 waits while"),
        ([DONE_0, BEHIND_1, MOVING_2], False, "rolling", "1 of 3 nodes have new, w2 is in progress, 1 waits"),
        ([DONE_0, BROKEN_3], False, "degraded", "1 of 2 nodes have new, w3 is degraded: no space"),
    ],
)
def test_where_a_pool_stands(members: list[NodeState], paused: bool, standing: str, sentence: str) -> None:
    progress = pool_progress(pool(paused=paused), members)
    assert progress.standing == standing
    assert sentence in progress.sentence


BUILT = "registry.site.example/os@sha256:" + 64 * "a"


@pytest.mark.parametrize(
    ("has", "wanted", "is_updated"),
    [
        pytest.param(BUILT, BUILT, True, id="the image that was built"),
        pytest.param("", BUILT, False, id="the configuration, and no image yet"),
        pytest.param(BUILT.replace("a", "b"), BUILT, False, id="the image of an earlier build"),
        pytest.param(BUILT, "", False, id="an image, and the pool has left image mode"),
    ],
)
def test_in_image_mode_a_node_is_updated_with_the_image_of_its_pool(has: str, wanted: str, is_updated: bool) -> None:
    progress = pool_progress(pool(), [node("w0", "new", image=has)], wanted)
    assert (progress.is_updated, list(progress.waiting)) == (is_updated, [] if is_updated else ["w0"])
    assert progress.as_data()["image"] == wanted


def test_the_sentence_names_the_image_shortly() -> None:
    assert (
        "1 of 1 nodes have new and image sha256:aaaaaaaaaaaa"
        in pool_progress(pool(), [node("w0", "new", image=BUILT)], BUILT).sentence
    )


def test_a_degraded_node_is_not_waited_for_when_a_pool_is_to_come_to_rest() -> None:
    assert pool_progress(pool(), [BROKEN_3]).is_at_rest
    assert not pool_progress(pool(), [MOVING_2, BROKEN_3]).is_at_rest


@pytest.mark.parametrize(
    ("members", "degraded_at", "seconds"),
    [([BROKEN_3], "2026-11-21T22:00:00Z", 60.0), ([BROKEN_3], "", 0.0), ([DONE_0], "2026-11-21T22:00:00Z", 0.0)],
)
def test_since_when_it_is_degraded(members: list[NodeState], degraded_at: str, seconds: float) -> None:
    now = datetime(2026, 11, 21, 22, 1, tzinfo=timezone.utc)
    assert pool_progress(pool(degraded_at=degraded_at), members).degraded_for(now) == seconds


def test_required_pools_come_first() -> None:
    pools = [pool("infra"), pool("worker"), pool("master", required=True)]
    found = progress_of_pools(pools, [("worker", DONE_0), ("master", BEHIND_1)], {})
    assert [(one.name, one.size) for one in found] == [("master", 1), ("infra", 0), ("worker", 1)]


def progress(*members: NodeState) -> PoolProgress:
    return pool_progress(pool(), members)


def entry(phase: str, **more: t.Any) -> NodeRecord:
    return NodeRecord(phase=phase, since=AT, rollout="r1", times={DRAINING: AT}, **more)


@pytest.mark.parametrize(
    ("seen", "known", "due"),
    [
        pytest.param(progress(MOVING_2), {}, {"w2": DRAINING}, id="the operator has begun it"),
        pytest.param(progress(MOVING_2), {"w2": entry(DRAINING)}, {}, id="known to be begun"),
        pytest.param(progress(MOVING_2), {"w2": entry(DONE)}, {"w2": DRAINING}, id="once more"),
        pytest.param(progress(MOVING_2), {"w2": entry(FAILED)}, {"w2": DRAINING}, id="it goes on after a failure"),
        pytest.param(progress(BROKEN_3), {"w3": entry(DRAINING)}, {"w3": FAILED}, id="it failed"),
        pytest.param(progress(BROKEN_3), {"w3": entry(FAILED, reason="no space")}, {}, id="known to have failed"),
        pytest.param(progress(DONE_0), {"w0": entry(DRAINING)}, {"w0": DONE}, id="it is done"),
        pytest.param(progress(DONE_0), {}, {}, id="it was done before anybody looked"),
        pytest.param(progress(BEHIND_1), {}, {}, id="it waits"),
    ],
)
def test_the_journal_learns_what_the_operator_does(
    seen: PoolProgress, known: dict[str, NodeRecord], due: dict[str, str]
) -> None:
    found = observed_entries(seen, known, set(), HAND)
    assert {name: record.phase for name, record in found.items()} == due


@pytest.mark.parametrize(
    ("known", "lacks", "due"),
    [
        pytest.param({"w0": entry(DRAINING)}, "its pods are not ready", {"w0": REBOOTING}, id="updated, and not back"),
        pytest.param({"w0": entry(REBOOTING)}, "its pods are not ready", {}, id="known not to be back"),
        pytest.param({}, "its pods are not ready", {"w0": REBOOTING}, id="updated before anybody looked, not back"),
        pytest.param({"w0": entry(REBOOTING)}, "", {"w0": DONE}, id="back"),
        pytest.param({}, "", {"w0": DONE}, id="updated and back before anybody looked"),
        pytest.param({"w0": entry(DONE)}, "", {}, id="known to be back"),
        pytest.param({"w0": entry(DONE)}, "its pods are not ready", {}, id="proved once"),
    ],
)
def test_a_node_is_done_once_it_is_proved_to_be_back(
    known: dict[str, NodeRecord], lacks: str, due: dict[str, str]
) -> None:
    found = observed_entries(progress(DONE_0), known, set(), HAND, {"w0": lacks})
    assert {name: record.phase for name, record in found.items()} == due


@pytest.mark.parametrize(
    ("entries", "names"),
    [
        pytest.param({}, ["w0"], id="the operator was through before anything looked"),
        pytest.param({"w0": entry(DRAINING)}, ["w0"], id="the run that looked was killed"),
        pytest.param({"w0": entry(DONE)}, [], id="proved"),
    ],
)
def test_which_updated_nodes_are_yet_to_be_proved(entries: dict[str, NodeRecord], names: list[str]) -> None:
    assert unproved(progress(DONE_0, BEHIND_1), Journal("r1", "t1", entries=entries)) == names


def test_of_a_node_that_was_updated_before_anybody_looked_no_time_is_known() -> None:
    done = observed_entries(progress(DONE_0), {}, set(), HAND, {"w0": ""})["w0"]
    assert done.seconds is None


@pytest.mark.parametrize("member", [MOVING_2, BROKEN_3])
def test_what_was_broken_when_the_operator_began_is_kept_to_the_end(member: NodeState) -> None:
    begun = observed_entries(progress(member), {}, set(), HAND, broken={member.name: ("DiskPressure",)})
    done = observed_entries(progress(node(member.name, "new")), begun, set(), HAND)[member.name]
    assert (done.phase, done.broken) == (DONE, ("DiskPressure",))


def test_a_node_of_the_operator_has_its_times_and_who_watched() -> None:
    done = observed_entries(progress(DONE_0), {"w0": entry(DRAINING)}, set(), HAND)["w0"]
    assert (done.times, done.by, done.holder) == ({DRAINING: AT, DONE: LATER}, "technician", "job 7")


def test_nodes_with_a_record_of_their_own_are_left_to_their_steps() -> None:
    assert observed_entries(progress(MOVING_2, BROKEN_3), {}, {"w2", "w3"}, HAND) == {}


@pytest.mark.parametrize("seen", [progress(MOVING_2), progress(node("w2", "new"))], ids=["in flight", "updated unseen"])
def test_what_was_broken_while_a_node_waited_is_known_when_the_operator_took_it_unseen(seen: PoolProgress) -> None:
    waiting = baseline_entries(progress(node("w2", "old")), {}, HAND, {"w2": ("DiskPressure",)})
    assert (waiting["w2"].phase, waiting["w2"].is_under_way) == ("waiting", False)
    due = observed_entries(seen, waiting, set(), HAND, {"w2": ""}, broken={"w2": ("MemoryPressure",)})
    assert (due["w2"].broken, due["w2"].times["waiting"]) == (("DiskPressure",), LATER)


def test_a_baseline_is_recorded_once_and_not_of_nodes_in_flight() -> None:
    found = baseline_entries(progress(MOVING_2, node("w1", "old")), {"w1": entry("done")}, HAND, {})
    assert found == {}
