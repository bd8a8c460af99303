# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bundle whose blobs are spread over several folders, such as one on each drive, and which is used as one."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_files import PartedFile, blob_size
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._host.free_space import free_space
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile
from ansible_collections.fieldops.openshift.plugins.module_utils._host.regular_file import regular_size
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE, BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


@dataclass(frozen=True)
class SpreadBundle(BundleFolder):
    """The bundle in this folder and in the ``others``, each with the same index and with whole blobs.

    ``parity`` is a folder without blobs of its own. ``places`` are the folders that were chosen for blobs.
    """

    others: tuple[BundleFolder, ...] = ()
    parity: BundleFolder | None = None
    places: dict[Digest, BundleFolder] = field(default_factory=dict, compare=False, repr=False)

    @property
    def shelves(self) -> tuple[BundleFolder, ...]:
        """Return the folders with blobs."""
        return (BundleFolder(self.path, self.part_size), *self.others)

    @property
    def members(self) -> tuple[BundleFolder, ...]:
        """Return all folders: those with blobs, and that with the parity."""
        return (*self.shelves, *([self.parity] if self.parity is not None else []))

    def place(self, places: Mapping[Digest, BundleFolder]) -> None:
        """Choose the folders of blobs that no folder holds yet."""
        self.places.update(places)

    def home(self, digest: Digest) -> BundleFolder:
        """Return the folder that holds the blob or its beginning, else the one that was chosen or is the emptiest."""
        shelves = self.shelves
        for path_of in (BundleFolder.blob, BundleFolder.part):
            for shelf in shelves:
                if blob_size(path_of(shelf, digest)) is not None:
                    return shelf
        if digest not in self.places:
            self.places[digest] = max(shelves, key=lambda shelf: free_space(shelf.path).free)
        return self.places[digest]

    def blob(self, digest: Digest) -> Path:
        """Return where a blob is or is going to be."""
        return self.home(digest).blob(digest)

    def part(self, digest: Digest) -> Path:
        """Return where a blob is that is still being received."""
        return self.home(digest).part(digest)

    def receiving(self, digest: Digest, size: int) -> t.ContextManager[PartialFile | PartedFile]:
        """Open the blob's growing file in its folder."""
        return self.home(digest).receiving(digest, size)

    def index_bytes(self) -> bytes | None:
        """Return the index of the first folder that has one."""
        return next((content for one in self.members if (content := one.index_bytes()) is not None), None)

    def index_signature(self) -> bytes | None:
        """Return the signature next to that index."""
        holding = next((one for one in self.members if one.index_bytes() is not None), None)
        return holding.index_signature() if holding is not None else None

    def volume_bytes(self) -> bytes | None:
        """Return the document about the drives of the first folder that has one."""
        return next((content for one in self.members if (content := one.volume_bytes()) is not None), None)

    def sizes(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return the sizes of the blobs and of the beginnings in all folders."""
        named: dict[str, int] = {}
        begun: dict[str, int] = {}
        for shelf in reversed(self.shelves):
            found, started = shelf.sizes()
            named.update(found)
            begun.update(started)
        return named, begun

    def write_index(self, index: BundleIndex, checksums: bytes) -> bool:
        """Make ``index`` the bundle's in each folder, with the checksums of what that folder has."""
        changed = [one.write_index(index, _own_lines(one, checksums)) for one in self.members]
        return any(changed)

    def write_checksums(self, checksums: bytes) -> bool:
        """Write the lines of ``checksums`` to the folders that they are about; return whether that changed any."""
        changed = [one.write_checksums(_own_lines(one, checksums)) for one in self.members]
        return any(changed)

    def write_index_signature(self, signature: bytes | None) -> bool:
        """Keep the signature of the index in each folder."""
        changed = [one.write_index_signature(signature) for one in self.members]
        return any(changed)

    def sync_names(self) -> None:
        """Flush the names of the blobs in each folder."""
        for one in self.members:
            one.sync_names()


def _own_lines(folder: BundleFolder, checksums: bytes) -> bytes:
    """Return those lines of SHA256SUMS whose files are in ``folder``."""
    lines = checksums.splitlines(keepends=True)
    return b"".join(
        line
        for line in lines
        if line.rstrip().endswith(INDEX_FILE.encode())
        or regular_size(folder.blobs / line[:64].decode("ascii")) is not None
    )
