# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How a blob is stored in a folder: as one file, or in numbered parts where the file system holds no file that
large."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile
from ansible_collections.fieldops.openshift.plugins.module_utils._host.regular_file import RegularFile, regular_size
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import GIB, MIB

FAT_PART = 4 * GIB - 16 * MIB
"""Bytes of each part but the last of a blob that is kept in parts.

FAT32 holds no file of 4 GiB. Source: Microsoft, "FAT32 File System Specification".
"""
BLOCK = 512 * 1024
"""Bytes read at once: small enough to be still in the processor's cache when they are hashed."""


def part_path(path: Path, number: int) -> Path:
    """Return where the part ``number``, from 0, of the blob at ``path`` is."""
    return path.with_name(f"{path.name}.{number:03d}")


def blob_size(path: Path) -> int | None:
    """Return the size of the blob at ``path``, whole or in parts; None where there is no regular file."""
    whole = regular_size(path)
    if whole is not None:
        return whole
    sizes = [size for _path, size in _parts(path)]
    return sum(sizes) if sizes else None


def remove_blob(path: Path) -> bool:
    """Remove the blob at ``path``, whole or in parts, and return whether there was one."""
    found = [remove_file(part) for part, _size in _parts(path)]
    return remove_file(path) or bool(found)


def _parts(path: Path) -> Iterator[tuple[Path, int]]:
    for number in count():
        size = regular_size(part_path(path, number))
        if size is None:
            return
        yield part_path(path, number), size


class BlobReader:
    """An open blob. What its files hold beyond the ``size`` that they had when they were opened is not read."""

    def __init__(self, path: Path, files: list[RegularFile]) -> None:
        self.path = path
        self._files = files
        self.size = sum(file.size for file in files)

    @classmethod
    @contextlib.contextmanager
    def opened(cls, path: Path) -> Iterator[BlobReader | None]:
        """Open the blob at ``path``, whole or in parts; None where there is none. Raises FileAccessError."""
        with contextlib.ExitStack() as closing:
            files: list[RegularFile] = []
            whole = RegularFile.open(path)
            found = iter([whole]) if whole is not None else (RegularFile.open(part_path(path, n)) for n in count())
            for file in found:
                if file is None:
                    break
                closing.callback(file.close)
                files.append(file)
            yield cls(path, files) if files else None

    def blocks(self, start: int = 0, stop: int | None = None) -> Iterator[memoryview]:
        """Yield the bytes from ``start`` up to ``stop``, or the end, in blocks whose memory is used again.

        Raises FileAccessError, also where the file has become shorter since then.
        """
        end = self.size if stop is None else min(stop, self.size)
        buffer = memoryview(bytearray(min(BLOCK, max(0, end - start))))
        while start < end:
            found = self._read_into(buffer[: end - start], start)
            if not found:
                with explained("read the blob", self.path):
                    raise OSError(errno.EIO, os.strerror(errno.EIO))
            start += found
            yield buffer[:found]

    def _read_into(self, view: memoryview, offset: int) -> int:
        for file in self._files:
            if offset < file.size:
                return file.read_into(view[: file.size - offset], offset)
            offset -= file.size
        return 0


class PartedFile:
    """A ``PartialFile`` in numbered files of ``part_size`` bytes each, the last one shorter."""

    def __init__(self, path: Path, part_size: int, closing: contextlib.ExitStack) -> None:
        self.path = path
        self._part_size = part_size
        self._closing = closing
        self._parts: list[PartialFile] = []
        while not self._parts or self._parts[-1].position == part_size:
            self._add()

    @classmethod
    @contextlib.contextmanager
    def opened(cls, path: Path, part_size: int, *, longest: int) -> Iterator[PartedFile]:
        """Open the file at ``path``, new or as it was left; one longer than ``longest`` is started again."""
        with contextlib.ExitStack() as closing:
            parted = cls(path, part_size, closing)
            if parted.position > longest:
                parted.restart()
            yield parted

    @property
    def position(self) -> int:
        """Bytes written so far, in this and earlier sittings."""
        return sum(part.position for part in self._parts)

    def write(self, chunk: memoryview | bytes) -> None:
        """Add ``chunk`` at the end."""
        rest = memoryview(chunk)
        while rest:
            part = rest[: self._part_size - self._parts[-1].position]
            self._parts[-1].write(part)
            rest = rest[len(part) :]
            if self._parts[-1].position == self._part_size:
                self._add()

    def blocks(self) -> Iterator[memoryview]:
        """Yield what was written so far, in blocks whose memory is used again."""
        for part in self._parts:
            yield from part.blocks()

    def keep(self, length: int) -> None:
        """Throw away what is behind the first ``length`` bytes."""
        for number, part in enumerate(self._parts):
            part.keep(max(0, length - number * self._part_size))
        while len(self._parts) > 1 and self._parts[-2].position < self._part_size:
            remove_file(self._parts.pop().path)

    def restart(self) -> None:
        """Throw away what was written so far."""
        self.keep(0)

    def publish(self, target: Path, *, mode: int = 0o644, sync_name: bool = True) -> None:
        """Flush the bytes to the disk and give them the names of the parts of ``target``."""
        remove_blob(target)
        for number, part in enumerate(self._parts):
            if part.position or number == 0:
                part.publish(part_path(target, number), mode=mode, sync_name=sync_name)
            else:
                remove_file(part.path)

    def _add(self) -> None:
        path = part_path(self.path, len(self._parts))
        self._parts.append(self._closing.enter_context(PartialFile.opened(path, longest=self._part_size)))
