# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A blob that is being written to a folder: its growing file and its digests in one."""

from __future__ import annotations

from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_files import PartedFile
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.prefix_hasher import PrefixHasher
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import WrongContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob


class BlobSink:
    """Takes the bytes of ``blob`` into ``file``.

    ``there`` receives the number of bytes that were there already, and, as negative ones, of bytes that are thrown
    away; ``arrived`` of those that are written, and of their ``origin``. Either may end the work by an exception.
    """

    def __init__(
        self,
        blob: Blob,
        file: PartialFile | PartedFile,
        *,
        there: Callable[[int], object],
        arrived: Callable[[str, int], object],
    ) -> None:
        self._blob = blob
        self._file = file
        self._there = there
        self._arrived = arrived
        self._hasher = PrefixHasher(blob.prefixes)
        self.origin = ""
        for block in file.blocks():
            self._hasher.update(block)
            there(len(block))
        self._inherited = self._hasher.position
        if self._hasher.is_wrong or (self._inherited == blob.size and not self.is_right):
            self.rewind()

    @property
    def position(self) -> int:
        """Offset of the next byte."""
        return self._file.position

    @property
    def is_inherited(self) -> bool:
        """Whether bytes that an earlier sitting left, and that nothing proves, may be what is wrong."""
        return self._inherited > self._hasher.proved

    def write(self, chunk: memoryview) -> None:
        """Take ``chunk`` to the disk."""
        self._file.write(chunk)
        self._arrived(self.origin, len(chunk))

    def update(self, block: memoryview) -> None:
        """Add ``block`` to the digests; raise WrongContentError as soon as a prefix is not what it should be."""
        self._hasher.update(block)
        if self._hasher.is_wrong:
            raise WrongContentError(
                "receive a blob",
                on=str(self._blob.digest),
                seen=f"its first {self._hasher.position} bytes do not match the index",
                advice="Use another source. The verified bytes are kept.",
            )

    def hexdigest(self) -> str:
        """Return the digest of everything so far."""
        return self._hasher.hexdigest()

    def restart(self) -> None:
        """Throw away what was written so far."""
        self._hasher.restart()
        self._cut(0)

    def rewind(self) -> None:
        """Throw away what is not proved."""
        self._cut(self._hasher.rewind())

    @property
    def is_right(self) -> bool:
        """Whether the whole blob is there."""
        return self.position == self._blob.size and self.hexdigest() == self._blob.digest.hex

    def prefixes(self) -> tuple[str, ...]:
        """Return the digests of its prefixes."""
        return self._hasher.prefixes()

    def _cut(self, length: int) -> None:
        self._there(length - self._file.position)
        self._file.keep(length)
        self._inherited = min(self._inherited, length)
