# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a relay has to offer: the index of one bundle and the blobs that it lists, as far as they are here."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import os
import re
import stat
import typing as t
from collections.abc import Iterator, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.answers import Entity
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bodies import Body, Document, PartedBody
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.errors import RelayError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BLOB_FOLDER,
    INDEX_FILE,
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

INDEX_PATH: t.Final = f"/{INDEX_FILE}"
VOLUME_PATH: t.Final = f"/{VOLUME_FILE}"

_BLOB_PATH = re.compile(rf"/{BLOB_FOLDER}/([0-9a-f]{{64}})")
FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class Endpoint(t.Protocol):
    """Where a relay finds what clients request; used by many threads at once."""

    def find(self, path: str) -> Entity | None:
        """Return what is offered under the path of a request, None for anything else."""

    def open(self, path: str) -> t.ContextManager[Body]:
        """Open what ``find`` has just found; raises OSError where it has been removed since then."""


class BundleEndpoint:
    """A bundle in a folder, or parts of one in several: each blob is taken where it is whole.

    The index is read once and must have ``digest``; from then on only the blobs that it lists exist, and each only as
    long as it is a regular file of the right size. No link is followed below the folder.
    """

    def __init__(self, folder: Path, digest: Digest, parts: Sequence[Path] = ()) -> None:
        """Raises RelayError when one of the folders does not hold that index."""
        with contextlib.ExitStack() as closing:
            shelves, opened = [], []
            for each in (folder, *parts):
                descriptor = _opened(each)
                closing.callback(os.close, descriptor)
                opened.append(descriptor)
                content = _read_index(descriptor, each, digest)
                shelves.append(_open_below(descriptor, BLOB_FOLDER))
                closing.callback(os.close, shelves[-1])
            self.index: BundleIndex = read_index(content)
            self._documents = {INDEX_PATH: Document(content), **_volume_document(opened)}
            self._needed = frozenset(self.index.needed())
            self.digest = digest
            self.blobs, *self._others = shelves
            self._open = closing.pop_all()

    def close(self) -> None:
        """Release the folders, so that their file systems can be unmounted."""
        self._open.close()

    def find(self, path: str) -> Entity | None:
        """Return the index, what there is to know of the drives, or a blob that the index lists and that is here."""
        document = self._documents.get(path)
        if document is not None:
            size, tag = len(document.content), hashlib.sha256(document.content).hexdigest()
            return Entity(f"sha256:{tag}", size, "application/json", ((0, size),))
        blob = self.listed(path)
        return None if blob is None else self.entity(blob)

    @contextlib.contextmanager
    def open(self, path: str) -> Iterator[Body]:
        """Open what ``find`` has found; raises OSError where it is not that any more."""
        if path in self._documents:
            yield self._documents[path]
            return
        blob = self.listed(path)
        if blob is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        with self.opened(blob) as body:
            yield body

    def entity(self, blob: Blob) -> Entity | None:
        """Return a blob that the index lists, as far as it is here; None where it is not."""
        if sum(size for _shelf, _name, size in self._files(blob)) != blob.size:
            return None
        return Entity(str(blob.digest), blob.size, "application/octet-stream", ((0, blob.size),))

    @contextlib.contextmanager
    def opened(self, blob: Blob) -> Iterator[PartedBody]:
        """Open a blob that the index lists; raises OSError where it is not here, or not of its size."""
        parts: list[tuple[int, int]] = []
        try:
            for shelf, name, size in self._files(blob):
                parts.append((os.open(name, FILE_FLAGS, dir_fd=shelf), size))
            if any(_regular_size(os.fstat(descriptor)) != size for descriptor, size in parts):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            if sum(size for _descriptor, size in parts) != blob.size:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            yield PartedBody(tuple(parts))
        finally:
            for descriptor, _size in parts:
                os.close(descriptor)

    def blob(self, digest: Digest) -> Blob | None:
        """Return a blob of the bundle's images; one that a delta leaves to its base counts where its file is here.

        Then only its digest identifies it.
        """
        blob = self.index.blobs.get(digest)
        if blob is None and digest in self._needed:
            size = _size(self.blobs, digest.hex)
            return Blob(digest, size, "application/octet-stream") if size is not None else None
        return blob

    def listed(self, path: str) -> Blob | None:
        """Return the blob that the index lists under the path of a request."""
        match = _BLOB_PATH.fullmatch(path)
        return self.index.blobs.get(Digest(match.group(1))) if match else None

    def _files(self, blob: Blob) -> list[tuple[int, str, int]]:
        """Return folder, name and size of each file of a blob, from the first folder where it is whole."""
        found = []
        for shelf in (self.blobs, *self._others):
            found = [(shelf, name, size) for name, size in _files_on(shelf, blob.digest.hex)]
            if sum(size for _shelf, _name, size in found) == blob.size:
                break
        return found


def _files_on(shelf: int, name: str) -> list[tuple[str, int]]:
    """Return names and sizes of the files of a blob: one, or numbered parts where no larger one can be kept."""
    whole = _size(shelf, name)
    if whole is not None:
        return [(name, whole)]
    parts = ((f"{name}.{number:03d}", _size(shelf, f"{name}.{number:03d}")) for number in itertools.count())
    return [(part, size) for part, size in itertools.takewhile(lambda one: one[1] is not None, parts) if size]


def _size(shelf: int, name: str) -> int | None:
    try:
        return _regular_size(os.stat(name, dir_fd=shelf, follow_symlinks=False))
    except OSError:
        return None


def _regular_size(seen: os.stat_result) -> int | None:
    return seen.st_size if stat.S_ISREG(seen.st_mode) else None


def _opened(folder: Path) -> int:
    try:
        return os.open(folder, _FOLDER)
    except OSError as error:
        raise _unusable(folder, error.strerror or str(error)) from error


def _open_below(descriptor: int, path: str) -> int:
    opened: list[int] = []
    try:
        for name in path.split("/"):
            opened.append(os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=(opened or [descriptor])[-1]))
        return opened.pop()
    finally:
        for each in opened:
            os.close(each)


def _read_index(descriptor: int, folder: Path, digest: Digest) -> bytes:
    try:
        with os.fdopen(os.open(INDEX_FILE, FILE_FLAGS, dir_fd=descriptor), "rb") as stream:
            content = stream.read(LARGEST_INDEX + 1)
    except OSError as error:
        raise _unusable(folder, f"{INDEX_FILE}: {error.strerror or error}") from error
    found = hashlib.sha256(content).hexdigest()
    if found != digest.hex:
        raise _unusable(folder, f"its index has the digest sha256:{found} instead of {digest}")
    return content


def _volume_document(folders: Sequence[int]) -> dict[str, Document]:
    """Return the document about the drives of the bundle, of the first folder that has one; it proves nothing."""
    for descriptor in folders:
        with contextlib.suppress(OSError):
            with os.fdopen(os.open(VOLUME_FILE, FILE_FLAGS, dir_fd=descriptor), "rb") as stream:
                content = stream.read(LARGEST_DOCUMENT + 1)
            if len(content) <= LARGEST_DOCUMENT:
                return {VOLUME_PATH: Document(content)}
    return {}


def _unusable(folder: Path, seen: str) -> RelayError:
    return RelayError(
        "serve the bundle",
        on=str(folder),
        seen=seen,
        advice="Check the path, that the user of the relay can read it, and that the bundle is the accepted one.",
    )
