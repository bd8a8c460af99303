# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Parity over the drives of a bundle: the blobs of any one drive come back from all others.

The blobs of each drive, one after another, are one long string. The parity is the exclusive or of these strings, the
shorter ones followed by zeros, as in RAID 4. So it is as large as the fullest drive. It needs no library, which nodes
do not have; more than one lost drive would need Reed-Solomon codes. Nothing here is trusted: what is rebuilt has to
have its digest.
"""

from __future__ import annotations

import contextlib
import hashlib
import typing as t
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_files import BlobReader
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sink import BlobSink
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import AbsentHereError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import DamagedBundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob, BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import PARITY_FILE, VolumeSet
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

BLOCK = 2 * MIB
"""Bytes of each drive that are in memory at once."""


class VolumeString:
    """The ``blobs`` of one drive one after another."""

    def __init__(self, blobs: Sequence[Blob]) -> None:
        self._blobs = tuple(blobs)
        self._ends = tuple(accumulate(blob.size for blob in blobs))
        self.size = self._ends[-1] if self._ends else 0

    def start_of(self, digest: Digest) -> int | None:
        """Return where a blob begins, None if the drive does not have it."""
        found = (end - blob.size for blob, end in zip(self._blobs, self._ends) if blob.digest == digest)
        return next(found, None)

    def pieces(self, start: int, stop: int) -> Iterator[tuple[Blob, int, int]]:
        """Yield what is between two offsets, as blobs with the first and the last offset in each."""
        for blob, end in zip(self._blobs, self._ends):
            begin = end - blob.size
            if max(begin, start) < min(end, stop):
                yield blob, max(start - begin, 0), min(stop, end) - begin


def volume_strings(volumes: VolumeSet, index: BundleIndex) -> list[VolumeString]:
    """Return the strings of all drives. Raises DamagedBundleError for a document that is about other blobs."""
    try:
        return [VolumeString([index.blobs[digest] for digest in one.blobs]) for one in volumes.volumes]
    except KeyError as error:
        raise DamagedBundleError(
            "use the parity of the bundle",
            on=str(index.digest),
            seen=f"it covers the blob {error}, which the index does not have",
            advice="Write the drives again.",
        ) from error


def write_parity(
    strings: Sequence[VolumeString],
    shelves: Sequence[BundleFolder],
    target: BundleFolder,
    counted: Callable[[int], t.Any],
) -> Digest:
    """Write the parity over ``strings``, whose blobs are in ``shelves``, to ``target`` and return its digest.

    Raises AbsentHereError for a blob that is missing there, and FileAccessError.
    """
    size = max(string.size for string in strings)
    hasher = hashlib.sha256()
    path = target.path / PARITY_FILE
    with target.growing(path.with_name(f"{path.name}.part"), size) as file:
        file.restart()
        for start in range(0, size, BLOCK):
            stop = min(start + BLOCK, size)
            block = exclusive_or((_content(string, shelves, start, stop) for string in strings), stop - start)
            hasher.update(block)
            file.write(block)
            counted(len(block))
        file.publish(path)
    return Digest(hasher.hexdigest())


def parity_digest(folder: BundleFolder) -> Digest | None:
    """Read the parity in ``folder`` and return its digest, None where there is none. Raises FileAccessError."""
    hasher = hashlib.sha256()
    with BlobReader.opened(folder.path / PARITY_FILE) as reader:
        if reader is None:
            return None
        for block in reader.blocks():
            hasher.update(block)
    return Digest(hasher.hexdigest())


class ParitySource:
    """What the parity in ``folder`` and the blobs of all other drives, which are in ``shelves``, come to."""

    is_filling = False

    def __init__(
        self, folder: BundleFolder, volumes: VolumeSet, index: BundleIndex, shelves: Sequence[BundleFolder]
    ) -> None:
        self.name = f"the parity in {folder.path}"
        self._path = folder.path / PARITY_FILE
        self._strings = volume_strings(volumes, index)
        self._shelves = shelves

    def fill(self, blob: Blob, sink: BlobSink, stop: int, deadline: Deadline) -> None:
        """Rebuild what ``sink`` lacks."""
        lost = next((one for one in self._strings if one.start_of(blob.digest) is not None), None)
        start = lost.start_of(blob.digest) if lost is not None else None
        if lost is None or start is None:
            raise AbsentHereError("it does not cover this blob")
        others = [one for one in self._strings if one is not lost]
        while sink.position < min(stop, blob.size) and not deadline.expired:
            first = start + sink.position
            last = min(first + BLOCK, start + blob.size)
            found = [self._parity(first, last), *(_content(one, self._shelves, first, last) for one in others)]
            block = memoryview(exclusive_or(found, last - first))
            sink.write(block)
            sink.update(block)

    def close(self) -> None:
        """Nothing is kept open."""

    def _parity(self, start: int, stop: int) -> bytes:
        try:
            with BlobReader.opened(self._path) as reader:
                if reader is None or reader.size < stop:
                    raise AbsentHereError("it is missing, or not complete")
                return b"".join(bytes(block) for block in reader.blocks(start, stop))
        except FileAccessError as error:
            raise AbsentHereError(f"it cannot be read: {error.seen}") from error


def exclusive_or(blocks: Iterable[bytes], length: int) -> bytes:
    """Return the exclusive or of ``blocks``, the shorter ones followed by zeros."""
    total = 0
    for block in blocks:
        total ^= int.from_bytes(block, "little")
    return total.to_bytes(length, "little")


def _content(string: VolumeString, shelves: Sequence[BundleFolder], start: int, stop: int) -> bytes:
    return b"".join(_piece(blob, shelves, first, last) for blob, first, last in string.pieces(start, stop))


def _piece(blob: Blob, shelves: Sequence[BundleFolder], start: int, stop: int) -> bytes:
    for shelf in shelves:
        with contextlib.suppress(FileAccessError), shelf.open_blob(blob.digest) as reader:
            if reader is not None and reader.size == blob.size:
                return b"".join(bytes(block) for block in reader.blocks(start, stop))
    raise AbsentHereError(f"it also needs the blob {blob.digest}, which no connected drive has")
