# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Generated content, addressed by its digest: one file per blob, never changed once it is there."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import tempfile
import typing as t
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

READ_ONLY = 0o444  # a file may be linked into several registries


@dataclass(frozen=True)
class Blob:
    """Bytes by their digest; ``size`` is in bytes."""

    digest: Digest
    size: int

    @classmethod
    def of(cls, content: bytes) -> Blob:
        """Return what names ``content``."""
        return cls(Digest(hashlib.sha256(content).hexdigest()), len(content))


class BlobPool:
    """A directory with one file per blob, named by the hexadecimal digits of its digest."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)

    def path(self, digest: Digest) -> Path:
        """Return the file of a blob, whether it exists or not."""
        return self.directory / digest.hex

    def read(self, digest: Digest) -> bytes:
        """Return the bytes of a blob."""
        return self.path(digest).read_bytes()

    def add(self, content: bytes) -> Blob:
        """Keep ``content`` and return its name."""
        blob = Blob.of(content)
        if not self.path(blob.digest).exists():
            with self.receive() as part:
                part.write(content)
                part.close_as(blob.digest)
        return blob

    def adopt(self, file: Path) -> Blob:
        """Keep what a file holds that is never changed either, as a link to it where that can be; return its name."""
        blob = Blob.of(file.read_bytes())
        if not self.path(blob.digest).exists():
            link_or_copy(file, self.path(blob.digest))
        return blob

    @contextlib.contextmanager
    def receive(self) -> Iterator[Part]:
        """Open a file for content whose digest is not known yet; it is dropped unless ``close_as`` names it."""
        descriptor, name = tempfile.mkstemp(prefix=".part-", dir=self.directory)
        with os.fdopen(descriptor, "wb") as handle:
            part = Part(self, handle, Path(name))
            try:
                yield part
            finally:
                part.path.unlink(missing_ok=True)


class Part:
    """A blob that is being written."""

    def __init__(self, pool: BlobPool, handle: t.BinaryIO, path: Path) -> None:
        self.path = path
        self.write = handle.write
        self._pool = pool
        self._handle = handle

    def close_as(self, digest: Digest) -> None:
        """Keep what was written, under its digest."""
        self._handle.flush()
        self.path.chmod(READ_ONLY)
        self.path.replace(self._pool.path(digest))


def link_or_copy(source: Path, target: Path) -> None:
    """Make ``target`` a link to ``source``, or a copy of it on another file system."""
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        part = target.with_name(f".part-{target.name}")
        shutil.copyfile(source, part)
        part.replace(target)
