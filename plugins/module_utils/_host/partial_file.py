# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A file that grows, possibly in several sittings, and gets its name only when its content is verified."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import open_directory, sync_directory

BLOCK = 1024 * 1024
DIRECT_LEAST = 128 * 1024
DIRECT_UNIT = 4096
"""Bytes to which position, size and memory of a write past the page cache must be aligned on every common disk."""

_DIRECT = getattr(os, "O_DIRECT", 0)
_ATTEMPTED = "write the file"


class PartialFile:
    """The growing file at ``path``. Its bytes count for nothing until ``publish`` has flushed and renamed it.

    Whole blocks in memory that begins with a page go to the disk past the page cache, where the file system can do
    that: they are written once, cost no copy, and leave no heap of dirty pages to wait for at the end. Errors of the
    disk are FileAccessError, a full one DiskFullError; what was written until then is continued by the next sitting.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._position = os.fstat(descriptor).st_size
        self._is_direct = False
        self._is_refused = _DIRECT == 0

    @classmethod
    @contextlib.contextmanager
    def opened(cls, path: Path, *, longest: int | None = None, mode: int = 0o600) -> Iterator[PartialFile]:
        """Open the file at ``path``, new (with ``mode``) or as it was left; one longer than ``longest`` starts again.

        A symbolic link or anything else that is no regular file is refused.
        """
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        with explained(_ATTEMPTED, path):
            descriptor = os.open(path, flags, mode)
        try:
            with explained(_ATTEMPTED, path):
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    raise OSError(errno.ENXIO, os.strerror(errno.ENXIO))
                partial = cls(path, descriptor)
                if longest is not None and partial.position > longest:
                    partial.restart()
            yield partial
        finally:
            os.close(descriptor)

    @property
    def position(self) -> int:
        """Bytes written so far, in this and earlier sittings."""
        return self._position

    def write(self, chunk: memoryview | bytes) -> None:
        """Add ``chunk`` at the end."""
        rest = memoryview(chunk)
        with explained(_ATTEMPTED, self.path):
            while rest:
                self._choose_way(len(rest))
                written = self._write_some(rest)
                self._position += written
                rest = rest[written:]

    def _choose_way(self, size: int) -> None:
        direct = size >= DIRECT_LEAST and size % DIRECT_UNIT == 0 and self._position % DIRECT_UNIT == 0
        if direct != self._is_direct and not (direct and self._is_refused):
            self._set_direct(direct)

    def _set_direct(self, direct: bool) -> None:
        flags = fcntl.fcntl(self._descriptor, fcntl.F_GETFL)
        wanted = flags | _DIRECT if direct else flags & ~_DIRECT
        try:
            fcntl.fcntl(self._descriptor, fcntl.F_SETFL, wanted)
        except OSError as error:
            # Some file systems, such as tmpfs, support writes through the page cache only.
            if error.errno != errno.EINVAL:
                raise
            self._is_refused = True
        else:
            self._is_direct = direct

    def _write_some(self, block: memoryview) -> int:
        try:
            return os.pwrite(self._descriptor, block, self._position)
        except OSError as error:
            # The memory does not begin with a page, or the disk's sectors are larger than was assumed.
            if error.errno != errno.EINVAL or not self._is_direct:
                raise
            self._is_refused = True
            self._set_direct(False)
            return os.pwrite(self._descriptor, block, self._position)

    def blocks(self) -> Iterator[memoryview]:
        """Yield what was written so far, in blocks whose memory is used again."""
        buffer = memoryview(bytearray(BLOCK))
        offset = 0
        while offset < self._position:
            with explained("read the file", self.path):
                count = os.preadv(self._descriptor, [buffer[: self._position - offset]], offset)
                if count == 0:
                    raise OSError(errno.EIO, os.strerror(errno.EIO))
            offset += count
            yield buffer[:count]

    def keep(self, length: int) -> None:
        """Throw away what is behind the first ``length`` bytes."""
        if length < self._position:
            with explained(_ATTEMPTED, self.path):
                os.ftruncate(self._descriptor, length)
            self._position = length

    def restart(self) -> None:
        """Throw away what was written so far."""
        with explained(_ATTEMPTED, self.path):
            os.ftruncate(self._descriptor, 0)
        self._position = 0

    def publish(self, target: Path, *, mode: int = 0o644, sync_name: bool = True) -> None:
        """Flush the bytes to the disk and give them the name ``target``, which may exist and is replaced.

        Without ``sync_name`` the name itself is flushed by the caller, at once for many files.
        """
        with explained(_ATTEMPTED, target):
            # The file is ours: only a file system without modes, such as FAT, refuses this.
            with contextlib.suppress(PermissionError):
                os.fchmod(self._descriptor, mode)
            os.fsync(self._descriptor)
            self.path.replace(target)
            if sync_name:
                with open_directory(target.parent) as directory:
                    sync_directory(directory)
