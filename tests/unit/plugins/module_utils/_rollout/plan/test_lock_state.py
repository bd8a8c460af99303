# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t
from datetime import datetime, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.lock_state import (
    LockState,
    released,
    taken,
)

NOW = "2026-11-21T22:00:00.000000Z"
OWNED: dict[str, t.Any] = {"f:spec": {"f:renewTime": {}}}
STAMPED = [{"manager": "us", "time": "2026-11-21T22:05:05Z", "fieldsV1": OWNED}]


def at(minutes: int) -> datetime:
    """Return an instant on the server, which stamped the renewal at five minutes."""
    return datetime(2026, 11, 21, 22, minutes, 5, tzinfo=timezone.utc)


def lease(**spec: t.Any) -> dict[str, t.Any]:
    known = {"holderIdentity": "job 7", "acquireTime": NOW, "renewTime": NOW, "leaseDurationSeconds": 900, **spec}
    return {"metadata": {"name": "rollout", "resourceVersion": "5", "managedFields": STAMPED}, "spec": known}


def test_without_a_lease_nobody_holds_the_lock() -> None:
    state = LockState.of(None)
    assert (state.exists, state.holder, state.expires, state.as_data()["since"]) == (False, "", "", "")


def test_who_holds_it_since_when_and_until_when() -> None:
    state = LockState.of(lease())
    assert state.words == "job 7 has held it since 2026-11-21T22:00:00Z, last renewed at 2026-11-21T22:00:00Z"
    assert state.expires == "2026-11-21T22:20:05.000000Z", "by the server's clock, not by the holder's"


@pytest.mark.parametrize("fields", [[], [{"manager": "us", "fieldsV1": OWNED}], [{**STAMPED[0], "time": "soon"}]])
def test_a_renewal_at_no_known_time_does_not_expire_by_any_clock(fields: list[dict[str, t.Any]]) -> None:
    found = lease()
    found["metadata"]["managedFields"] = fields
    assert (LockState.of(found).expires, LockState.of(found).unrenewed_for(at(9))) == ("", 0)


@pytest.mark.parametrize(
    ("now", "seconds"),
    [
        pytest.param(None, 0, id="a server that does not say"),
        pytest.param(5, 0, id="just renewed"),
        pytest.param(20, 900, id="at its end"),
        pytest.param(4, -60, id="another server whose clock is behind"),
    ],
)
def test_its_age_goes_by_the_server(now: int | None, seconds: int) -> None:
    assert LockState.of(lease()).unrenewed_for(at(now) if now else None) == seconds


def test_a_write_of_anything_else_is_no_renewal() -> None:
    found = lease()
    other = {"manager": "them", "time": "2026-11-21T23:00:00Z", "fieldsV1": {"f:metadata": {"f:annotations": {}}}}
    found["metadata"]["managedFields"] = [*STAMPED, other]
    assert LockState.of(found).stamped == STAMPED[0]["time"]


def test_a_first_lease_begins_the_count_of_transitions() -> None:
    body = taken(LockState(), "job 8", "me", {"pid": 5}, NOW)
    assert (body["spec"]["leaseTransitions"], body["spec"]["holderIdentity"]) == (0, "job 8")
    assert None not in body["metadata"]["annotations"].values(), "a create has nothing to take away"


def test_taking_over_counts_and_takes_away_what_was_said_of_the_last_holder() -> None:
    body = taken(LockState.of(lease(leaseTransitions=3)), "job 8", "me", {}, NOW)
    assert body["spec"]["leaseTransitions"] == 4
    assert body["metadata"]["annotations"]["fieldops-openshift/holder-process"] is None


def test_a_released_lock_keeps_its_history() -> None:
    assert released() == {
        "metadata": {"annotations": {"fieldops-openshift/holder-process": None}},
        "spec": {"holderIdentity": None},
    }


def test_who_broke_the_lock_and_why_is_kept_in_a_lasting_order() -> None:
    notes = released({"reason": "it is dead", "by": "me"})["metadata"]["annotations"]
    assert notes["fieldops-openshift/broken"] == '{"by": "me", "reason": "it is dead"}'
    notes = taken(LockState(), "job 8", "me", {"pid": 5, "boot": "b"}, NOW)["metadata"]["annotations"]
    assert notes["fieldops-openshift/holder-process"] == '{"boot": "b", "pid": 5}'


def test_the_lock_as_results_show_it() -> None:
    held = {"holder": "job 7", "by": "", "since": NOW, "renewed": NOW, "expires": "2026-11-21T22:20:05.000000Z"}
    assert LockState.of(lease(leaseTransitions=3)).as_data() == {**held, "transitions": 3}
    free = dict.fromkeys(held, "")
    assert LockState.of(lease(holderIdentity=None)).as_data() == {**free, "transitions": 0}
    assert LockState.of(None).as_data() == {**free, "transitions": 0}


@pytest.mark.parametrize(("named", "seconds"), [(None, 900), (0, 900), (60, 60)])
def test_a_lease_that_names_no_duration_lasts_as_ours_do(named: int | None, seconds: int) -> None:
    assert LockState.of(lease(leaseDurationSeconds=named)).duration == seconds
    assert taken(LockState(), "job 8", "me", {}, NOW)["spec"]["leaseDurationSeconds"] == 900


@pytest.mark.parametrize(("renewed", "words"), [("", "an unknown time"), ("soon", "soon")])
def test_a_time_that_is_none_is_told_as_it_is(renewed: str, words: str) -> None:
    assert LockState.of(lease(renewTime=renewed)).words.endswith(f"last renewed at {words}")


@pytest.mark.parametrize(("text", "process"), [('{"pid": 5}', {"pid": 5}), ("[5]", {}), ("{", {}), ("", {})])
def test_a_process_that_cannot_be_read_is_not_known(text: str, process: dict[str, int]) -> None:
    found = lease()
    found["metadata"]["annotations"] = {"fieldops-openshift/holder-process": text}
    assert LockState.of(found).process == process
