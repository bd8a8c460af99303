# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import ForeignPauseError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_pause import (
    PAUSE_ANNOTATION,
    PauseRecord,
    is_left_open,
    is_paused_by_others,
    pause_patch,
    pause_words,
)

AT = "2026-11-21T22:00:00.123456Z"
OPENED = PauseRecord(False, AT, "technician", "r1", "change is permitted")
CLOSED = PauseRecord(True, AT, "technician", "r1", "the window has ended")


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
    assert PauseRecord.of({"metadata": patch["metadata"]}) == CLOSED


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
        pytest.param(pool(paused=True), "not known by whom", id="nobody knows"),
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
    ("found", "left"),
    [
        pytest.param(pool(record=OPENED), True, id="opened by this rollout"),
        pytest.param(pool(record=PauseRecord(False, AT, rollout="r2")), False, id="by another"),
        pytest.param(pool(paused=True, record=OPENED), False, id="somebody has paused it since"),
        pytest.param(pool(), False, id="open all the time"),
    ],
)
def test_whether_a_rollout_has_left_a_pool_open(found: dict[str, t.Any], left: bool) -> None:
    assert is_left_open(found, "r1") is left


def test_words_say_who_when_where_and_why() -> None:
    assert pause_words(pool(paused=True, record=CLOSED)) == (
        "paused by technician at 2026-11-21T22:00:00Z in rollout r1: the window has ended"
    )
    assert pause_words(pool()) == ""
