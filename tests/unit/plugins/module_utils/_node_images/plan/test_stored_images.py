# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The books of containers-storage."""

from __future__ import annotations

import json

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stored_images import StoredImages
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

NAME = "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:" + "4" * 64
# As skopeo 1.18 wrote them, shortened.
IMAGES = json.dumps(
    [
        {
            "id": "c4c1",
            "digest": "sha256:" + "4" * 64,
            "names": [NAME],
            "layer": "7f2d",
            "big-data-names": ["manifest"],
            "created": "2026-01-12T08:00:00Z",
        },
        {"id": "d5d2", "digest": "sha256:" + "5" * 64},
    ]
).encode()
LAYERS = json.dumps(
    [
        {"id": "7f2d", "diff-digest": "sha256:" + "7" * 64, "compressed-diff-digest": "sha256:" + "a" * 64},
        {"id": "8f2d", "compressed-diff-digest": "sha256:" + "b" * 64, "incomplete": True},
        {"id": "9f2d"},
    ]
).encode()


def test_names_and_whole_layers_are_known() -> None:
    stored = StoredImages.of(IMAGES, LAYERS)
    assert stored == StoredImages(frozenset({NAME}), frozenset({Digest("a" * 64)}))


def test_a_storage_that_was_never_used_holds_nothing() -> None:
    assert StoredImages.of(b"", b"") == StoredImages()


@pytest.mark.parametrize(
    ("images", "layers", "named"),
    [
        pytest.param(b"[{", b"", "images.json", id="half a file"),
        pytest.param(b"", b'{"a": 1}', "layers.json", id="another shape"),
        pytest.param(b"[1]", b"", "images.json", id="no objects"),
        pytest.param(b"[" * 100_000, b"", "images.json", id="nested beyond reason"),
    ],
)
def test_damaged_books_name_the_file(images: bytes, layers: bytes, named: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        StoredImages.of(images, layers)
    assert refused.value.on == named
