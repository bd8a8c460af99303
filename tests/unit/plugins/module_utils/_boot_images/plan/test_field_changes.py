# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changes of single fields, as JSON patches and back."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import (
    FieldChange,
    field_change,
    json_patch,
)

Json = dict[str, t.Any]
PROVIDER: Json = {"ami": {"id": "a"}, "disks": [{"image": "x"}, {"image": "y"}], "tags/and~tildes": "t"}

PATCHES: dict[str, tuple[FieldChange, Json | None]] = {
    "replaced": (
        field_change(PROVIDER, ("ami",), ({"id": "b"},)),
        {"op": "replace", "path": "/spec/value/ami", "value": {"id": "b"}},
    ),
    "added": (field_change(PROVIDER, ("image",), ("b",)), {"op": "add", "path": "/spec/value/image", "value": "b"}),
    "removed": (field_change(PROVIDER, ("ami",), ()), {"op": "remove", "path": "/spec/value/ami"}),
    "within a list": (
        field_change(PROVIDER, ("disks", 1, "image"), ("z",)),
        {"op": "replace", "path": "/spec/value/disks/1/image", "value": "z"},
    ),
    "absent before and after": (field_change(PROVIDER, ("image",), ()), None),
    "null is a value": (
        field_change({"image": None}, ("image",), ("b",)),
        {"op": "replace", "path": "/spec/value/image", "value": "b"},
    ),
    "names are escaped": (
        field_change(PROVIDER, ("tags/and~tildes",), ("u",)),
        {"op": "replace", "path": "/spec/value/tags~1and~0tildes", "value": "u"},
    ),
}


@pytest.mark.parametrize(("change", "operation"), PATCHES.values(), ids=PATCHES)
def test_operations(change: FieldChange, operation: Json | None) -> None:
    assert json_patch(("spec", "value"), [change]) == ([operation] if operation else [])
