# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Laws of URLs and dates from outside, whatever their text."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import parse_retry_after
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url, redact
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

pytest.importorskip("hypothesis")

from hypothesis import given
from hypothesis import strategies as st

CANARY = "kanarienvogel"
NOW = datetime(2026, 11, 21, 22, 0, tzinfo=timezone.utc)
pieces = st.lists(
    st.sampled_from([*"/:?#@[]%\\. ", "http", "https", "://", "host", "127.0.0.1", "::1", "80", "ü", "\n", "a"]),
    max_size=12,
).map("".join)


@given(st.one_of(st.text(max_size=30), pieces, pieces.map(lambda rest: f"http://{rest}")))
def test_a_text_is_a_url_that_means_itself_or_is_refused(text: str) -> None:
    try:
        url = Url.parse(text)
    except InvalidInputError:
        return
    assert Url.parse(url.full) == url
    assert "@" not in url.authority
    assert url.full.isascii()


@given(pieces, pieces)
def test_what_stands_before_an_at_or_after_a_question_mark_is_never_shown(before: str, after: str) -> None:
    assert CANARY not in redact(f"http://{before}{CANARY}@{after}")
    assert CANARY not in redact(f"http://{before}?{CANARY}{after}")
    assert CANARY not in redact(f"{CANARY}{before}")


@given(pieces)
def test_joining_keeps_to_http(location: str) -> None:
    try:
        joined = Url.parse("https://a/b/c?d").join(location)
    except InvalidInputError:
        return
    assert joined.scheme in ("http", "https")


@given(
    st.one_of(
        st.text(max_size=40), st.from_regex(r"[A-Z][a-z]{2}, [0-9]{1,3} [A-Z][a-z]{2} [0-9]{1,5} [0-9:]{5,9} .{0,9}")
    )
)
def test_no_date_breaks_the_reading_of_retry_after(text: str) -> None:
    seconds = parse_retry_after(text, NOW)
    assert seconds is None or seconds >= 0
