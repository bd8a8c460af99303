# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""JSON as catalogs hold it: object after object, of any number and never more than one in memory."""

from __future__ import annotations

import io
import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents import json_objects as reader
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.json_objects import json_objects

LARGE = {"schema": "olm.bundle", "name": "ä" * 900_000}
MANY = [{"name": f"bundle {number}", "text": "x" * 500} for number in range(2000)]


def read(content: bytes) -> list[dict[str, t.Any]]:
    return list(json_objects(io.BytesIO(content), on="catalog.json"))


@pytest.mark.parametrize(
    ("content", "objects"),
    [
        pytest.param(b"", [], id="nothing"),
        pytest.param(b" \n\t", [], id="space"),
        pytest.param(b'{"a": "b"}', [{"a": "b"}], id="one"),
        pytest.param(b'{"a": []}{"b": {}}\n\n {"c": null}\n', [{"a": []}, {"b": {}}, {"c": None}], id="in a row"),
        pytest.param(b'{"a": [1, -2.5, true]}', [{"a": [None, None, True]}], id="numbers mean nothing"),
        pytest.param(b'{"a": ' + b"9" * 200_000 + b"}", [{"a": None}], id="a number without end"),
        pytest.param('{"a": "ä€😀"}'.encode(), [{"a": "ä€😀"}], id="characters of many bytes"),
        pytest.param("\n".join(json.dumps(one, indent=1) for one in MANY).encode(), MANY, id="many"),
        pytest.param(json.dumps(LARGE).encode(), [LARGE], id="one that is large"),
        pytest.param(json.dumps(LARGE, ensure_ascii=False).encode() + b"{}", [LARGE, {}], id="large, in UTF-8"),
    ],
)
def test_objects_come_one_after_another(content: bytes, objects: list[t.Any]) -> None:
    assert read(content) == objects


def test_content_in_base64_does_not_count() -> None:
    properties = [{"type": "olm.bundle.object", "value": {"data": "QUJD/+09" * 200_000}} for _number in range(30)]
    (found,) = read(json.dumps({"name": "large", "properties": properties, "image": "quay.io/a/b:1"}).encode())
    assert (found["name"], found["image"]) == ("large", "quay.io/a/b:1")


def test_what_is_read_whole_keeps_numbers_and_base64() -> None:
    written = [{"number": 2030, "share": 1.5, "data": "QUJD/+09" * 200_000, "text": "ä"}, {"b": -1}]
    content = "\n".join(json.dumps(one) for one in written).encode()
    assert list(json_objects(io.BytesIO(content), on="catalog.json", whole=True)) == written


def test_a_number_without_end_is_refused_where_it_is_kept() -> None:
    with pytest.raises(PayloadError, match="not JSON"):
        list(json_objects(io.BytesIO(b'{"a": ' + b"9" * 2000 + b"}"), on="catalog.json", whole=True))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"[]", "not a sequence of JSON objects", id="a list"),
        pytest.param(b"17", "not a sequence of JSON objects", id="a number"),
        pytest.param(b"\xef\xbb\xbf{}", "not a sequence of JSON objects", id="a byte order mark"),
        pytest.param(b"schema: olm.package", "not a sequence of JSON objects", id="YAML"),
        pytest.param(b"\xff\xfe", "not JSON", id="binary"),
        pytest.param(b'{"a": "b', "not JSON", id="cut"),
        pytest.param(b"{a: 1}", "not JSON", id="without quotes"),
        pytest.param(b'{"a": 1, "b": {"c": 1, "c": 2}}', "the key 'c' occurs twice", id="a key twice"),
        pytest.param(b'{"a":' * 50_000, "nested too deeply", id="nested objects"),
        pytest.param(b'{"a":' + b"[" * 50_000, "nested too deeply", id="nested lists"),
        pytest.param(b'{"a": "' + b"x " * 4_000_000 + b'"}', "too large", id="large text"),
        pytest.param(b'{"a": [' + b"[]," * 1_000_000 + b"[]]}", "more than 300000 values", id="many lists"),
        pytest.param(b"{" * 9_000_000, "nested too deeply|not JSON|values", id="braces"),
        pytest.param(b'{"' + b"k" * 2000 + b'": 1, "' + b"k" * 2000 + b'": 2}', "occurs twice", id="a long key twice"),
    ],
)
def test_anything_else_is_told_in_few_words(content: bytes, said: str) -> None:
    with pytest.raises(PayloadError, match=said) as caught:
        read(content)
    assert len(str(caught.value)) < 600


def test_what_lies_before_a_mistake_is_read_before_it_is_told() -> None:
    objects = json_objects(io.BytesIO(b'{"a": "b"} oops'), on="catalog.json")
    assert next(objects) == {"a": "b"}
    with pytest.raises(PayloadError):
        next(objects)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_it_does_not_matter_where_the_stream_is_cut(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_CHUNK", size)
    objects = [{"a": 'ä\n\\"}{', "b": [{}, "😀"]}, {"c": {"d": "/" * 90}}]
    assert read("  ".join(json.dumps(one, ensure_ascii=False) for one in objects).encode()) == objects
