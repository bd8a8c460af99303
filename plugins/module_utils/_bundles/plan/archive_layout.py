# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A bundle as one tar file: always the same bytes for the same bundle, so that any part of it can be made anew.

Source: POSIX.1-1988 ustar, with GNU's form of large sizes (GNU tar manual, "Basic Tar Format").
"""

from __future__ import annotations

import tarfile
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BLOB_FOLDER,
    CHECKSUM_FILE,
    INDEX_FILE,
    INDEX_SIGNATURE_FILE,
)

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

_BLOCK = tarfile.BLOCKSIZE


@dataclass(frozen=True)
class Part:
    """A run of bytes of the archive: ``content`` itself, or ``size`` bytes of the blob ``digest``."""

    size: int
    content: bytes = b""
    digest: Digest | None = None


def archive_parts(index: BundleIndex, checksums: bytes, signature: bytes | None) -> Iterator[Part]:
    """Yield the archive from its beginning: the index first, so that it can be read without the rest."""
    small = [(INDEX_FILE, index.as_bytes())]
    small += [(INDEX_SIGNATURE_FILE, signature)] if signature is not None else []
    small += [(CHECKSUM_FILE, checksums)]
    for name, content in small:
        yield _bytes(_header(name, len(content)) + content + _padding(len(content)))
    yield _bytes(_folder("blobs/") + _folder(f"{BLOB_FOLDER}/"))
    for digest in sorted(index.blobs):
        size = index.blobs[digest].size
        yield _bytes(_header(index.blobs[digest].path, size))
        yield Part(size, digest=digest)
        yield _bytes(_padding(size))
    yield _bytes(bytes(2 * _BLOCK))


def archive_size(index: BundleIndex, checksums: bytes, signature: bytes | None) -> int:
    """Return the bytes of the whole archive."""
    return sum(part.size for part in archive_parts(index, checksums, signature))


def chunk_sizes(total: int, chunk_size: int | None) -> list[int]:
    """Return the sizes of the files that ``total`` bytes become; one without a ``chunk_size``."""
    if chunk_size is None or total <= chunk_size:
        return [total]
    whole, rest = divmod(total, chunk_size)
    return [chunk_size] * whole + ([rest] if rest else [])


def chunk_names(stem: str, count: int) -> list[str]:
    """Return the names of the files: ``stem`` alone, or numbered so that they sort in their order."""
    return [stem] if count == 1 else [f"{stem}.{number:03d}" for number in range(count)]


def _bytes(content: bytes) -> Part:
    return Part(len(content), content=content)


def _header(name: str, size: int) -> bytes:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o644
    return entry.tobuf(tarfile.GNU_FORMAT)


def _folder(name: str) -> bytes:
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = tarfile.DIRTYPE, 0o755
    return entry.tobuf(tarfile.GNU_FORMAT)


def _padding(size: int) -> bytes:
    return bytes(-size % _BLOCK)
