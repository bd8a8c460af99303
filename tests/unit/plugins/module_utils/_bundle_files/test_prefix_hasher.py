# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One SHA-256 gives the digest of a blob and of its beginnings, and proves a beginning that was left behind."""

from __future__ import annotations

import hashlib

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.prefix_hasher import PrefixHasher
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PREFIX_STEP, prefix_count

CONTENT = b"".join(bytes([number]) * PREFIX_STEP for number in (1, 2)) + b"end"
PREFIXES = tuple(hashlib.sha256(CONTENT[:stop]).hexdigest() for stop in (PREFIX_STEP, 2 * PREFIX_STEP))


def fed(content: bytes, expected: tuple[str, ...] = (), size: int = 5_000_000) -> PrefixHasher:
    """Return a hasher of ``content``, fed by blocks whose memory is used again, as a file's are."""
    hasher, buffer = PrefixHasher(expected), bytearray(size)
    for at in range(0, len(content), size):
        part = content[at : at + size]
        buffer[: len(part)] = part
        hasher.update(memoryview(buffer)[: len(part)])
    return hasher


@pytest.mark.parametrize("size", [1_000_003, PREFIX_STEP, 3 * PREFIX_STEP])
def test_the_size_of_blocks_does_not_matter(size: int) -> None:
    hasher = fed(CONTENT, size=size)
    assert (hasher.hexdigest(), hasher.prefixes()) == (hashlib.sha256(CONTENT).hexdigest(), PREFIXES)


@pytest.mark.parametrize(
    ("length", "count"),
    [
        (0, 0),
        (1, 0),
        (PREFIX_STEP, 0),
        (PREFIX_STEP + 1, 1),
        (2 * PREFIX_STEP, 1),
        (2 * PREFIX_STEP + 1, 2),
    ],
)
def test_the_whole_is_no_prefix_of_itself(length: int, count: int) -> None:
    assert prefix_count(length) == count
    assert fed(CONTENT[:length]).prefixes() == PREFIXES[:count]


@pytest.mark.parametrize(
    ("received", "proved", "is_wrong"),
    [
        pytest.param(b"", 0, False, id="nothing"),
        pytest.param(CONTENT[: PREFIX_STEP - 1], 0, False, id="less than a prefix"),
        pytest.param(CONTENT[:PREFIX_STEP], PREFIX_STEP, False, id="one prefix"),
        pytest.param(CONTENT[: 2 * PREFIX_STEP + 2], 2 * PREFIX_STEP, False, id="an end that proves nothing"),
        pytest.param(b"\0" + CONTENT[1:], 0, True, id="first byte wrong"),
        pytest.param(
            CONTENT[: PREFIX_STEP + 7] + b"\xff" + CONTENT[PREFIX_STEP + 8 :],
            PREFIX_STEP,
            True,
            id="wrong behind the first prefix",
        ),
        pytest.param(CONTENT[:PREFIX_STEP] + bytes(PREFIX_STEP), PREFIX_STEP, True, id="zeros after a power cut"),
    ],
)
def test_what_is_proved_of_a_beginning(received: bytes, proved: int, is_wrong: bool) -> None:
    hasher = fed(received, PREFIXES)
    assert (hasher.proved, hasher.is_wrong) == (proved, is_wrong)
    assert hasher.rewind() == proved
    assert hasher.hexdigest() == hashlib.sha256(CONTENT[:proved]).hexdigest()


def test_after_going_back_the_right_bytes_make_it_right() -> None:
    hasher = fed(CONTENT[: PREFIX_STEP + 7] + b"\xff" + CONTENT[PREFIX_STEP + 8 :], PREFIXES)
    hasher.update(memoryview(CONTENT)[hasher.rewind() :])
    assert (hasher.is_wrong, hasher.prefixes()) == (False, PREFIXES)
    assert hasher.hexdigest() == hashlib.sha256(CONTENT).hexdigest()


def test_without_known_prefixes_nothing_is_proved_and_nothing_wrong() -> None:
    hasher = fed(CONTENT)
    assert (hasher.proved, hasher.is_wrong) == (0, False)
