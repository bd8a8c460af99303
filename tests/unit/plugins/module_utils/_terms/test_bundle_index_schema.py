# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The JSON schema in docs says what the reader demands."""

from __future__ import annotations

import json
import re
import typing as t
from dataclasses import replace
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    DEEPEST_STORE,
    STORE_COMPRESSIONS,
    STORE_MEDIA_TYPES,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import (
    LARGEST_BLOB,
    REASONS,
    SIGNATURE_KINDS,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    digest,
    index_with_store,
    path_index,
    sample_index,
)

SCHEMA = json.loads((Path(__file__).resolve().parents[5] / "docs/bundle-index.schema.json").read_text())
TYPES: dict[str, t.Any] = {"object": dict, "array": list, "string": str, "integer": int, "null": type(None)}


def problems(value: t.Any, schema: dict[str, t.Any], path: str = "") -> t.Iterator[str]:
    """Yield what is wrong with ``value``, by those keywords of JSON Schema that this one uses."""
    if "$ref" in schema:
        yield from problems(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], path)
    if "anyOf" in schema and all(list(problems(value, one, path)) for one in schema["anyOf"]):
        yield f"{path}: none of the choices"
    if "const" in schema and value != schema["const"]:
        yield f"{path}: not {schema['const']}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: none of {schema['enum']}"
    kind = TYPES.get(schema.get("type", ""))
    if kind is not None and not isinstance(value, kind):
        yield f"{path}: not of type {schema['type']}"
        return
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield f"{path}: does not match"
    if isinstance(value, int) and not schema.get("minimum", 0) <= value <= schema.get("maximum", value):
        yield f"{path}: out of bounds"
    if isinstance(value, list) and len(value) < schema.get("minItems", 0):
        yield f"{path}: too short"
    if isinstance(value, list) and len(value) > schema.get("maxItems", len(value)):
        yield f"{path}: too long"
    yield from _inner_problems(value, schema, path)


def _inner_problems(value: t.Any, schema: dict[str, t.Any], path: str) -> t.Iterator[str]:
    if isinstance(value, list) and "items" in schema:
        for entry in value:
            yield from problems(entry, schema["items"], f"{path}[]")
    if not isinstance(value, dict) or "type" not in schema:
        return
    known = schema.get("properties", {})
    yield from (f"{path}.{key}: missing" for key in schema.get("required", ()) if key not in value)
    for key, inner in value.items():
        more = schema.get("additionalProperties")
        if key not in known and more is False:
            yield f"{path}.{key}: unknown"
        yield from problems(inner, known.get(key, more or {}), f"{path}.{key}")
        yield from problems(key, schema.get("propertyNames", {}), f"{path}.{key}")


def test_a_whole_index_and_a_delta_are_valid() -> None:
    assert not list(problems(sample_index().as_document(), SCHEMA))
    assert not list(problems(sample_index(base=digest("base bundle")).as_document(), SCHEMA))


def test_an_index_with_image_stores_is_valid() -> None:
    assert not list(problems(index_with_store().as_document(), SCHEMA))
    assert not list(problems(index_with_store(base=digest("base store"), depth=2).as_document(), SCHEMA))


def test_an_index_of_several_releases_is_valid() -> None:
    assert not list(problems(path_index().as_document(), SCHEMA))


def test_the_schema_lists_every_key_that_there_is() -> None:
    index = index_with_store()
    document = replace(index, signatures_unknown=index.images[0].manifests).as_document()
    assert set(SCHEMA["required"]) == set(document) == set(SCHEMA["properties"]) - {"path"}
    of_path = path_index().as_document()
    update = of_path["path"][1]
    assert set(SCHEMA["$defs"]["release"]["properties"]) == set(of_path["releases"][0])
    for name, value in (
        ("store", document["stores"][0]),
        ("update", update),
        ("risk", update["risks"][0]),
        ("rule", update["risks"][0]["rules"][0]),
        ("image", document["images"][0]),
        ("signature", document["signatures"][0]),
        ("blob", next(iter(document["blobs"].values()))),
    ):
        part = SCHEMA["$defs"][name]
        assert set(part["properties"]) == set(part["required"]) == set(value)


def test_the_choices_and_bounds_are_the_readers() -> None:
    parts = SCHEMA["$defs"]
    assert parts["image"]["properties"]["reason"]["enum"] == list(REASONS)
    assert parts["signature"]["properties"]["kind"]["enum"] == list(SIGNATURE_KINDS)
    assert parts["blob"]["properties"]["size"]["maximum"] == LARGEST_BLOB
    store = parts["store"]["properties"]
    assert store["filesystem"]["enum"] == list(STORE_MEDIA_TYPES)
    assert sorted(store["compression"]["enum"]) == sorted(STORE_COMPRESSIONS)
    assert store["depth"]["maximum"] == DEEPEST_STORE


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document.update(schemaVersion=1),
        lambda document: document.update(more=1),
        lambda document: document.pop("base"),
        lambda document: document["releases"].clear(),
        lambda document: document["volumes"].append({}),
        lambda document: document.update(built="2026-11-23"),
        lambda document: document.update(serial=-1),
        lambda document: document["images"][0].update(reason="x"),
        lambda document: document["images"][0].update(component="../x"),
        lambda document: document["blobs"].update({"md5:0": {}}),
        lambda document: document["releases"][0].update(image="quay.io/a/b:latest"),
    ],
)
def test_it_refuses_what_the_reader_refuses(change: t.Callable[[dict[str, t.Any]], object]) -> None:
    document = sample_index().as_document()
    change(document)
    assert list(problems(document, SCHEMA))
