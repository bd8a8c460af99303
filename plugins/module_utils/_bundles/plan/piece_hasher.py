# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The digests of one blob while its bytes pass by: of the whole, and of each piece where it is large."""

from __future__ import annotations

import hashlib
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PIECE_SIZE

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

_GZIP = b"\x1f\x8b"
_WRAP = 1 << 32
_LARGE = 1 << 30


@dataclass(frozen=True)
class BlobFacts:
    """What was found out about a blob whose digest is right; see ``bundle_index.Blob``."""

    digest: Digest
    size: int
    pieces: tuple[str, ...]
    unpacked_size: int | None


class PieceHasher:
    """Hashes a blob of ``size`` bytes in blocks of any length."""

    def __init__(self, size: int) -> None:
        self._is_large = size > PIECE_SIZE
        self.restart()

    def restart(self) -> None:
        """Begin with the first byte again."""
        self._whole = hashlib.sha256()
        self._piece = hashlib.sha256()
        self._in_piece = 0
        self._done: list[str] = []

    def update(self, block: memoryview) -> None:
        """Add ``block``."""
        self._whole.update(block)
        if not self._is_large:
            return
        while block:
            part = block[: PIECE_SIZE - self._in_piece]
            self._piece.update(part)
            self._in_piece += len(part)
            block = block[len(part) :]
            if self._in_piece == PIECE_SIZE:
                self._close_piece()

    def hexdigest(self) -> str:
        """Return the digest of all bytes so far."""
        return self._whole.hexdigest()

    def pieces(self) -> tuple[str, ...]:
        """Return the digests of the pieces, the last and shorter one included."""
        rest = (self._piece.hexdigest(),) if self._in_piece else ()
        return (*self._done, *rest)

    def _close_piece(self) -> None:
        self._done.append(self._piece.hexdigest())
        self._piece = hashlib.sha256()
        self._in_piece = 0


def unpacked_size(size: int, head: bytes, tail: bytes) -> int | None:
    """Return the bytes that a gzip blob of ``size`` unpacks to, from its first and last bytes; None if unknown.

    The last four bytes tell the size modulo 4 GiB, of the last member (RFC 1952, 2.3.1). A number below what the blob
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
