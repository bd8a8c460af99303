# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import ForeignPauseError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_pause import (
    is_paused_by_others,
    pause_patch,
    pause_words,
    restore_patch,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pause_record import (
    PAUSE_ANNOTATION,
    PauseRecord,
)

AT = "2026-11-21T22:00:00.123456Z"
OPENED = PauseRecord(False, AT, "technician", "r1", "change is permitted")
CLOSED = PauseRecord(True, AT, "technician", "r1", "the window has ended")
KILLED = replace(CLOSED, rollout="r0", found="foreign")
BY_HAND = PauseRecord(True, AT, "technician", reason="Saturday only")


def pool(paused: bool = False, record: PauseRecord | None = None, text: str = "", by: str = "") -> dict[str, t.Any]:
    written = text or (record.as_text() if record else "")
    metadata: dict[str, t.Any] = {"name": "worker", "annotations": {PAUSE_ANNOTATION: written} if written else {}}
    if by:
        owned: dict[str, t.Any] = {"f:spec": {"f:paused": {}}}
        metadata["managedFields"] = [{"manager": by, "time": "2026-11-20T08:00:00Z", "fieldsV1": owned}]
    return {"metadata": metadata, "spec": {"paused": paused}}


def test_pause_and_record_are_one_patch_and_read_back() -> None:
    patch = pause_patch(pool(), CLOSED)
    assert patch is not None
    assert patch["spec"] == {"paused": True}
    assert PauseRecord.of({"metadata": patch["metadata"]}) == replace(CLOSED, found="open")


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        pytest.param(pool(paused=True), CLOSED, id="somebody's pause is not made ours"),
        pytest.param(pool(paused=True, record=CLOSED), CLOSED, id="paused by us"),
        pytest.param(pool(), OPENED, id="open"),
    ],
)
def test_what_is_so_already_is_not_written(found: dict[str, t.Any], wanted: PauseRecord) -> None:
    assert pause_patch(found, wanted) is None


@pytest.mark.parametrize(
    ("found", "words"),
    [
        pytest.param(pool(paused=True, by="kubectl-edit"), "kubectl-edit at 2026-11-20", id="an editor"),
        pytest.param(pool(paused=True), "by an unknown user", id="nobody knows"),
        pytest.param(pool(paused=True, record=OPENED, by="oc"), "oc at", id="opened by us, paused by others since"),
        pytest.param(pool(paused=True, text="{", by="oc"), "oc at", id="a damaged record is nobody's"),
        pytest.param(
            pool(paused=True, text='{"schemaVersion":9,"paused":true}', by="oc"), "oc at", id="another release"
        ),
        pytest.param(
            pool(paused=True, text='{"schemaVersion":1,"paused":"yes","at":""}', by="oc"), "oc at", id="types"
        ),
    ],
)
def test_a_foreign_pause_is_opened_only_on_request_and_names_who_set_it(found: dict[str, t.Any], words: str) -> None:
    assert is_paused_by_others(found)
    with pytest.raises(ForeignPauseError, match=words):
        pause_patch(found, OPENED)
    opened = pause_patch(found, OPENED, open_foreign=True)
    assert opened is not None
    assert opened["spec"] == {"paused": False}


def test_our_own_pause_is_opened() -> None:
    assert pause_patch(pool(paused=True, record=CLOSED), OPENED) is not None


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(pool(), "open", id="open, and never touched"),
        pytest.param(pool(paused=True), "foreign", id="paused by others"),
        pytest.param(pool(paused=True, record=BY_HAND), "paused", id="paused by this collection outside any rollout"),
        pytest.param(
            pool(paused=True, record=replace(CLOSED, rollout="r0", found="foreign")), "foreign", id="a killed one"
        ),
        pytest.param(pool(record=CLOSED), "open", id="others have opened it since"),
        pytest.param(pool(paused=True, record=OPENED), "foreign", id="others have paused it since"),
    ],
)
def test_the_first_change_of_a_rollout_keeps_how_it_has_found_the_pool(found: dict[str, t.Any], expected: str) -> None:
    wanted = OPENED if found["spec"]["paused"] else CLOSED
    patch = pause_patch(found, wanted, open_foreign=True)
    assert patch is not None
    written = PauseRecord.of({"metadata": patch["metadata"]})
    assert written
    assert written.found == expected


@pytest.mark.parametrize(
    ("found", "paused", "record"),
    [
        pytest.param(pool(paused=True, record=replace(CLOSED, found="open")), False, "", id="it was open"),
        pytest.param(pool(record=replace(OPENED, found="foreign")), True, "", id="others had paused it"),
        pytest.param(
            pool(record=replace(OPENED, found="paused")),
            True,
            "paused by technician at 2026-11-21T23:00:00Z: it was paused before rollout r1",
            id="this collection had paused it",
        ),
        pytest.param(pool(paused=True, record=OPENED), None, "", id="others have paused it since"),
    ],
)
def test_a_pool_is_left_as_it_was_found(found: dict[str, t.Any], paused: bool | None, record: str) -> None:
    patch = restore_patch(found, "r1", "2026-11-21T23:00:00.000000Z", "technician")
    assert patch is not None
    assert patch.get("spec", {}).get("paused") == paused
    written = PauseRecord.of({"metadata": patch["metadata"]})
    assert (written.words if written else "") == record


@pytest.mark.parametrize("found", [pool(), pool(paused=True), pool(paused=True, record=replace(CLOSED, rollout="r2"))])
def test_what_the_rollout_has_not_written_is_not_given_back(found: dict[str, t.Any]) -> None:
    assert restore_patch(found, "r1", AT, "technician") is None


def test_words_say_who_when_where_and_why() -> None:
    assert pause_words(pool(paused=True, record=CLOSED)) == (
        "paused by technician at 2026-11-21T22:00:00Z in rollout r1: the window has ended"
    )
    assert pause_words(pool()) == ""
