# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import gzip
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan import piece_hasher
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.piece_hasher import (
    PieceHasher,
    unpacked_size,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PIECE_SIZE

SMALL_PIECE = 16


@given(st.binary(max_size=100), st.lists(st.integers(1, 40), min_size=1, max_size=20))
def test_pieces_are_the_same_in_whatever_blocks_the_bytes_come(content: bytes, sizes: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(piece_hasher, "PIECE_SIZE", SMALL_PIECE)
        hasher = PieceHasher(len(content))
        position = 0
        while position < len(content):
            size = sizes[position % len(sizes)]
            hasher.update(memoryview(content)[position : position + size])
            position += size
    pieces = [content[at : at + SMALL_PIECE] for at in range(0, len(content), SMALL_PIECE)]
    expected = tuple(hashlib.sha256(piece).hexdigest() for piece in pieces) if len(content) > SMALL_PIECE else ()
    assert hasher.pieces() == expected
    assert hasher.hexdigest() == hashlib.sha256(content).hexdigest()


def test_a_restart_forgets_everything() -> None:
    hasher = PieceHasher(PIECE_SIZE + 1)
    hasher.update(memoryview(b"x" * 100))
    hasher.restart()
    hasher.update(memoryview(b"abc"))
    assert hasher.hexdigest() == hashlib.sha256(b"abc").hexdigest()
    assert hasher.pieces() == (hashlib.sha256(b"abc").hexdigest(),)


@pytest.mark.parametrize("content", [b"", b"text " * 1000, hashlib.shake_128(b"noise").digest(300_000)])
def test_gzip_tells_what_it_unpacks_to(content: bytes) -> None:
    packed = gzip.compress(content)
    assert unpacked_size(len(packed), packed[:2], packed[-4:]) == len(content)


@pytest.mark.parametrize(
    ("size", "head", "told", "expected"),
    [
        pytest.param(100, b"ab", 500, None, id="no gzip"),
        pytest.param(1 << 20, b"\x1f\x8b", 17, None, id="several members: the last one tells its own size"),
        pytest.param(2 << 30, b"\x1f\x8b", 1 << 30, (1 << 30) + (1 << 32), id="more than 4 GiB wrapped once"),
        pytest.param(5 << 30, b"\x1f\x8b", 100, 100 + (2 << 32), id="wrapped twice"),
        pytest.param(1 << 30, b"\x1f\x8b", 3 << 30, 3 << 30, id="large and not wrapped"),
    ],
)
def test_sizes_beyond_four_gib_wrap(size: int, head: bytes, told: int, expected: int | None) -> None:
    assert unpacked_size(size, head, told.to_bytes(4, "little")) == expected
