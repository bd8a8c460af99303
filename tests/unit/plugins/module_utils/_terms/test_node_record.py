# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    ABORTED,
    CHANGING,
    DONE,
    DRAINED,
    DRAINING,
    FAILED,
    REBOOTING,
    ROLLOUT_ANNOTATION,
    SKIPPED,
    DamagedRecordError,
    NodeRecord,
)

EARLY, LATER = "2026-11-21T22:00:00.000000Z", "2026-11-21T22:00:05.000000Z"


def record(**changes: t.Any) -> NodeRecord:
    return NodeRecord(**{"rollout": "r1", "target": "t1", "phase": DRAINING, "since": EARLY, **changes})


def test_what_was_written_is_read_back() -> None:
    odd = 'ünïcode \u2028 "quoted"'
    written = record(boot_id="b1", found_unschedulable=True, broken=(odd,), times={DRAINING: EARLY}, reason=odd)
    assert NodeRecord.from_text(written.as_text(), on="here") == written


def test_empty_parts_take_no_room() -> None:
    assert set(json.loads(record().as_text())) == {"schemaVersion", "rollout", "target", "phase", "since"}


@pytest.mark.parametrize(
    ("phase", "failed_in", "resumes_in"),
    [
        (DRAINING, "", DRAINING),
        (DRAINED, "", DRAINED),
        (CHANGING, "", CHANGING),
        (REBOOTING, "", REBOOTING),
        (FAILED, REBOOTING, REBOOTING),
        (FAILED, "", DRAINING),
        (DONE, "", ""),
        (SKIPPED, "", ""),
        (ABORTED, "", ""),
    ],
)
def test_where_a_passage_goes_on(phase: str, failed_in: str, resumes_in: str) -> None:
    found = record(phase=phase, failed_in=failed_in)
    assert (found.resumes_in, found.is_under_way) == (resumes_in, bool(resumes_in))


def test_a_failure_keeps_the_phase_it_happened_in_however_often_it_is_written() -> None:
    once = record(phase=REBOOTING, boot_id="b1").advanced(FAILED, LATER, reason="it did not come back")
    twice = once.advanced(FAILED, LATER, reason="still not")
    assert (twice.failed_in, twice.reason, twice.boot_id) == (REBOOTING, "still not", "b1")


def test_going_on_after_a_failure_forgets_its_reason() -> None:
    again = record(phase=FAILED, failed_in=DRAINING, reason="a budget").advanced(DRAINING, LATER)
    assert (again.phase, again.failed_in, again.reason) == (DRAINING, "", "")


def test_a_clock_that_went_back_does_not_turn_the_order_of_records() -> None:
    assert record(since=LATER).advanced(DRAINED, EARLY).since == LATER


def test_a_reason_is_kept_short_enough_for_the_journal() -> None:
    assert len(record().advanced(FAILED, LATER, reason="x" * 100_000).as_text()) < 1000


def test_a_node_without_the_annotation_has_no_record() -> None:
    assert NodeRecord.of({"metadata": {"name": "worker-0"}}) is None


GOOD: dict[str, t.Any] = json.loads(record().as_text())


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "not a JSON object"),
        ("[]", "not a JSON object"),
        ("[" * 100_000, "not a JSON object"),
        (json.dumps({**GOOD, "schemaVersion": 2}), "schemaVersion is '2'"),
        (json.dumps({**GOOD, "schemaVersion": "x" * 5000}), "schemaVersion"),
        (json.dumps({**GOOD, "phase": "lost"}), "phase is 'lost'"),
        (json.dumps({**GOOD, "phase": ["draining"]}), "phase"),
        (json.dumps({**GOOD, "boot_id": {"a": 1}}), "boot_id"),
        (json.dumps({**GOOD, "times": {"draining": 5}}), "times"),
        (json.dumps({**GOOD, "found_unschedulable": "yes"}), "found_unschedulable"),
        (json.dumps({**GOOD, "broken": "DiskPressure"}), "broken"),
        (json.dumps({**GOOD, "broken": [{}]}), "broken"),
        (json.dumps({"schemaVersion": 1, "phase": "draining"}), "since"),
    ],
)
def test_a_damaged_record_is_refused_by_name(text: str, named: str) -> None:
    node = {"metadata": {"name": "worker-0", "annotations": {ROLLOUT_ANNOTATION: text}}}
    with pytest.raises(DamagedRecordError, match="worker-0") as refused:
        NodeRecord.of(node)
    assert named in refused.value.seen
    assert len(refused.value.seen) < 200


def test_fields_of_a_later_release_of_the_same_schema_are_passed_over() -> None:
    assert NodeRecord.from_text(json.dumps({**GOOD, "mood": "good"}), on="here") == record()
