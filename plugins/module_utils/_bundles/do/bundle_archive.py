# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A bundle in a tar file, whole or in chunks, read where it lies."""

from __future__ import annotations

import io
import re
import tarfile
import typing as t
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import DamagedBundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_source import (
    BLOCK,
    LARGEST_SIGNATURE,
    BundleSource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BLOB_FOLDER,
    CHECKSUM_FILE,
    INDEX_FILE,
    INDEX_SIGNATURE_FILE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import LARGEST_INDEX

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

MOST_ENTRIES = 200_000

_NUMBERED = re.compile(r"(.+)\.[0-9]{3}", re.ASCII)
_BLOB_NAME = re.compile(rf"{BLOB_FOLDER}/[0-9a-f]{{64}}", re.ASCII)
_FOLDERS = frozenset({"", ".", "blobs", BLOB_FOLDER})
_FILES = frozenset({INDEX_FILE, INDEX_SIGNATURE_FILE, CHECKSUM_FILE})


@dataclass(frozen=True)
class _Place:
    offset: int
    size: int


class ChunkedFile(io.RawIOBase):
    """Several files read as one."""

    def __init__(self, paths: list[Path]) -> None:
        super().__init__()
        self._paths = paths
        self._starts: list[int] = []
        self._size = 0
        for path in paths:
            with explained("look at the file", path):
                self._starts.append(self._size)
                self._size += path.stat().st_size
        self._position = 0
        self._open: tuple[int, io.FileIO] | None = None

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the offset of the next byte."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to ``offset``, which may lie behind the end."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def readinto(self, buffer: t.Any) -> int:
        """Read up to the end of ``buffer`` or of the present file."""
        if self._position >= self._size:
            return 0
        number = next(n for n in reversed(range(len(self._starts))) if self._starts[n] <= self._position)
        with explained("read the archive", self._paths[number]):
            stream = self._stream(number)
            stream.seek(self._position - self._starts[number])
            count = stream.readinto(buffer) or 0
        self._position += count
        return count

    def take(self, size: int) -> bytes:
        """Read ``size`` bytes, fewer only at the end of all files."""
        found = bytearray()
        while len(found) < size:
            part = self.read(size - len(found))
            if not part:
                break
            found += part
        return bytes(found)

    def close(self) -> None:
        """Close the file that is open."""
        if self._open is not None:
            self._open[1].close()
            self._open = None
        super().close()

    def _stream(self, number: int) -> io.FileIO:
        if self._open is None or self._open[0] != number:
            if self._open is not None:
                self._open[1].close()
            self._open = (number, io.FileIO(self._paths[number]))
        return self._open[1]


class BundleArchive(BundleSource):
    """The archive at ``path``, or the chunks whose first one it is. Only entries that a bundle has are accepted."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._paths = chunks_of(path)
        self._places = self._entries()

    def index_bytes(self) -> bytes | None:
        """Return the bytes of the index, None where there is none."""
        return self._small(INDEX_FILE, LARGEST_INDEX)

    def index_signature(self) -> bytes | None:
        """Return the detached signature of the index, None where there is none."""
        return self._small(INDEX_SIGNATURE_FILE, LARGEST_SIGNATURE)

    def blob_size(self, digest: Digest) -> int | None:
        """Return the size of a blob in the archive, None where it is not there."""
        place = self._places.get(f"{BLOB_FOLDER}/{digest.hex}")
        return None if place is None else place.size

    def blocks(self, digest: Digest, start: int = 0, stop: int | None = None) -> Iterator[memoryview]:
        """Yield a blob's bytes from ``start`` up to ``stop``, or its end."""
        place = self._places[f"{BLOB_FOLDER}/{digest.hex}"]
        end = place.size if stop is None else min(stop, place.size)
        yield from self._read(place.offset + start, end - start)

    def _small(self, name: str, limit: int) -> bytes | None:
        place = self._places.get(name)
        if place is None:
            return None
        if place.size > limit:
            raise self._damaged(f"its {name} has {place.size} bytes")
        return b"".join(bytes(block) for block in self._read(place.offset, place.size))

    def _read(self, offset: int, size: int) -> Iterator[memoryview]:
        buffer = memoryview(bytearray(BLOCK))
        with ChunkedFile(self._paths) as stream:
            stream.seek(offset)
            while size > 0:
                count = stream.readinto(buffer[:size])
                if not count:
                    raise self._damaged(f"it ends {size} bytes too early; a chunk may be missing")
                size -= count
                yield buffer[:count]

    def _entries(self) -> Mapping[str, _Place]:
        places: dict[str, _Place] = {}
        with ChunkedFile(self._paths) as stream:
            offset, total = 0, stream.seek(0, io.SEEK_END)
            for _count in range(MOST_ENTRIES):
                stream.seek(offset)
                header = stream.take(tarfile.BLOCKSIZE)
                if len(header) < tarfile.BLOCKSIZE or not header.strip(b"\0"):
                    return places
                member = self._header(header)
                offset += tarfile.BLOCKSIZE
                self._accept(member, places, _Place(offset, min(member.size, max(0, total - offset))))
                offset += member.size + (-member.size % tarfile.BLOCKSIZE)
        raise self._damaged(f"it has more than {MOST_ENTRIES} entries")

    def _header(self, block: bytes) -> tarfile.TarInfo:
        # Not tarfile's own iteration: it reads extended headers whole, of whatever size, before anyone can object.
        try:
            return tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except tarfile.TarError as error:
            raise self._damaged(f"it is no tar file, or not all of it: {error}") from error

    def _accept(self, member: tarfile.TarInfo, places: dict[str, _Place], place: _Place) -> None:
        name = member.name.removeprefix("./")
        if member.type == tarfile.DIRTYPE and name.rstrip("/") in _FOLDERS and member.size == 0:
            return
        known = name in _FILES or _BLOB_NAME.fullmatch(name) is not None
        if not known or member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or member.size < 0:
            raise self._damaged(f"it has an entry {member.name[:100]!r} that no bundle has")
        if name in places:
            raise self._damaged(f"it has the entry {name!r} twice")
        places[name] = place

    def _damaged(self, seen: str) -> DamagedBundleError:
        return DamagedBundleError(
            "read the archive of a bundle",
            on=str(self.path),
            seen=seen,
            advice="Check all its files with sha256sum --check, and copy those again that are wrong or missing.",
        )


def chunks_of(path: Path) -> list[Path]:
    """Return the files that make up the archive whose first file, or common name, is ``path``."""
    numbered = _NUMBERED.fullmatch(path.name)
    stem = path.name if numbered is None else numbered.group(1)
    if numbered is None and path.is_file():
        return [path]
    found = []
    for number in range(1000):
        chunk = path.parent / f"{stem}.{number:03d}"
        if not chunk.is_file():
            break
        found.append(chunk)
    if not found:
        raise DamagedBundleError(
            "read the archive of a bundle",
            on=str(path),
            seen="there is neither such a file nor a first chunk of it",
            advice="Check the path; the first chunk ends in .000.",
        )
    return found
