# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Output kept within a bound."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._host.capture import BoundedOutput

CHUNKS = st.lists(st.binary(max_size=30), max_size=12)


def captured(limit: int, *chunks: bytes) -> BoundedOutput:
    output = BoundedOutput(limit)
    for chunk in chunks:
        output.add(chunk)
    return output


def test_short_output_is_kept_whole() -> None:
    assert captured(10, b"hello ", b"you").text() == "hello you"


def test_long_output_keeps_both_ends_and_says_what_is_missing() -> None:
    output = captured(6, b"abcdef", b"ghij")
    assert (output.text(), output.cut) == ("abc\n[4 bytes cut]\nhij", 4)


def test_undecodable_bytes_do_no_harm() -> None:
    assert captured(10, b"\xff\xfeok").text() == "\ufffd\ufffdok"


def test_an_endless_stream_does_not_grow() -> None:
    output = captured(100, *[b"x" * 1000] * 1000)
    assert output.cut == 999_900
    assert len(output.text()) < 150


@given(st.integers(0, 40), CHUNKS)
def test_how_it_is_chunked_makes_no_difference(limit: int, chunks: list[bytes]) -> None:
    assert captured(limit, *chunks).text() == captured(limit, b"".join(chunks)).text()


@given(st.integers(0, 40), CHUNKS)
def test_every_byte_is_kept_or_counted(limit: int, chunks: list[bytes]) -> None:
    total = len(b"".join(chunks))
    assert captured(limit, *chunks).cut == max(0, total - limit)
