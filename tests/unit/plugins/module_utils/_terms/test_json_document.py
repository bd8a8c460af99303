# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import json
import re
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    FieldOpsError,
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.json_document import DEEPEST, Document

HEX = "a" * 64


def nested(depth: int) -> bytes:
    return b'{"a":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"


@pytest.mark.parametrize(
    ("content", "seen"),
    [
        pytest.param(b"", "it is not JSON", id="empty"),
        pytest.param(b"{", "it is not JSON", id="cut off"),
        pytest.param(b"[]", "a list is not a mapping", id="no mapping"),
        pytest.param(b'{"a":1,"a":1}', "the key 'a' is given twice", id="duplicate key"),
        pytest.param(b'{"a":{"b":[{"c":1,"d":2,"c":3}]}}', "the key 'c' is given twice", id="duplicate key below"),
        pytest.param(b'{"a":1,"\\u0061":2}', "the key 'a' is given twice", id="duplicate key, written in another way"),
        pytest.param(b'{"a":NaN}', "NaN is not a number", id="NaN"),
        pytest.param(b'{"a":-Infinity}', "-Infinity is not a number", id="infinity"),
        pytest.param(b'{"a":1e400}', "the number 1e400 is too large", id="infinite in the end"),
        pytest.param(b'{"a":' + b"9" * 5000 + b"}", "a number has 5000 digits", id="endless number"),
        pytest.param('{"a":1}'.encode("utf-16"), "it is not JSON", id="UTF-16"),
        pytest.param(b'\xef\xbb\xbf{"a":1}', "it is not JSON", id="byte order mark"),
        pytest.param(b'{"a":"\xff"}', "it is not JSON", id="no UTF-8"),
        pytest.param(nested(DEEPEST + 1), f"nested more than {DEEPEST} deep", id="deep"),
        pytest.param(nested(100_000), "it is not JSON", id="deeper than the interpreter goes"),
        pytest.param(b'{"a":[' + b"[]," * 200_000 + b"1]}", "more than 200000 values", id="many empty lists"),
        pytest.param(b'{"a":[' + b"1," * 200_000 + b"1]}", "more than 200000 values", id="many numbers"),
    ],
)
def test_what_is_read_differently_or_without_bounds_is_refused(content: bytes, seen: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        Document.parse(content, on="the manifest")
    assert seen in refused.value.seen
    assert refused.value.on == "the manifest"


def test_what_is_allowed_goes_up_to_the_bounds() -> None:
    assert Document.parse(nested(DEEPEST), on="x").value
    assert Document.parse(b'{"a":[1,2,3]}', on="x", most_values=5).value == {"a": [1, 2, 3]}
    with pytest.raises(InvalidInputError, match="more than 4 values"):
        Document.parse(b'{"a":[1,2,3]}', on="x", most_values=4)


READS: dict[str, tuple[t.Callable[[Document], object], object, object]] = {
    "text": (lambda one: one["a"].text(), "x", "x"),
    "text by key": (lambda one: one.text(key="a"), "x", "x"),
    "text by default": (lambda one: one.text("y", key="b"), "x", "y"),
    "texts": (lambda one: one.texts("a"), {"k": "v"}, {"k": "v"}),
    "texts of nothing": (lambda one: one.texts("b"), 1, {}),
    "number": (lambda one: one["a"].number(5), 5, 5),
    "one of": (lambda one: one["a"].one_of(("x", "y")), "y", "y"),
    "matching": (lambda one: one["a"].matching(re.compile("x+"), "an x"), "xx", "xx"),
    "digest": (lambda one: one["a"].digest().hex, f"sha256:{HEX}", HEX),
    "digests": (lambda one: [entry.hex for entry in one["a"].digests()], [f"sha256:{HEX}"], [HEX]),
    "image": (lambda one: str(one["a"].pinned_image()), f"q.io/a@sha256:{HEX}", f"q.io/a@sha256:{HEX}"),
    "entries": (lambda one: [entry.path for entry in one["a"].entries()], [1, 2], ["a[0]", "a[1]"]),
    "items": (lambda one: [(key, part.path) for key, part in one["a"].items()], {"k": None}, [("k", "a.k")]),
    "null is absent": (lambda one: one.get("a"), None, None),
    "and yet there": (lambda one: "a" in one, None, True),
}


@pytest.mark.parametrize(("read", "value", "expected"), READS.values(), ids=READS)
def test_a_value_is_read(read: t.Callable[[Document], object], value: object, expected: object) -> None:
    assert read(Document.parse(json.dumps({"a": value}).encode(), on="x")) == expected


REFUSALS: dict[str, tuple[t.Callable[[Document], object], object, str]] = {
    "missing": (lambda one: one["b"], 1, "b is missing"),
    "null where a value is needed": (lambda one: one["a"], None, "a is missing"),
    "no text": (lambda one: one["a"].text(), 1, "1 is not a string"),
    "half a character": (lambda one: one["a"].text(), "\ud800", "half of a surrogate pair is not a character"),
    "float": (lambda one: one["a"].number(5), 2.0, "2.0 is not a whole number"),
    "true as a number": (lambda one: one["a"].as_a(int), True, "True is not a whole number"),
    "negative": (lambda one: one["a"].number(5), -1, "-1 is not a whole number between 0 and 5"),
    "too large": (lambda one: one["a"].number(5), 6, "6 is not a whole number between 0 and 5"),
    "none of": (lambda one: one["a"].one_of(("x", "y")), "z", "'z' is not one of x, y"),
    "no match": (lambda one: one["a"].matching(re.compile("x+"), "an x"), "xy", "'xy' is not an x"),
    "no digest": (lambda one: one["a"].digest(), "sha256:1", ""),
    "not pinned": (lambda one: one["a"].pinned_image(), "q.io/a:1", "'q.io/a:1' is not of the form repository@digest"),
    "tag and digest": (lambda one: one["a"].pinned_image(), f"q.io/a:1@sha256:{HEX}", "is not of the form"),
    "no image": (lambda one: one["a"].pinned_image(), "Q R", ""),
    "no list": (lambda one: one["a"].entries(), {}, "a mapping is not a list"),
    "long": (lambda one: one["a"].number(5), "y" * 500, "'" + "y" * 60 + "' is not a whole number"),
}


@pytest.mark.parametrize(("read", "value", "seen"), REFUSALS.values(), ids=REFUSALS)
def test_another_value_is_refused(read: t.Callable[[Document], object], value: object, seen: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        read(Document.parse(json.dumps({"a": value}).encode(), on="x"))
    assert seen in refused.value.seen
    assert len(refused.value.seen) < 300


def test_an_error_names_the_document_and_the_part() -> None:
    document = Document.parse(b'{"a":{"b":[{"c":1}]}}', on="the index")
    with pytest.raises(InvalidInputError) as refused:
        document["a"]["b"].entries()[0]["c"].text()
    assert refused.value.on == "the index: a.b[0].c"


def test_a_reader_chooses_its_error_for_every_part() -> None:
    class Kept(Document):
        error: type[FieldOpsError] = MissingRequirementError
        attempted = "read the record"

    with pytest.raises(MissingRequirementError, match="Could not read the record on it: a"):
        Kept.parse(b'{"a":1}', on="it")["a"].text()
