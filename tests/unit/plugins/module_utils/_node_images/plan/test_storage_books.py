# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The books of a container storage: what is freed with an image, and who holds one."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.storage_books import StorageBooks
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

# base <- old <- container's own layer; base <- new; base <- twin (of another user namespace)
LAYERS = [
    {"id": "base", "diff-size": 100, "compressed-diff-digest": "sha256:" + "b" * 64},
    {"id": "old", "parent": "base", "diff-size": 20, "compressed-diff-digest": "sha256:" + "0" * 64},
    {"id": "twin", "parent": "base", "diff-size": 5, "compressed-diff-digest": "sha256:" + "0" * 64},
    {"id": "new", "parent": "base", "diff-size": 3, "compressed-diff-digest": "sha256:" + "1" * 64},
    {"id": "own", "parent": "old"},
]
OLD = {"id": "i-old", "names": ["quay.io/a/b@sha256:1"], "layer": "old", "mapped-layers": ["twin"]}
NEW = {"id": "i-new", "names": ["quay.io/a/b@sha256:2"], "layer": "new"}


def books(
    images: t.Any = (OLD, NEW),
    layers: t.Any = LAYERS,
    containers: tuple[t.Any, ...] = (),
    mounts: t.Any = (),
) -> StorageBooks:
    made = [json.dumps(one).encode() for one in containers]
    return StorageBooks.of(json.dumps(images).encode(), json.dumps(layers).encode(), made, json.dumps(mounts).encode())


def test_a_layer_that_another_image_stands_on_is_not_freed() -> None:
    known = books()
    freed = known.freed_by(known.images[:1])
    assert freed == {"old", "twin"}
    assert known.size_of(freed) == 25
    assert known.pulled_as(freed) == {Digest("0" * 64)}


def test_the_last_image_on_a_layer_frees_it() -> None:
    known = books()
    assert known.size_of(known.freed_by(known.images)) == 128


def test_a_layer_that_a_container_stands_on_is_not_freed() -> None:
    known = books(containers=([{"id": "c", "image": "gone", "layer": "own"}],))
    assert known.freed_by(known.images) == {"twin", "new"}
    assert known.pulled_as({"twin"}) == frozenset()


@pytest.mark.parametrize(
    ("found", "held"),
    [
        pytest.param({"containers": ([{"id": "c", "image": "i-old"}], [])}, {"i-old"}, id="of a container"),
        pytest.param(
            {"containers": ([], [{"id": "c", "image": "i-new"}])}, {"i-new"}, id="of one that goes with its end"
        ),
        pytest.param({"mounts": [{"id": "twin", "path": "/run/x", "count": 1}]}, {"i-old"}, id="mounted"),
        pytest.param({"containers": ([{"id": "c"}],)}, set(), id="of no image"),
        pytest.param({}, set(), id="free"),
    ],
)
def test_who_holds_an_image(found: dict[str, t.Any], held: set[str]) -> None:
    assert books(**found).held == held


def test_layers_in_a_circle_come_to_an_end() -> None:
    known = books(layers=[{"id": "a", "parent": "b"}, {"id": "b", "parent": "a"}])
    assert list(known.beneath("a")) == ["a", "b"]


@pytest.mark.parametrize("size", [None, -5, "7", True], ids=repr)
def test_a_layer_of_unknown_size_counts_nothing(size: t.Any) -> None:
    known = books([NEW], [{"id": "new", "diff-size": size}])
    assert known.size_of(known.freed_by(known.images)) == 0


def test_a_storage_that_was_never_used() -> None:
    assert StorageBooks.of(b"", b"", [b"", b""], b"") == StorageBooks()


@pytest.mark.parametrize(
    ("contents", "named"),
    [
        pytest.param((b"[{", b"", [], b""), "images.json", id="images"),
        pytest.param((b"", b"", [b"", b"{}"], b""), "containers.json", id="containers"),
        pytest.param((b"", b"", [], b"[1]"), "mountpoints.json", id="mounts"),
    ],
)
def test_by_damaged_books_nothing_is_decided(contents: t.Any, named: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        StorageBooks.of(*contents)
    assert refused.value.on == named
