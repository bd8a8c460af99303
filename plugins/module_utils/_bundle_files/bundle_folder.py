# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bundle as stored in a directory: on removable media, where it is built, or staged on a node."""

from __future__ import annotations

import hashlib
import os
import typing as t
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_files import (
    BlobReader,
    PartedFile,
    blob_size,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import (
    open_directory,
    read_file,
    remove_file,
    sync_directory,
    write_file,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import (
    DamagedBundleError,
    WrongContentError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BLOB_FOLDER,
    CHECKSUM_FILE,
    INDEX_FILE,
    INDEX_SIGNATURE_FILE,
    Blob,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import (
    LARGEST_INDEX,
    read_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import (
    LARGEST_DOCUMENT,
    VOLUME_FILE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

PART = ".part"
"""What the name of a blob ends in while it is being received."""
BUILD_FOLDER = ".build"
LARGEST_READ = 16 * 1024 * 1024
LARGEST_SIGNATURE = 1024 * 1024


@dataclass(frozen=True)
class BundleFolder:
    """The directory at ``path``, which may hold a bundle, the beginnings of one, or nothing yet.

    Its content is not trusted: the digest identifies a blob. ``part_size`` is set where no larger file can
    be written.
    """

    path: Path
    part_size: int | None = None

    @property
    def index_path(self) -> Path:
        """Return where the index is."""
        return self.path / INDEX_FILE

    @property
    def members(self) -> tuple[BundleFolder, ...]:
        """Return the folders that hold the bundle together."""
        return (self,)

    def home(self, digest: Digest) -> BundleFolder:  # noqa: ARG002
        """Return which of the folders holds, or is going to hold, a blob."""
        return self

    @property
    def blobs(self) -> Path:
        """Return where the blobs are."""
        return self.path / BLOB_FOLDER

    @property
    def build_folder(self) -> Path:
        """Return where a build keeps its notes; it is no part of the bundle."""
        return self.path / BUILD_FOLDER

    def blob(self, digest: Digest) -> Path:
        """Return where a blob is; what has this name was found to have this digest when it got it."""
        return self.blobs / digest.hex

    def part(self, digest: Digest) -> Path:
        """Return where a blob is that is still being received."""
        return self.blobs / f"{digest.hex}{PART}"

    def blob_size(self, digest: Digest) -> int | None:
        """Return the size of a stored blob, None if it does not exist or is not a regular file."""
        return blob_size(self.blob(digest))

    def has(self, digest: Digest, size: int) -> bool:
        """Whether a blob of the right name and size is there."""
        return self.blob_size(digest) == size

    def open_blob(self, digest: Digest) -> t.ContextManager[BlobReader | None]:
        """Open a blob for reading; None where there is none. Raises FileAccessError."""
        return BlobReader.opened(self.blob(digest))

    def read_blob(self, digest: Digest) -> bytes | None:
        """Return the unchecked bytes of a small blob, None where there is none or it is not small."""
        with self.open_blob(digest) as blob:
            if blob is None or blob.size > LARGEST_READ:
                return None
            return b"".join(bytes(block) for block in blob.blocks())

    def receiving(self, digest: Digest, size: int) -> t.ContextManager[PartialFile | PartedFile]:
        """Open the blob's growing file; it is readable for all, because a relay without rights passes it on."""
        return self.growing(self.part(digest), size)

    def growing(self, path: Path, size: int) -> t.ContextManager[PartialFile | PartedFile]:
        """Open a file that is going to have ``size`` bytes, in parts where it has to be."""
        if self.part_size is not None and size > self.part_size:
            return PartedFile.opened(path, self.part_size, longest=size)
        return PartialFile.opened(path, longest=size, mode=0o644)

    def index_bytes(self) -> bytes | None:
        """Return the bytes of the index, None where there is none. Raises FileAccessError."""
        return read_file(self.index_path, limit=LARGEST_INDEX)

    def index_signature(self) -> bytes | None:
        """Return the detached signature of the index, None where there is none."""
        return read_file(self.path / INDEX_SIGNATURE_FILE, limit=LARGEST_SIGNATURE)

    def volume_bytes(self) -> bytes | None:
        """Return the bytes of the document about the drives of a bundle, None where it is on one only."""
        return read_file(self.path / VOLUME_FILE, limit=LARGEST_DOCUMENT)

    def read_index(self) -> BundleIndex | None:
        """Return the index, None where there is none; raise InvalidInputError for a damaged one."""
        content = self.index_bytes()
        return None if content is None else read_index(content)

    def require_index(self, digest: Digest | None = None) -> BundleIndex:
        """Return the index; raise DamagedBundleError where there is none, WrongContentError for another ``digest``."""
        content = self.require_index_bytes()
        return read_index(content) if digest is None else verified_index(content, digest, str(self.path))

    def require_index_bytes(self) -> bytes:
        """Return the bytes of the index, which nothing proves yet; raise DamagedBundleError where there are none."""
        content = self.index_bytes()
        if content is None:
            raise DamagedBundleError(
                "read the bundle",
                on=str(self.path),
                seen=f"it has no {INDEX_FILE}",
                advice="Check the path. A bundle has no index until its build has ended.",
            )
        return content

    def last_index(self) -> BundleIndex | None:
        """Return the index if there is a usable one: what it says is only used where the bytes confirm it."""
        try:
            return self.read_index()
        except InvalidInputError:
            return None

    def sizes(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return the sizes of the blobs that are there, and of those that are incomplete, by hexadecimal digest."""
        named: dict[str, int] = {}
        begun: dict[str, int] = {}
        for entry in self._entries():
            name, _dot, rest = entry.name.partition(".")
            group = begun if rest.startswith(PART[1:]) else named
            group[name] = group.get(name, 0) + entry.stat(follow_symlinks=False).st_size
        return named, begun

    def filled_at(self) -> datetime:
        """Return when a blob was last added or removed, by the clock of this machine."""
        with explained("read the directory", self.blobs):
            return datetime.fromtimestamp(self.blobs.stat().st_mtime, timezone.utc)

    def lacking(self, blobs: Iterable[Blob]) -> list[Blob]:
        """Return those of ``blobs`` that are not there with their sizes."""
        named = self.sizes()[0]
        return [blob for blob in blobs if named.get(blob.digest.hex) != blob.size]

    def blob_digests(self) -> set[Digest]:
        """Return the digests in the names of the blobs that are there."""
        return {Digest(name) for name in self.sizes()[0] if is_hex_digest(name)}

    def write_index(self, index: BundleIndex, checksums: bytes) -> bool:
        """Make ``index`` the bundle's; return whether it changed. The checksums follow it."""
        self.sync_names()
        changed = write_file(self.index_path, index.as_bytes())
        self.write_checksums(checksums)
        return changed

    def write_checksums(self, checksums: bytes) -> bool:
        """Write the checksums of the index and the blobs; return whether that changed them."""
        return write_file(self.path / CHECKSUM_FILE, checksums)

    def write_index_signature(self, signature: bytes | None) -> bool:
        """Keep the signature of the index, or remove one that belongs to another; return whether that changed it."""
        path = self.path / INDEX_SIGNATURE_FILE
        return remove_file(path) if signature is None else write_file(path, signature)

    def sync_names(self) -> None:
        """Flush the names of the blobs to the disk: once for many, since each flush takes time on removable media."""
        with explained("flush the directory", self.blobs), open_directory(self.blobs) as directory:
            sync_directory(directory)

    def _entries(self) -> Iterator[os.DirEntry[str]]:
        with explained("list the directory", self.blobs):
            try:
                entries = list(os.scandir(self.blobs))
            except FileNotFoundError:
                return
            yield from (entry for entry in entries if entry.is_file(follow_symlinks=False))


def verified_index(content: bytes, digest: Digest, on: str) -> BundleIndex:
    """Return the index in ``content``, which is not parsed before it was found to have ``digest``.

    Raises WrongContentError for other bytes, InvalidInputError for an index that is damaged in itself.
    """
    seen = hashlib.sha256(content).hexdigest()
    if seen != digest.hex:
        raise WrongContentError(
            "accept the index of the bundle",
            on=on,
            seen=f"its digest is sha256:{seen}, not the vetted {digest}",
            advice="Use the source that contains the vetted bundle. Nothing of this source was used.",
        )
    return read_index(content)


def is_hex_digest(name: str) -> bool:
    """Whether ``name`` has the form of the hexadecimal digest that names a blob's file."""
    return len(name) == 64 and set(name) <= set("0123456789abcdef")
