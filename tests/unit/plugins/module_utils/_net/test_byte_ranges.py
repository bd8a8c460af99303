# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is asked for, and which answers are believed."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.byte_ranges import (
    BodyPlan,
    ByteRange,
    ContentRange,
    RangeMismatchError,
    plan_partial,
    plan_whole,
    strong_etag,
    unsatisfied_size,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.headers import Headers


@pytest.mark.parametrize(
    ("wanted", "header"),
    [
        (ByteRange(), None),
        (ByteRange(10), "bytes=10-"),
        (ByteRange(0, 10), "bytes=0-9"),
        (ByteRange(10, 11), "bytes=10-10"),
    ],
)
def test_the_last_byte_is_named_inclusively(wanted: ByteRange, header: str | None) -> None:
    assert wanted.header == header


@pytest.mark.parametrize(
    ("value", "parsed"),
    [("bytes 0-9/10", ContentRange(0, 9, 10)), ("bytes 5-5/*", ContentRange(5, 5, None))],
)
def test_a_content_range_is_read(value: str, parsed: ContentRange) -> None:
    assert ContentRange.parse(value) == parsed


@pytest.mark.parametrize(
    "value",
    [
        *("", "bytes", "bytes */10", "bytes 9-0/10", "bytes 0-10/10", "bytes 0-9/5", "bytes -1-5/10", "items 0-9/10"),
        *("bytes 0-9/10, bytes 0-9/10", "bytes 0-9/10 ", "bytes 0x0-9/10", f"bytes 0-{'9' * 5000}/*"),
    ],
)
def test_a_content_range_without_sense_is_refused(value: str) -> None:
    with pytest.raises(RangeMismatchError):
        ContentRange.parse(value)


@pytest.mark.parametrize(
    ("wanted", "value", "length", "size", "plan"),
    [
        pytest.param(ByteRange(40), "bytes 40-99/100", 60, 100, BodyPlan(0, 60, True, 100), id="rest"),
        pytest.param(ByteRange(40), "bytes 40-99/100", None, None, BodyPlan(0, 60, True, 100), id="size-learned"),
        pytest.param(ByteRange(40, 50), "bytes 40-49/100", 10, None, BodyPlan(0, 10, True, 100), id="section"),
        pytest.param(
            ByteRange(40, 50), "bytes 40-49/*", 10, None, BodyPlan(0, 10, True, None), id="section-of-unknown"
        ),
        pytest.param(ByteRange(40), "bytes 40-99/*", 60, 100, BodyPlan(0, 60, True, 100), id="size-known-here"),
        pytest.param(ByteRange(40), "bytes 40-59/100", 20, 100, BodyPlan(0, 20, True, 100), id="only-a-beginning"),
    ],
)
def test_a_fitting_part_is_taken(
    wanted: ByteRange, value: str, length: int | None, size: int | None, plan: BodyPlan
) -> None:
    assert plan_partial(wanted, Headers([("Content-Range", value)]), length, size) == plan


@pytest.mark.parametrize(
    ("wanted", "value", "length", "size", "seen"),
    [
        pytest.param(ByteRange(), "bytes 0-99/100", 100, 100, "but the whole", id="not-asked-for"),
        pytest.param(ByteRange(40), "", 60, 100, "does not describe", id="no-content-range"),
        pytest.param(ByteRange(40), "bytes 0-99/100", 100, 100, "0-99, but 40-", id="from-the-start"),
        pytest.param(ByteRange(40), "bytes 41-99/100", 59, 100, "41-99, but 40-", id="off-by-one"),
        pytest.param(ByteRange(40, 50), "bytes 40-50/100", 11, None, "40-50, but 40-49", id="one-too-many"),
        pytest.param(ByteRange(40), "bytes 40-99/100", 100, 100, "announces 100 bytes", id="length-contradicts"),
        pytest.param(ByteRange(40), "bytes 40-119/120", 80, 100, "120 bytes instead of 100", id="other-size"),
        pytest.param(ByteRange(40), "bytes 40-99/*", 60, None, "does not report the size", id="no-end-in-observation"),
        pytest.param(ByteRange(40, 200), "bytes 40-99/100", 60, None, "only 100 bytes", id="entity-too-short"),
    ],
)
def test_another_part_is_refused(
    wanted: ByteRange, value: str, length: int | None, size: int | None, seen: str
) -> None:
    with pytest.raises(RangeMismatchError, match=seen):
        plan_partial(wanted, Headers([("Content-Range", value)]), length, size)


@pytest.mark.parametrize(
    ("wanted", "length", "size", "plan"),
    [
        pytest.param(ByteRange(), 100, 100, BodyPlan(0, 100, True, 100), id="whole"),
        pytest.param(ByteRange(), None, None, BodyPlan(0, None, True, None), id="whole-of-unknown-size"),
        pytest.param(ByteRange(), None, 100, BodyPlan(0, 100, True, 100), id="chunked-of-known-size"),
        pytest.param(ByteRange(40), 100, None, BodyPlan(40, 60, True, 100), id="range-ignored"),
        pytest.param(ByteRange(40, 50), 100, None, BodyPlan(40, 10, False, 100), id="section-ignored"),
        pytest.param(ByteRange(40, 100), 100, None, BodyPlan(40, 60, True, 100), id="last-section-ignored"),
        pytest.param(ByteRange(100), 100, None, BodyPlan(100, 0, True, 100), id="nothing-left"),
    ],
)
def test_a_whole_is_cut_to_what_was_wanted(
    wanted: ByteRange, length: int | None, size: int | None, plan: BodyPlan
) -> None:
    assert plan_whole(wanted, length, size) == plan


@pytest.mark.parametrize(
    ("wanted", "length", "size", "seen"),
    [
        pytest.param(ByteRange(), 90, 100, "90 bytes instead of 100", id="shorter-than-known"),
        pytest.param(ByteRange(), 110, 100, "110 bytes instead of 100", id="longer-than-known"),
        pytest.param(ByteRange(40), 30, None, "only 30 bytes", id="ends-before-the-offset"),
        pytest.param(ByteRange(0, 50), 30, None, "only 30 bytes", id="ends-before-the-stop"),
    ],
)
def test_a_whole_that_does_not_fit_is_refused(
    wanted: ByteRange, length: int | None, size: int | None, seen: str
) -> None:
    with pytest.raises(RangeMismatchError, match=seen):
        plan_whole(wanted, length, size)


@pytest.mark.parametrize(("value", "size"), [("bytes */70", 70), ("bytes 0-9/70", None), ("", None)])
def test_an_unsatisfied_range_tells_the_size(value: str, size: int | None) -> None:
    assert unsatisfied_size(Headers([("Content-Range", value)])) == size


@pytest.mark.parametrize(
    ("value", "etag"), [('"abc"', '"abc"'), ('""', '""'), ('W/"abc"', None), ("abc", None), ('"a"b"', None), ("", None)]
)
def test_only_a_strong_etag_counts(value: str, etag: str | None) -> None:
    assert strong_etag(Headers([("ETag", value)])) == etag
