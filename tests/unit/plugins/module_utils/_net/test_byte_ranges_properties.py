# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Laws of the range arithmetic, whatever the numbers."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.byte_ranges import (
    ByteRange,
    ContentRange,
    RangeMismatchError,
    plan_partial,
    plan_whole,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.headers import Headers

pytest.importorskip("hypothesis")

from hypothesis import given
from hypothesis import strategies as st

offsets = st.integers(0, 10**15)


@st.composite
def wanted_in_entity(draw: st.DrawFn) -> tuple[ByteRange, int]:
    """A range that lies in an entity, and the size of the entity."""
    size = draw(st.integers(1, 10**15))
    first = draw(st.integers(0, size - 1))
    stop = draw(st.one_of(st.none(), st.integers(first + 1, size)))
    return ByteRange(first, stop), size


@given(offsets, offsets, st.one_of(st.none(), offsets))
def test_a_content_range_survives_writing_and_reading(first: int, last: int, complete: int | None) -> None:
    text = f"bytes {first}-{last}/{'*' if complete is None else complete}"
    if first <= last and (complete is None or last < complete):
        assert ContentRange.parse(text) == ContentRange(first, last, complete)
    else:
        with pytest.raises(RangeMismatchError):
            ContentRange.parse(text)


@given(wanted_in_entity(), st.booleans())
def test_an_exact_answer_gives_exactly_the_wanted_bytes(wanted_size: tuple[ByteRange, int], known: bool) -> None:
    wanted, size = wanted_size
    end = size if wanted.stop is None else wanted.stop
    whole = plan_whole(wanted, size, size if known else None)
    assert (whole.skip, whole.skip + (whole.take or 0), whole.exhausts) == (wanted.first, end, end == size)
    if wanted.header is not None:
        headers = Headers([("Content-Range", f"bytes {wanted.first}-{end - 1}/{size}")])
        part = plan_partial(wanted, headers, end - wanted.first, size if known else None)
        assert (part.skip, part.take, part.complete) == (0, end - wanted.first, size)


@given(wanted_in_entity(), st.integers(-5, 5), st.integers(-5, 5))
def test_a_part_is_taken_only_if_it_begins_right_and_lies_within(
    wanted_size: tuple[ByteRange, int], shift: int, stretch: int
) -> None:
    wanted, size = wanted_size
    end = size if wanted.stop is None else wanted.stop
    first, last = wanted.first + shift, end - 1 + stretch
    headers = Headers([("Content-Range", f"bytes {first}-{last}/{size}")])
    acceptable = wanted.header is not None and shift == 0 and stretch <= 0 and first <= last
    if acceptable:
        assert plan_partial(wanted, headers, None, size).take == last - first + 1
    else:
        with pytest.raises(RangeMismatchError):
            plan_partial(wanted, headers, None, size)


@given(st.text(max_size=40))
def test_no_text_breaks_the_parser(text: str) -> None:
    try:
        part = ContentRange.parse(text)
    except RangeMismatchError:
        return
    assert 0 <= part.first <= part.last
