# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import gzip
import io
import tarfile
import zlib
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import KIB, MIB
from ansible_collections.fieldops.openshift.tests.lab.registry.content import BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import (
    LARGEST_FILE,
    Filler,
    Layer,
    Member,
    filling,
    skeleton,
    write_layer,
)


@pytest.fixture
def pool(tmp_path: Path) -> BlobPool:
    return BlobPool(tmp_path / "pool")


def tar_of(pool: BlobPool, layer: Layer) -> tarfile.TarFile:
    return tarfile.open(fileobj=io.BytesIO(gzip.decompress(pool.read(layer.digest))))


def test_members_are_read_back(pool: BlobPool) -> None:
    members = [*skeleton(), Member("etc/motd", b"hello"), Member.whiteout("etc/issue"), Member("../up", b"hostile")]
    with tar_of(pool, write_layer(pool, members)) as tar:
        assert tar.getnames() == [*(member.name for member in skeleton()), "etc/motd", "etc/.wh.issue", "../up"]
        motd = tar.extractfile("etc/motd")
        assert motd
        assert motd.read() == b"hello"
        assert tar.getmember("bin").linkname == "usr/bin"
        assert tar.getmember("tmp").mode == 0o1777


def test_filling_is_split_into_files_of_the_stated_size_together(pool: BlobPool) -> None:
    size = LARGEST_FILE + 100
    with tar_of(pool, write_layer(pool, filling("usr/share/x", Filler("key", size, 1.0)))) as tar:
        assert [(one.name, one.size) for one in tar if one.isfile()] == [
            ("usr/share/x/0000.bin", LARGEST_FILE),
            ("usr/share/x/0001.bin", 100),
        ]


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_the_compressible_share_is_as_stated(pool: BlobPool, share: float) -> None:
    layer = write_layer(pool, filling("data", Filler("key", MIB, share)))
    expected = (1 - share) * MIB
    assert layer.blob.size == pytest.approx(expected, abs=0.02 * MIB)
    again = zlib.compress(gzip.decompress(pool.read(layer.digest)), 6)
    assert len(again) == pytest.approx(expected, abs=0.02 * MIB), "a real compressor finds no more than was stated"


def test_the_same_key_gives_the_same_layer_and_another_key_shares_nothing(pool: BlobPool) -> None:
    one, same, other = (
        write_layer(pool, filling("data", Filler(key, 64 * KIB, 0.0))) for key in ("one", "one", "other")
    )
    assert one == same
    assert one.digest != other.digest
    random = [pool.read(layer.digest)[4096:16384] for layer in (one, other)]
    assert len(zlib.compress(b"".join(random), 9)) >= 2 * 12288, "nothing repeats within the compressor's window"


def test_uncompressed_digest_and_size_are_those_of_the_tar_file(pool: BlobPool) -> None:
    layer = write_layer(pool, skeleton())
    plain = gzip.decompress(pool.read(layer.digest))
    assert layer.tar == pool.add(plain)
