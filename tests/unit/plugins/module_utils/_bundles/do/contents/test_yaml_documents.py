# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""YAML from outside: what JSON could say as well, within bounds, and nothing else."""

from __future__ import annotations

import io
import typing as t

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents import yaml_documents as reader
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.yaml_documents import (
    yaml_documents,
    yaml_stream,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

BOMB = b"a: &a [x, x]\n" + b"".join(b"%c: &%c [*%c, *%c]\n" % (n + 1, n + 1, n, n) for n in range(97, 120))


@pytest.fixture(params=["libyaml", "pure"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read with the library's C code and without, and documents of up to 1 MiB."""
    monkeypatch.setattr(reader, "LARGEST_DOCUMENT", MIB)
    if request.param == "pure":
        monkeypatch.delattr(yaml, "CSafeLoader")


@pytest.mark.parametrize(
    ("content", "documents"),
    [
        pytest.param(b"", [], id="nothing"),
        pytest.param(b"a: b", [{"a": "b"}], id="mapping"),
        pytest.param(b"- a\n- [b, {c: d}]", [["a", ["b", {"c": "d"}]]], id="list"),
        pytest.param(b"a: 1\n---\nb: 2\n---\n", [{"a": 1}, {"b": 2}, None], id="documents"),
        pytest.param(b'{"a": [1, "b", null]}', [{"a": [1, "b", None]}], id="JSON"),
        pytest.param(b"a: yes\nb: ~\nc: 1.5\nd: 0x10", [{"a": True, "b": None, "c": 1.5, "d": 16}], id="scalars"),
        pytest.param(b"a: 'yes'\nb: \"1\"\nc: |\n  1\n", [{"a": "yes", "b": "1", "c": "1\n"}], id="quoted text"),
        pytest.param(b"a: 2026-01-01", [{"a": "2026-01-01"}], id="an instant stays text"),
        pytest.param(b"a: " + b"9" * 100, [{"a": "9" * 100}], id="an absurd number stays text"),
        pytest.param(b"a: !!str 1\nb: ! 2", [{"a": "1", "b": "2"}], id="text by its tag"),
        pytest.param(b"1: a\nb: c", [{1: "a", "b": "c"}], id="other keys"),
    ],
)
def test_documents_are_what_json_could_say(content: bytes, documents: list[t.Any]) -> None:
    assert yaml_documents(content, on="file") == documents


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"a: &x 1\n", "anchor or an alias", id="anchor"),
        pytest.param(b"a: [1]\nb: *x\n", "alias", id="alias"),
        pytest.param(BOMB, "anchor or an alias", id="bomb"),
        pytest.param(b"a: 1\n<<: {b: 2}", "merge key", id="merge key"),
        pytest.param(b"? &x a\n: 1", "anchor or an alias", id="anchor on a key"),
        pytest.param(b"a: !!python/object/apply:os.system [id]", "tag", id="Python tag"),
        pytest.param(b"a: !vault 1", "tag '!vault'", id="custom tag"),
        pytest.param(b"a: !!binary QUJD", "tag", id="binary tag"),
        pytest.param(b"a: !<" + b"x" * 900 + b"> 1", "tag", id="long tag"),
        pytest.param(b"a: 1\na: 2", "the key 'a' occurs twice in one mapping", id="key twice"),
        pytest.param(b"? [a]\n: 1", "not a scalar", id="list as key"),
        pytest.param(b"[" * 200, "nested deeper", id="nested lists"),
        pytest.param(b"- " * 3000 + b"x", "nested deeper|simple key|expected", id="nested on one line"),
        pytest.param(b"{a: " * 200, "nested deeper", id="nested mappings"),
        pytest.param(b"a: [", "expected|found", id="cut"),
        pytest.param(b"\xff\xff\x00", "YAML document", id="binary"),
        pytest.param(b"a: '" + b"x" * 1_200_000 + b"'", "larger than", id="large text"),
        pytest.param(b"#" + b"x" * 1_200_000, "larger than", id="large comment"),
        pytest.param(b"a: b: c", "mapping values", id="no YAML"),
    ],
)
def test_anything_else_is_told_in_few_words(content: bytes, said: str) -> None:
    with pytest.raises(PayloadError, match=said) as caught:
        yaml_documents(content, on="file")
    assert len(str(caught.value)) < 700


def test_values_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MOST_VALUES", 9)
    assert yaml_documents(b"[1, 2, 3, 4, 5, 6, 7, 8]\n---\n[1, 2, 3]", on="file")
    with pytest.raises(PayloadError, match="more than 9 values"):
        yaml_documents(b"[1, 2, 3, 4, 5, 6, 7, 8, 9]", on="file")


def test_documents_come_one_after_another_however_many() -> None:
    class Endless:
        def read(self, size: int, /) -> bytes:
            return (b"a: b\n---\n" * (size // 9 + 1))[: size // 9 * 9]

    documents = yaml_stream(Endless(), on="file")
    assert [next(documents) for _number in range(500)] == [{"a": "b"}] * 500


def test_a_stream_is_read_in_pieces() -> None:
    text = b"---\n".join(b"name: b%d\ntext: %s\n" % (number, b"x" * 900) for number in range(1500))
    assert [one["name"] for one in yaml_stream(io.BytesIO(text), on="file")] == [f"b{n}" for n in range(1500)]
