# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import (
    ForeignCordonError,
    NodeBusyError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import (
    CordonChange,
    Hand,
    cordon,
    uncordon,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    ABORTED,
    CHANGING,
    DONE,
    DRAINED,
    DRAINING,
    FAILED,
    REBOOTING,
    ROLLOUT_ANNOTATION,
    NodeRecord,
)

EARLY, NOW = "2026-11-21T22:00:00.000000Z", "2026-11-21T22:05:00.000000Z"
OURS = Hand(Claim("r1", "t1", "me"), NOW)
ALONE = Hand(None, NOW)
Node = dict[str, t.Any]


def record(phase: str = DRAINING, rollout: str = "r1", **changes: t.Any) -> NodeRecord:
    return NodeRecord(**{"rollout": rollout, "target": "t1", "phase": phase, "since": EARLY, **changes})


def node(noted: NodeRecord | None = None, cordoned: bool = False) -> Node:
    notes = {ROLLOUT_ANNOTATION: noted.as_text()} if noted else {}
    fields: Node = {"f:spec": {"f:unschedulable": {}}}
    managed = [{"manager": "kubectl-cordon", "time": "2026-11-20T08:00:00Z", "fieldsV1": fields}] if cordoned else []
    metadata = {"name": "worker-0", "annotations": notes, "managedFields": managed}
    return {"metadata": metadata, "spec": {"unschedulable": True} if cordoned else {}}


def change_of(found: Node, hand: Hand, keep: bool = True) -> CordonChange:
    change = cordon(found, hand, keep_foreign=keep)
    assert change
    assert change.record
    return change


def test_a_single_node_gets_the_record_alone() -> None:
    change = cordon(node(), OURS, keep_foreign=False, leave_schedulable=True)
    assert change
    assert (change.record and change.record.phase, "spec" in change.patch) == (DRAINING, False)
    assert cordon(node(change.record), OURS, keep_foreign=False, leave_schedulable=True) is None
    back = uncordon(node(change.record), OURS, DONE)
    assert back
    assert (back.record and back.record.phase, "spec" in back.patch) == (DONE, False)


def test_a_free_node_is_cordoned_with_the_record_in_the_same_patch() -> None:
    patch = change_of(node(), OURS).patch
    assert patch["spec"] == {"unschedulable": True}
    assert NodeRecord.from_text(patch["metadata"]["annotations"][ROLLOUT_ANNOTATION], on="patch").rollout == "r1"


@pytest.mark.parametrize("hand", [OURS, ALONE], ids=["in a rollout", "outside any"])
def test_what_was_begun_is_not_begun_again(hand: Hand) -> None:
    begun = node(record(rollout=hand.claim.id if hand.claim else ""), cordoned=True)
    assert cordon(begun, hand, keep_foreign=False) is None


@pytest.mark.parametrize("phase", [DRAINED, CHANGING, REBOOTING, FAILED])
def test_a_later_phase_goes_back_to_draining_and_keeps_what_is_known(phase: str) -> None:
    change = change_of(node(record(phase, boot_id="b1", found_unschedulable=True), cordoned=True), OURS)
    assert change.unschedulable is None
    assert change.record
    assert (change.record.phase, change.record.boot_id, change.record.found_unschedulable) == (DRAINING, "b1", True)


def test_what_was_broken_is_kept_when_a_node_is_begun_and_not_judged_again() -> None:
    begun = cordon(node(), OURS, keep_foreign=True, broken=("DiskPressure",))
    assert begun
    assert begun.record
    again = cordon(node(begun.record.advanced(FAILED, NOW), cordoned=True), OURS, keep_foreign=True, broken=())
    assert again
    assert again.record
    assert (begun.record.broken, again.record.broken) == (("DiskPressure",), ("DiskPressure",))


def test_our_cordon_that_somebody_took_away_is_set_again() -> None:
    assert change_of(node(record()), OURS).unschedulable is True


