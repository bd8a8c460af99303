# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A file of a bundle is staged and reported; nothing that loads, pins or stores images takes it for one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.missing_blobs import staging_state
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import (
    select_images,
    select_names,
    select_staged,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import simple_bundle

PLAIN, _STORED = simple_bundle({"release": b"r", "etcd": b"e", "chart": b"c"})
FILE = replace(PLAIN.images[2], reason="file", component=None)
INDEX = replace(PLAIN, images=(*PLAIN.images[:2], FILE))
IMAGES = tuple(str(image.name) for image in INDEX.images[:2])
SHOWN = [{"name": str(image.name), "component": image.component, "reason": image.reason} for image in INDEX.images]

CHOOSERS: dict[str, Callable[[], object]] = {
    "all that are loaded": lambda: tuple(str(image.name) for image in select_images(INDEX)),
    "all that are pinned": lambda: select_names(SHOWN),
    "loaded by name": lambda: tuple(str(image.name) for image in select_images(INDEX, [*IMAGES, str(FILE.name)])),
    "pinned by name": lambda: select_names(SHOWN, [*IMAGES, str(FILE.name)]),
}


@pytest.mark.parametrize("choose", CHOOSERS.values(), ids=CHOOSERS)
def test_a_file_is_neither_loaded_nor_pinned(choose: Callable[[], object]) -> None:
    assert choose() == IMAGES


@pytest.mark.parametrize(("wanted", "staged"), [((), INDEX.images), ((str(FILE.name),), (FILE,)), (("etcd",), None)])
def test_a_file_is_staged_with_everything_or_by_its_name(wanted: tuple[str, ...], staged: object) -> None:
    assert select_staged(INDEX, wanted) == (staged if staged is not None else (INDEX.images[1],))


def test_its_blobs_are_missing_until_they_are_there() -> None:
    state = staging_state(INDEX, select_staged(INDEX), {}, {})
    assert {blob.digest for blob in state.missing} == set(INDEX.blobs)


def test_a_delta_leaves_a_file_to_its_base() -> None:
    of_file = set(FILE.blobs())
    delta = replace(INDEX, blobs={digest: blob for digest, blob in INDEX.blobs.items() if digest not in of_file})
    assert staging_state(delta, select_staged(delta), {}, {}).unreachable == ()
