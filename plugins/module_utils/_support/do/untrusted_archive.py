# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An archive that a node or a site has made, read as what it is: bytes from a machine that may be taken over."""

from __future__ import annotations

import gzip
import tarfile
import typing as t
import zlib
from collections.abc import Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileContentError, explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.regular_file import open_regular
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.archive_writer import MANIFEST, PART_LIMIT

MOST_MEMBERS = 5000
SPARE = 16 * 1024 * 1024
"""Bytes that the headers of an archive and its manifest take at most in addition to its parts."""


class _Bounded:
    """Passes on at most ``left`` bytes of a stream: a small archive may unpack to any size."""

    def __init__(self, stream: t.IO[bytes], left: int) -> None:
        self._stream = stream
        self._left = left

    def read(self, size: int) -> bytes:
        """Return the next bytes; raises FileContentError past the bound."""
        content = self._stream.read(size)
        self._left -= len(content)
        if self._left < 0:
            raise EOFError("it unpacks to more than the requested size")
        return content


def read_archive(path: Path, limit: int) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each regular file in the archive at ``path``, at most ``limit`` bytes in all.

    Names are the node's own and prove nothing. Raises FileContentError for what is no such archive, FileAccessError.
    """
    with open_regular(path) as raw, gzip.GzipFile(fileobj=raw) as unpacked:
        try:
            bounded = t.cast("t.IO[bytes]", _Bounded(t.cast("t.IO[bytes]", unpacked), limit + SPARE))
            with explained("read the archive", path):
                yield from _members(bounded)
        except (tarfile.TarError, zlib.error, EOFError, ValueError) as error:
            raise FileContentError(
                "read the archive", on=str(path), seen=str(error), advice="Inspect the machine that created it."
            ) from error


def _members(stream: t.IO[bytes]) -> Iterator[tuple[str, bytes]]:
    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            yield from _regular_files(archive)
    except gzip.BadGzipFile as error:
        # As an OSError, it would be taken for a fault of the disk.
        raise ValueError(str(error)) from error


def _regular_files(archive: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for number, member in enumerate(archive, 1):
        if number > MOST_MEMBERS:
            raise EOFError(f"it has more than {MOST_MEMBERS} members")
        if member.isreg() and member.size <= (SPARE if member.name == MANIFEST else PART_LIMIT):
            stream = archive.extractfile(member)
            yield member.name, stream.read() if stream else b""
