# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The entries of a tar file one after another, never more of it in memory than one header and what a caller reads.

Not tarfile's own iteration: it reads extended headers whole, of whatever size, takes a time that grows with the square
of their length on interpreters before 3.12.6, and needs several times as long for each entry.

Source: POSIX.1-2017 ``pax``, "ustar Interchange Format" and "pax Extended Header"; GNU tar manual, "Basic Tar Format".
"""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_stream import Readable
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

MOST_HEADERS = 200_000
LARGEST_EXTENSION = MIB
"""Bytes of one extended header: long names and extended attributes, as Go's archive/tar allows them."""

_BLOCK = 512
# The checksum of a header is that of one whose checksum is eight spaces.
_BLANK = 8 * 0x20
_CHUNK = 256 * 1024
_FILES = frozenset((b"0", b"\0", b"7"))
_WITHOUT_CONTENT = frozenset((b"1", b"2", b"3", b"4", b"5", b"6"))


class TarEntry(t.NamedTuple):
    """One entry. ``is_sparse`` is a file with holes, whose content in the tar file is not that of the file."""

    name: str
    size: int
    is_file: bool
    is_folder: bool
    is_sparse: bool


@dataclass
class _Extension:
    """What extended headers say about the entry that follows them."""

    name: bytes | None = None
    size: int | None = None
    is_sparse: bool = False


@dataclass
class TarReader:
    """Reads forwards from ``stream``. What ``broken`` returns is raised for everything that is no tar file."""

    stream: Readable
    broken: Callable[[str], PayloadError]
    _unread: int = field(default=0, init=False)
    _padding: int = field(default=0, init=False)
    _headers: int = field(default=0, init=False)

    def __iter__(self) -> Iterator[TarEntry]:
        """Yield the entries; the content of each can be read until the next one is requested."""
        extension = _Extension()
        while True:
            self._skip(self._unread + self._padding)
            self._unread = self._padding = 0
            block = self._header()
            if block is None:
                return
            kind, size = block[156:157], _number(block[124:136], self.broken)
            if kind in b"xgLK":
                self._extend(extension, kind, size)
                continue
            entry = self._entry(block, kind, size, extension)
            extension = _Extension()
            self._unread, self._padding = entry.size, -entry.size % _BLOCK
            yield entry

    def read(self, size: int, /) -> bytes:
        """Return ``size`` bytes of the present entry's content, or what is left of it."""
        content = self._exactly(min(size, self._unread), "a file")
        self._unread -= len(content)
        return content

    def _header(self) -> bytes | None:
        block = self._exactly(_BLOCK, "a header", may_be_missing=True)
        if not block or (not block[0] and not block.strip(b"\0")):
            return None
        self._headers += 1
        if self._headers > MOST_HEADERS:
            raise self.broken(f"it has more than {MOST_HEADERS} entries")
        if _number(block[148:156], self.broken) != sum(block[:148]) + _BLANK + sum(block[156:]):
            raise self.broken("it is not a tar file, or a header in it is damaged")
        return block

    def _entry(self, block: bytes, kind: bytes, size: int, extension: _Extension) -> TarEntry:
        name = extension.name if extension.name is not None else _name(block)
        is_sparse = extension.is_sparse or kind == b"S"
        is_folder = kind == b"5" or (kind == b"\0" and name.endswith(b"/"))
        if kind == b"S":
            self._skip_map(block[482:483])
        stored = size if extension.size is None else extension.size
        return TarEntry(
            name.decode("utf-8", "surrogateescape"),
            0 if is_folder or kind in _WITHOUT_CONTENT else stored,
            is_file=is_sparse or (kind in _FILES and not is_folder),
            is_folder=is_folder,
            is_sparse=is_sparse,
        )

    def _skip_map(self, goes_on: bytes) -> None:
        while goes_on.strip(b"\0"):
            goes_on = self._exactly(_BLOCK, "the map of a sparse file")[504:505]

    def _extend(self, extension: _Extension, kind: bytes, size: int) -> None:
        if size > LARGEST_EXTENSION:
            raise self.broken(f"an entry claims {size} bytes of headers")
        content = self._exactly(size + -size % _BLOCK, "an extended header")[:size]
        if kind == b"L":
            extension.name = content.partition(b"\0")[0]
        elif kind == b"x":
            self._apply(extension, content)

    def _apply(self, extension: _Extension, content: bytes) -> None:
        at = 0
        while at < len(content):
            space = content.find(b" ", at, at + 20)
            digits = content[at:space]
            end = at + int(digits) if space > at and digits.isdigit() else at
            if not at < space < end <= len(content):
                raise self.broken("an extended header in it is damaged")
            key, _equals, value = content[space + 1 : end - 1].partition(b"=")
            if key == b"path":
                extension.name = value
            elif key == b"size":
                extension.size = _decimal(value, self.broken)
            elif key.startswith(b"GNU.sparse."):
                extension.is_sparse = True
            at = end

    def _exactly(self, size: int, what: str, *, may_be_missing: bool = False) -> bytes:
        content = self.stream.read(size) if size else b""
        if len(content) == size or (may_be_missing and not content):
            return content
        parts, left = [content], size - len(content)
        while left:
            parts.append(self.stream.read(left))
            if not parts[-1]:
                raise self.broken(f"it ends within {what}")
            left -= len(parts[-1])
        return b"".join(parts)

    def _skip(self, count: int) -> None:
        while count:
            chunk = self.stream.read(min(count, _CHUNK))
            if not chunk:
                raise self.broken("it ends within a file")
            count -= len(chunk)


def _name(block: bytes) -> bytes:
    name = block[:100].partition(b"\0")[0]
    # GNU's variant of the format keeps times where POSIX has the beginning of a long name.
    prefix = block[345:500].partition(b"\0")[0] if block[257:263] == b"ustar\0" else b""
    return prefix + b"/" + name if prefix else name


def _number(digits: bytes, broken: Callable[[str], PayloadError]) -> int:
    """Return a number of a header: octal digits, or GNU's base-256 where its first bit is set."""
    if digits[0] == 0x80:
        return int.from_bytes(digits[1:], "big")
    try:
        number = int(digits.partition(b"\0")[0].strip() or b"0", 8)
    except ValueError:
        number = -1
    if number < 0:
        raise broken("it is not a tar file, or a header in it is damaged")
    return number


def _decimal(digits: bytes, broken: Callable[[str], PayloadError]) -> int:
    if not digits.isdigit() or len(digits) > 20:
        raise broken("an extended header in it is damaged")
    return int(digits)
