# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A gzip writer for content that is known to be random or known to be repetitive; no compressor is involved.

Random bytes become stored blocks; repetitive text becomes blocks of fixed Huffman codes that are the same for the same
length. So it is as quick as hashing, and its output depends on no version of a compression library: the same
parameters give the same digests on every machine.
"""

from __future__ import annotations

import functools
import hashlib
import zlib

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.lab.registry.content import Blob, Part

HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # RFC 1952, 2.3.1: deflate, no flags, no time, any system
LAST_BLOCK = b"\x03\x00"  # an empty final block of fixed codes
STORED_MAX = 0xFFFF  # RFC 1951, 3.2.4
LINE = b"2026-01-01T00:00:00Z lab component[17]: nothing to report today\n"
MATCH_MAX = 258  # RFC 1951, 3.2.5
MATCH_BITS = "11000101" + "01011" + "1111"  # length 258 (code 285), distance 64 (code 11 and four extra bits)


class GzipStream:
    """One gzip member, written to a part of a pool. ``finish`` must be called last."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._packed, self._packed_size = hashlib.sha256(), 0
        self._plain, self._plain_size = hashlib.sha256(), 0
        self._checksum = 0
        self._emit(HEADER)

    def write(self, content: bytes) -> None:
        """Add bytes as they are."""
        self._account(content)
        pieces = []
        for start in range(0, len(content), STORED_MAX):
            piece = content[start : start + STORED_MAX]
            pieces += [_stored_header(len(piece)), piece]
        self._emit(b"".join(pieces))

    def write_text(self, length: int) -> None:
        """Add ``length`` bytes of text that shrink to about a hundredth of it."""
        self._account(text(length))
        self._emit(_deflated_text(length))

    def finish(self) -> tuple[Blob, Blob]:
        """Return the compressed and the uncompressed content's digest and size."""
        self._emit(LAST_BLOCK + self._checksum.to_bytes(4, "little"))
        self._emit((self._plain_size & 0xFFFFFFFF).to_bytes(4, "little"))
        packed = Blob(Digest(self._packed.hexdigest()), self._packed_size)
        return packed, Blob(Digest(self._plain.hexdigest()), self._plain_size)

    def _account(self, content: bytes) -> None:
        self._plain.update(content)
        self._plain_size += len(content)
        self._checksum = zlib.crc32(content, self._checksum)

    def _emit(self, packed: bytes) -> None:
        self._packed.update(packed)
        self._packed_size += len(packed)
        self._part.write(packed)


@functools.lru_cache(maxsize=8)
def text(length: int) -> bytes:
    """Return the repetitive text of that length."""
    return (LINE * (length // len(LINE) + 1))[:length]


def _stored_header(length: int) -> bytes:
    return b"\x00" + length.to_bytes(2, "little") + (length ^ 0xFFFF).to_bytes(2, "little")


@functools.lru_cache(maxsize=64)
def _deflated_text(length: int) -> bytes:
    """Return the deflate blocks of ``text(length)``: one line, matches of that line, the rest; byte-aligned."""
    matches, rest = divmod(max(length - len(LINE), 0), MATCH_MAX)
    literals = text(length)
    head, tail = literals[: len(LINE)], literals[length - rest :] if rest else b""
    bits = "010" + _literals(head) + MATCH_BITS * matches + _literals(tail) + "0000000"
    bits += "000"  # an empty stored block follows, whose length field begins at a byte
    packed = int(bits[::-1], 2).to_bytes((len(bits) + 7) // 8, "little")
    return packed + b"\x00\x00\xff\xff"


def _literals(content: bytes) -> str:
    return "".join(format(0x30 + byte, "08b") for byte in content)  # ASCII only: codes of 8 bits
