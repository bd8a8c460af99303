# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""How much of a blob that lies half received on the disk can be believed."""

from __future__ import annotations

import hashlib
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PIECE_SIZE

if t.TYPE_CHECKING:
    from collections.abc import Iterable


class Sha256(t.Protocol):
    """The object that hashlib.sha256 returns."""

    def update(self, block: memoryview, /) -> object:
        """Add ``block``."""

    def hexdigest(self) -> str:
        """Return the digest of all that was added."""

    def copy(self) -> Sha256:
        """Return one that goes on from here on its own."""


def proved_beginning(pieces: Iterable[str], blocks: Iterable[memoryview]) -> tuple[int, Sha256]:
    """Return how many bytes of ``blocks`` are proved by the digests of whole ``pieces``, and the sha256 of those.

    The first wrong piece ends it, and so does what is left when the blocks end within a piece: after a power cut the
    last bytes of a file may be zeros. A blob without digests of pieces proves nothing and is begun anew.
    """
    whole: Sha256 = hashlib.sha256()
    proved = 0
    expected = iter(pieces)
    piece: Sha256 = hashlib.sha256()
    ahead, filled = whole.copy(), 0
    for block in blocks:
        while block:
            part = block[: PIECE_SIZE - filled]
            piece.update(part)
            ahead.update(part)
            filled += len(part)
            block = block[len(part) :]
            if filled == PIECE_SIZE:
                if piece.hexdigest() != next(expected, ""):
                    return proved, whole
                proved += PIECE_SIZE
                whole, piece, filled = ahead.copy(), hashlib.sha256(), 0
    return proved, whole
