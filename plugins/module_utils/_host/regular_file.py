# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A regular file, opened so that neither a link nor a FIFO nor a file that grows can mislead the reader."""

from __future__ import annotations

import errno
import io
import os
import stat
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained

READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_ATTEMPTED = "read the file"


class RegularFile:
    """The open file at ``path``; ``size`` is what it had when it was opened."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self.size = os.fstat(descriptor).st_size
        self._descriptor = descriptor

    @classmethod
    def open(cls, path: Path) -> RegularFile | None:
        """Return the file at ``path``, None where there is none; close it in the end.

        Raises FileAccessError for a symbolic link and for anything else that is no regular file.
        """
        with explained(_ATTEMPTED, path):
            try:
                return cls(path, _descriptor(path))
            except (FileNotFoundError, NotADirectoryError):
                return None

    def read_into(self, view: memoryview, offset: int) -> int:
        """Fill the beginning of ``view`` with what is at ``offset``; return how many bytes, 0 at the end."""
        with explained(_ATTEMPTED, self.path):
            return os.preadv(self._descriptor, [view], offset)

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


def open_regular(path: Path) -> io.FileIO:
    """Return the regular file at ``path`` as a stream without a buffer. Raises FileAccessError."""
    with explained(_ATTEMPTED, path):
        return io.FileIO(_descriptor(path), "rb")


def _descriptor(path: Path) -> int:
    descriptor = os.open(path, READ_FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.ENXIO, os.strerror(errno.ENXIO))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def regular_size(path: Path) -> int | None:
    """Return the size of the regular file ``path``; None for anything else, links included."""
    with explained("inspect the file", path):
        try:
            seen = path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return None
    return seen.st_size if stat.S_ISREG(seen.st_mode) else None
