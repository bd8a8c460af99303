# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Blobs into the folder of a bundle: from where the last sitting ended, named once they are found to be right."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.piece_hasher import (
    BlobFacts,
    PieceHasher,
    unpacked_size,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_folder import BundleFolder
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.parallel import StopSign
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

READ_BLOCK = 1024 * 1024


class BlobIntake:
    """A blob on its way into a partial file: the sink of a download and its hasher in one."""

    def __init__(self, partial: PartialFile, size: int, *, stop: StopSign, counted: Callable[[int], object]) -> None:
        self._partial = partial
        self._stop = stop
        self._counted = counted
        self._hasher = PieceHasher(size)
        for block in partial.blocks():
            stop.heed()
            self._hasher.update(block)
            counted(len(block))

    @property
    def position(self) -> int:
        """Offset of the next byte."""
        return self._partial.position

    def write(self, chunk: memoryview) -> None:
        """Take ``chunk`` to the disk."""
        self._stop.heed()
        self._partial.write(chunk)

    def restart(self) -> None:
        """Throw away what was taken so far."""
        self._counted(-self._partial.position)
        self._partial.restart()
        self._hasher.restart()

    def update(self, block: memoryview) -> None:
        """Add ``block`` to the digests."""
        self._hasher.update(block)

    def hexdigest(self) -> str:
        """Return the digest of everything so far."""
        return self._hasher.hexdigest()

    def pieces(self) -> tuple[str, ...]:
        """Return the digests of the pieces."""
        return self._hasher.pieces()


def take_blob(
    folder: BundleFolder,
    digest: Digest,
    size: int,
    fill: Callable[[BlobIntake], object],
    *,
    stop: StopSign,
    counted: Callable[[int], object],
) -> BlobFacts:
    """Let ``fill`` bring the blob, name it, and return the facts about it.

    ``fill`` must have verified the digest when it returns. Its errors leave the partial file for the next sitting.
    ``counted`` is told of bytes that are there already, and, as negative ones, of bytes that are thrown away.
    """
    with PartialFile.opened(folder.partial(digest), longest=size) as partial:
        intake = BlobIntake(partial, size, stop=stop, counted=counted)
        fill(intake)
        partial.publish(folder.blob(digest))
    return BlobFacts(digest, size, intake.pieces(), _unpacked(folder.blob(digest), size))


def check_blob(path: Path, digest: Digest, size: int, *, stop: StopSign, counted: Callable[[int], object]) -> BlobFacts:
    """Read the blob at ``path`` and return the facts about it; its digest is what was found, right or not."""
    hasher = PieceHasher(size)
    buffer = memoryview(bytearray(READ_BLOCK))
    seen = 0
    with explained(f"read the blob {digest}", path), path.open("rb", buffering=0) as stream:
        while True:
            stop.heed()
            count = stream.readinto(buffer)
            if not count:
                break
            hasher.update(buffer[:count])
            seen += count
            counted(count)
    found = type(digest)(hasher.hexdigest())
    return BlobFacts(found, seen, hasher.pieces(), _unpacked(path, seen) if found == digest else None)


def kept_blob(
    folder: BundleFolder, digest: Digest, size: int, *, stop: StopSign, counted: Callable[[int], object]
) -> BlobFacts | None:
    """Return the facts about a blob that is already there and right; remove one that is not, and return None."""
    if not folder.has(digest, size):
        return None
    read = 0

    def count(number: int) -> None:
        nonlocal read
        read += number
        counted(number)

    facts = check_blob(folder.blob(digest), digest, size, stop=stop, counted=count)
    if (facts.digest, facts.size) == (digest, size):
        return facts
    counted(-read)
    remove_file(folder.blob(digest))
    return None


def _unpacked(path: Path, size: int) -> int | None:
    with explained("read the blob", path), path.open("rb") as stream:
        head = stream.read(2)
        stream.seek(max(0, size - 4))
        return unpacked_size(size, head, stream.read(4))
