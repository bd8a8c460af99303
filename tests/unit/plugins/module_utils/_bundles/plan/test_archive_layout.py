# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import io
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.archive_layout import (
    archive_parts,
    archive_size,
    chunk_names,
    chunk_sizes,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.checksums import checksum_lines
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    digest,
    sample_index,
)

INDEX = sample_index()
SUMS = checksum_lines(INDEX)


def archive(signature: bytes | None) -> bytes:
    """Return the archive with zeros in place of what blobs hold."""
    return b"".join(
        part.content if part.digest is None else bytes(part.size) for part in archive_parts(INDEX, SUMS, signature)
    )


@pytest.mark.parametrize("signature", [None, b"signed"], ids=["unsigned", "signed"])
def test_tar_reads_it_and_the_index_comes_first(signature: bytes | None) -> None:
    content = archive(signature)
    assert len(content) == archive_size(INDEX, SUMS, signature)
    with tarfile.open(fileobj=io.BytesIO(content)) as opened:
        members = {member.name: member for member in opened}
        first = opened.extractfile("index.json")
        assert first is not None
        assert first.read() == INDEX.as_bytes()
    assert next(iter(members)) == "index.json"
    assert {name for name, member in members.items() if member.isreg()} == {
        *("index.json", "SHA256SUMS"),
        *(["index.json.asc"] if signature else []),
        *(blob.path for blob in INDEX.blobs.values()),
    }
    assert members[INDEX.blobs[digest("large")].path].size == INDEX.blobs[digest("large")].size


def test_it_says_nothing_of_who_made_it_and_when() -> None:
    with tarfile.open(fileobj=io.BytesIO(archive(None))) as opened:
        for member in opened:
            assert (member.uid, member.gid, member.uname, member.gname, member.mtime) == (0, 0, "", "", 0)


def test_checksums_name_the_index_and_every_blob() -> None:
    lines = SUMS.decode().splitlines()
    assert lines[0] == f"{INDEX.digest.hex}  index.json"
    assert len(lines) == 1 + len(INDEX.blobs)
    assert f"{digest('base').hex}  blobs/sha256/{digest('base').hex}" in lines


@given(st.integers(1, 10_000), st.integers(1, 1000))
def test_chunks_are_whole_but_the_last(total: int, size: int) -> None:
    sizes = chunk_sizes(total, size)
    assert sum(sizes) == total
    assert all(one == size for one in sizes[:-1])
    assert 0 < sizes[-1] <= size


def test_without_a_limit_there_is_one_file() -> None:
    assert chunk_sizes(1 << 40, None) == [1 << 40]
    assert chunk_names("x.tar", 1) == ["x.tar"]


def test_names_sort_in_the_order_of_the_chunks() -> None:
    names = chunk_names("x.tar", 120)
    assert names == sorted(names)
    assert names[:2] == ["x.tar.000", "x.tar.001"]
