# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import contextlib
import gzip
import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.tests.lab.registry.content import Blob, BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.gzip_stream import STORED_MAX, GzipStream, text

PIECES = st.lists(st.one_of(st.binary(max_size=200), st.integers(min_value=0, max_value=2000)), max_size=6)


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> BlobPool:
    return BlobPool(tmp_path_factory.mktemp("pool"))


def written(pool: BlobPool, *pieces: bytes | int) -> tuple[bytes, Blob, Blob]:
    """Write bytes as they are and numbers as that much text; return the gzip file and what it says of itself."""
    with pool.receive() as part:
        stream = GzipStream(part)
        for piece in pieces:
            if isinstance(piece, bytes):
                stream.write(piece)
            else:
                stream.write_text(piece)
        packed, plain = stream.finish()
        part.close_as(packed.digest)
    return pool.read(packed.digest), packed, plain


@given(pieces=PIECES)
def test_what_is_written_is_read_back(pool: BlobPool, pieces: list[bytes | int]) -> None:
    content = b"".join(piece if isinstance(piece, bytes) else text(piece) for piece in pieces)
    packed_bytes, packed, plain = written(pool, *pieces)
    assert gzip.decompress(packed_bytes) == content
    assert packed == Blob.of(packed_bytes)
    assert plain == Blob.of(content)


@pytest.mark.parametrize("length", [STORED_MAX - 1, STORED_MAX, STORED_MAX + 1, 3 * STORED_MAX])
def test_long_content_is_stored_in_several_blocks(pool: BlobPool, length: int) -> None:
    content = hashlib.shake_128(b"long").digest(length)
    assert gzip.decompress(written(pool, content)[0]) == content


def test_text_shrinks_to_about_a_hundredth(pool: BlobPool) -> None:
    assert written(pool, 1_000_000)[1].size < 10_000


def test_random_content_grows_by_less_than_a_thousandth(pool: BlobPool) -> None:
    assert 1_000_000 < written(pool, hashlib.shake_128(b"noise").digest(1_000_000))[1].size < 1_001_000


def test_output_is_the_same_on_every_machine(pool: BlobPool) -> None:
    assert written(pool, b"head", 300, b"tail")[1].digest.short == "d2a99b921816"


def test_nothing_is_left_of_what_was_not_finished(tmp_path: Path) -> None:
    pool = BlobPool(tmp_path / "pool")
    with contextlib.suppress(KeyboardInterrupt), pool.receive() as part:
        GzipStream(part).write(b"half")
        assert part.path.exists()
        raise KeyboardInterrupt
    assert list(pool.directory.iterdir()) == []
