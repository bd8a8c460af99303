# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What there is to know of a blob whose bytes were read: the entry of a bundle's index about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_files import BlobReader
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.prefix_hasher import PrefixHasher
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob

_GZIP = b"\x1f\x8b"
_WRAP = 1 << 32
_LARGE = 1 << 30


def proved_blob(path: Path, blob: Blob, counted: Callable[[int], object]) -> Blob | None:
    """Return ``blob`` with what its bytes prove, None where the file at ``path`` is not that blob.

    ``counted`` receives the number of bytes read, and may end the work by an exception. Raises FileAccessError.
    """
    hasher = PrefixHasher()
    with BlobReader.opened(path) as reader:
        if reader is None or reader.size != blob.size:
            return None
        for block in reader.blocks():
            hasher.update(block)
            counted(len(block))
    return described(path, blob, hasher.prefixes()) if hasher.hexdigest() == blob.digest.hex else None


def described(path: Path, blob: Blob, prefixes: tuple[str, ...]) -> Blob:
    """Return ``blob``, which is at ``path``, with its prefixes and the bytes that it unpacks to."""
    with BlobReader.opened(path) as reader:
        head = _bytes(reader, 0, 2) if reader is not None else b""
        tail = _bytes(reader, max(0, blob.size - 4), blob.size) if reader is not None else b""
    return replace(blob, unpacked_size=unpacked_size(blob.size, head, tail), prefixes=prefixes)


def _bytes(reader: BlobReader, start: int, stop: int) -> bytes:
    return b"".join(bytes(block) for block in reader.blocks(start, stop))


def unpacked_size(size: int, head: bytes, tail: bytes) -> int | None:
    """Return the bytes that a gzip blob of ``size`` unpacks to, from its first and last bytes; None if unknown.

    The last four bytes state the size modulo 4 GiB, of the last member (RFC 1952, 2.3.1). A number below what the blob
    itself has means either that it wrapped, which only a large blob can do, or that there are several members.
    """
    if not head.startswith(_GZIP) or len(tail) < 4:
        return None
    told = int.from_bytes(tail[-4:], "little")
    # Content that does not shrink is stored in blocks, with five bytes for each 64 KiB.
    least = size - size // 4096 - 1024
    if told >= least:
        return told
    return told + -(-(least - told) // _WRAP) * _WRAP if size >= _LARGE else None
