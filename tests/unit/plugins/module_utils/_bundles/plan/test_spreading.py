# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which blob goes to which drive."""

from __future__ import annotations

import hashlib

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.spreading import Room, spread
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


def blobs_of(*sizes: int) -> list[Descriptor]:
    names = (hashlib.sha256(str(number).encode()).hexdigest() for number in range(len(sizes)))
    return [Descriptor(Digest(name), size, "layer") for name, size in zip(names, sizes)]


@pytest.mark.parametrize(
    ("sizes", "rooms", "held"),
    [
        pytest.param([4, 3, 2, 1], [Room(100), Room(100)], [5, 5], id="equal load"),
        pytest.param([4, 3, 2, 1], [Room(100), Room(3)], [7, 3], id="a small drive"),
        pytest.param([4, 3], [Room(100, held=50), Room(100)], [50, 7], id="what is there counts"),
        pytest.param([1, 1, 1], [Room(4096, unit=4096), Room(8192, unit=4096)], [1, 2], id="files take whole units"),
        pytest.param([5], [Room(4), Room(5)], [0, 5], id="only one takes it"),
        pytest.param([], [Room(0)], [0], id="nothing"),
    ],
)
def test_where_blobs_go(sizes: list[int], rooms: list[Room], held: list[int]) -> None:
    found = spread(blobs_of(*sizes), rooms)
    assert found is not None
    assert [room.held for room in found.rooms] == held
    assert len(found.places) == len(sizes)


@pytest.mark.parametrize(
    ("sizes", "rooms"),
    [
        pytest.param([6], [Room(5), Room(5)], id="a blob is not divided"),
        pytest.param([5, 5, 5], [Room(7), Room(7)], id="in all"),
        pytest.param([1], [], id="no drive"),
    ],
)
def test_what_does_not_fit(sizes: list[int], rooms: list[Room]) -> None:
    assert spread(blobs_of(*sizes), rooms) is None


def test_the_order_of_the_blobs_does_not_matter() -> None:
    blobs = blobs_of(5, 5, 3, 3, 1)
    one, other = (spread(order, [Room(100), Room(100)]) for order in (blobs, blobs[::-1]))
    assert one is not None
    assert other is not None
    assert one.places == other.places