def test_a_foreign_cordon_is_refused_with_the_name_of_who_set_it() -> None:
    with pytest.raises(ForeignCordonError, match="kubectl-cordon at 2026-11-20T08:00:00Z"):
        cordon(node(cordoned=True), OURS, keep_foreign=False)


def test_a_foreign_cordon_is_remembered_where_it_is_kept() -> None:
    change = change_of(node(cordoned=True), OURS)
    assert change.unschedulable is None
    assert change.record
    assert change.record.found_unschedulable


@pytest.mark.parametrize("phase", [DONE, ABORTED])
def test_an_ended_record_is_nobodys_claim_to_a_cordon(phase: str) -> None:
    with pytest.raises(ForeignCordonError):
        cordon(node(record(phase), cordoned=True), OURS, keep_foreign=False)


@pytest.mark.parametrize("hand", [OURS, ALONE], ids=["another rollout", "outside any"])
@pytest.mark.parametrize("work", [lambda n, h: cordon(n, h, keep_foreign=True), lambda n, h: uncordon(n, h, DONE)])
def test_a_node_on_its_way_in_another_rollout_is_left_alone(hand: Hand, work: t.Any) -> None:
    with pytest.raises(NodeBusyError, match="in rollout r9, phase draining"):
        work(node(record(rollout="r9"), cordoned=True), hand)


@pytest.mark.parametrize("outcome", [DONE, ABORTED])
def test_our_cordon_and_the_phase_go_in_one_patch(outcome: str) -> None:
    change = uncordon(node(record(REBOOTING), cordoned=True), OURS, outcome)
    assert change
    assert change.record
    assert (change.record.phase, change.patch["spec"]) == (outcome, {"unschedulable": None})


def test_without_a_rollout_nothing_is_left_on_the_node() -> None:
    change = uncordon(node(record(rollout=""), cordoned=True), ALONE, DONE)
    assert change
    assert change.patch["metadata"]["annotations"] == {ROLLOUT_ANNOTATION: None}


def test_a_cordon_that_was_there_before_stays() -> None:
    change = uncordon(node(record(found_unschedulable=True), cordoned=True), OURS, DONE)
    assert change
    assert "spec" not in change.patch


@pytest.mark.parametrize("noted", [None, record(DONE)], ids=["never ours", "not ours any more"])
def test_a_foreign_cordon_is_never_removed(noted: NodeRecord | None) -> None:
    with pytest.raises(ForeignCordonError):
        uncordon(node(noted, cordoned=True), OURS, DONE)


@pytest.mark.parametrize("noted", [None, record(DONE)], ids=["never ours", "given back"])
def test_what_is_free_stays_free(noted: NodeRecord | None) -> None:
    assert uncordon(node(noted), OURS, DONE) is None


@pytest.mark.parametrize(("hand", "named"), [(OURS, ("t1", "me")), (ALONE, ("", ""))], ids=["in a rollout", "alone"])
def test_a_record_names_what_it_is_for_and_who_began_it(hand: Hand, named: tuple[str, str]) -> None:
    begun = change_of(node(), hand).record
    assert begun
    assert (begun.target, begun.holder) == named


@pytest.mark.parametrize(("holder", "named"), [("job 7", "by job 7"), ("", "by unknown")])
def test_a_busy_node_names_who_is_at_work(holder: str, named: str) -> None:
    with pytest.raises(NodeBusyError) as told:
        cordon(node(record(rollout="r2", holder=holder)), OURS, keep_foreign=True)
    assert told.value.seen.endswith(named)


@pytest.mark.parametrize(("outcome", "reason"), [(DONE, ""), (ABORTED, "its drain failed")])
def test_the_reason_of_an_end_that_was_none_is_kept(outcome: str, reason: str) -> None:
    back = uncordon(node(record(reason="its drain failed"), cordoned=True), OURS, outcome)
    assert back
    assert back.record
    assert back.record.reason == reason
