# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How much of a half received blob can be believed."""

from __future__ import annotations

import hashlib
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.piece_check import proved_beginning
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PIECE_SIZE

if t.TYPE_CHECKING:
    from collections.abc import Iterator

CONTENT = b"".join(bytes([number]) * PIECE_SIZE for number in (1, 2)) + b"end"
PIECES = [hashlib.sha256(CONTENT[at : at + PIECE_SIZE]).hexdigest() for at in range(0, len(CONTENT), PIECE_SIZE)]


def blocks(content: bytes, size: int = 5_000_000) -> Iterator[memoryview]:
    """Yield blocks whose memory is used again, as a file's are."""
    buffer = bytearray(size)
    for at in range(0, len(content), size):
        part = content[at : at + size]
        buffer[: len(part)] = part
        yield memoryview(buffer)[: len(part)]


@pytest.mark.parametrize(
    ("received", "proved"),
    [
        pytest.param(b"", 0, id="nothing"),
        pytest.param(CONTENT[: PIECE_SIZE - 1], 0, id="less than a piece"),
        pytest.param(CONTENT[:PIECE_SIZE], PIECE_SIZE, id="one piece"),
        pytest.param(CONTENT[: 2 * PIECE_SIZE + 2], 2 * PIECE_SIZE, id="two pieces and an end that proves nothing"),
        pytest.param(b"\0" + CONTENT[1:], 0, id="first byte wrong"),
        pytest.param(
            CONTENT[: PIECE_SIZE + 7] + b"\xff" + CONTENT[PIECE_SIZE + 8 :], PIECE_SIZE, id="second piece wrong"
        ),
        pytest.param(CONTENT[:PIECE_SIZE] + bytes(PIECE_SIZE), PIECE_SIZE, id="zeros after a power cut"),
        pytest.param(CONTENT + CONTENT, 2 * PIECE_SIZE, id="more than there should be"),
    ],
)
def test_what_is_proved(received: bytes, proved: int) -> None:
    length, hasher = proved_beginning(PIECES, blocks(received))
    assert length == proved
    assert hasher.hexdigest() == hashlib.sha256(CONTENT[:proved]).hexdigest()


def test_without_digests_of_pieces_nothing_is_proved() -> None:
    assert proved_beginning([], blocks(b"x" * 2 * PIECE_SIZE))[0] == 0


@pytest.mark.parametrize("size", [1_000_003, PIECE_SIZE, 3 * PIECE_SIZE])
def test_the_size_of_blocks_does_not_matter(size: int) -> None:
    assert proved_beginning(PIECES, blocks(CONTENT, size))[0] == 2 * PIECE_SIZE
