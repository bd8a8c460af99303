# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A bundle as it lies in a directory: where its parts are, what is there, and who may work in it."""

from __future__ import annotations

import contextlib
import stat
import typing as t
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_source import (
    BLOCK,
    LARGEST_SIGNATURE,
    BundleSource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory, remove_tree
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import locked
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BLOB_FOLDER,
    CHECKSUM_FILE,
    INDEX_FILE,
    INDEX_SIGNATURE_FILE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import LARGEST_INDEX
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

BUILD_FOLDER = ".build"
LOCK_FILE = ".lock"


@dataclass(frozen=True)
class BundleFolder(BundleSource):
    """The directory at ``path``, which may hold a bundle, the beginnings of one, or nothing yet."""

    path: Path

    @property
    def index_path(self) -> Path:
        """Return where the index is."""
        return self.path / INDEX_FILE

    @property
    def build_folder(self) -> Path:
        """Return where a build keeps what is not finished; it is no part of the bundle."""
        return self.path / BUILD_FOLDER

    def blob(self, digest: Digest) -> Path:
        """Return where a blob is; what has this name was found to have this digest when it got it."""
        return self.path / BLOB_FOLDER / digest.hex

    def partial(self, digest: Digest) -> Path:
        """Return where the beginning of a blob is kept."""
        return self.build_folder / f"{digest.hex}.part"

    def has(self, digest: Digest, size: int) -> bool:
        """Whether a regular file of the right name and size is there."""
        return self.size_of(self.blob(digest)) == size

    def size_of(self, path: Path) -> int | None:
        """Return the size of the regular file ``path``; None for anything else, links included."""
        with explained("look at the file", path):
            try:
                seen = path.lstat()
            except (FileNotFoundError, NotADirectoryError):
                return None
        return seen.st_size if stat.S_ISREG(seen.st_mode) else None

    def index_bytes(self) -> bytes | None:
        """Return the bytes of the index, None where there is none."""
        return read_file(self.index_path, limit=LARGEST_INDEX)

    def index_signature(self) -> bytes | None:
        """Return the detached signature of the index, None where there is none."""
        return read_file(self.path / INDEX_SIGNATURE_FILE, limit=LARGEST_SIGNATURE)

    def blob_size(self, digest: Digest) -> int | None:
        """Return the size of a blob as it lies there, None where it does not, or is no regular file."""
        return self.size_of(self.blob(digest))

    def blocks(self, digest: Digest, start: int = 0, stop: int | None = None) -> Iterator[memoryview]:
        """Yield a blob's bytes from ``start`` up to ``stop``, or its end. Raises FileAccessError."""
        path, buffer = self.blob(digest), memoryview(bytearray(BLOCK))
        with explained(f"read the blob {digest}", path), path.open("rb", buffering=0) as stream:
            stream.seek(start)
            left = stop - start if stop is not None else None
            while left is None or left > 0:
                count = stream.readinto(buffer if left is None else buffer[:left])
                if not count:
                    return
                left = None if left is None else left - count
                yield buffer[:count]

    def write_index(self, index: BundleIndex, checksums: bytes) -> bool:
        """Make ``index`` the bundle's; return whether it changed. The checksums follow it."""
        changed = write_file(self.index_path, index.as_bytes())
        write_file(self.path / CHECKSUM_FILE, checksums)
        return changed

    def write_index_signature(self, signature: bytes | None) -> bool:
        """Keep the signature of the index, or remove one that belongs to another; return whether that changed it."""
        path = self.path / INDEX_SIGNATURE_FILE
        return remove_file(path) if signature is None else write_file(path, signature)

    def blob_digests(self) -> set[Digest]:
        """Return the digests in the names of the blobs that are there."""
        return {Digest(name) for name in self._names(self.path / BLOB_FOLDER) if _is_digest(name)}

    def keep_only(self, wanted: set[Digest]) -> int:
        """Remove blobs that are not ``wanted``, and what builds left; return how many blobs went."""
        stale = self.blob_digests() - wanted
        for digest in stale:
            remove_file(self.blob(digest))
        remove_tree(self.build_folder)
        return len(stale)

    def prepare(self) -> None:
        """Make the folders; raise BundleError for a directory that holds something else."""
        self.refuse_foreign()
        for folder in (self.path, self.path / "blobs", self.path / BLOB_FOLDER, self.build_folder):
            # The modes of a disk that is already in use are its owner's business; FAT has none at all.
            if folder.is_symlink() or not folder.is_dir():
                ensure_directory(folder)

    @contextlib.contextmanager
    def locked(self, clock: Clock) -> Iterator[None]:
        """Hold the folder for one builder; raise BundleError while another one works in it."""
        try:
            with locked(self.path / LOCK_FILE, Deadline(0, clock)):
                yield
                remove_file(self.path / LOCK_FILE)
        except DeadlineExceededError as error:
            if error.on != str(self.path / LOCK_FILE):
                raise
            raise BundleError(
                "work in the folder of the bundle",
                on=str(self.path),
                seen="another process builds or changes a bundle there",
                advice="Wait until it has ended, or give each bundle a folder of its own.",
                transient=True,
            ) from error

    def refuse_foreign(self) -> None:
        """Raise BundleError if the directory holds something else than a bundle or the beginnings of one."""
        names = self._names(self.path)
        ours = {INDEX_FILE, BUILD_FOLDER} & names
        if "oci-layout" in names or ("blobs" in names and not ours):
            raise BundleError(
                "build a bundle",
                on=str(self.path),
                seen="the folder holds blobs of something else, such as an OCI layout",
                advice="Choose another folder: blobs that no bundle needs would be removed from this one.",
            )

    def _names(self, folder: Path) -> set[str]:
        with explained("list the directory", folder):
            try:
                return {entry.name for entry in folder.iterdir()}
            except FileNotFoundError:
                return set()


def _is_digest(name: str) -> bool:
    return len(name) == 64 and set(name) <= set("0123456789abcdef")
