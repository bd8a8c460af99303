# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import gzip
import hashlib

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_facts import unpacked_size


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
