# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What errors of the operating system mean for the administrator of the machine."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class FileAccessError(FieldOpsError):
    """A file or directory could not be read, written or removed."""

    kind = "file_access"


class DiskFullError(FileAccessError):
    """The file system has no space or no inodes left, or the user's quota is used up."""

    kind = "disk_full"


class FileContentError(FileAccessError):
    """The content of a file is damaged or has another format."""

    kind = "file_content"


_MEANINGS: dict[int, tuple[str, str]] = {
    errno.ENOSPC: ("its file system is full", "Free space (df -h) or inodes (df -i) on the file system of {path}."),
    errno.EDQUOT: (
        "the disk quota is used up",
        "Free space or raise the quota of the user on the file system of {path}.",
    ),
    errno.EROFS: (
        "its file system is read-only",
        "Choose a writable location, or check with dmesg whether the kernel made a failing disk read-only.",
    ),
    errno.EISDIR: ("it is a directory", "Move that directory away, or specify a file inside it."),
    errno.ENOTDIR: (
        "a component of the path is not a directory",
        "Check the components of {path} with ls -ld and correct the path.",
    ),
    errno.ENOENT: ("its directory does not exist", "Create {parent} first, or correct the path."),
    errno.ELOOP: (
        "it is a symbolic link, and symbolic links are not followed",
        "Remove the link, or specify its target.",
    ),
    errno.ENXIO: ("it is not a regular file", "Check it with ls -l. Remove it, or correct the path."),
    errno.EACCES: ("permission is denied", "Run as a user who owns {path}, usually root (become: true)."),
    errno.EPERM: (
        "the operation is not permitted",
        "Run as root, and check for an immutable flag with lsattr -d {path}.",
    ),
    errno.ENAMETOOLONG: ("its name is too long", "Choose a shorter path than {path}."),
    errno.EIO: ("the disk reported an I/O error", "Check the disk (dmesg, smartctl) before anything else."),
    errno.EMFILE: ("too many files are open", "Raise the limit of open files (ulimit -n) and try again."),
}


@contextlib.contextmanager
def explained(attempted: str, path: Path) -> Iterator[None]:
    """Turn an OSError of the block into a FileAccessError with ``attempted``, ``path`` and advice."""
    try:
        yield
    except OSError as error:
        raise _explanation(error, attempted, path) from error


def _explanation(error: OSError, attempted: str, path: Path) -> FileAccessError:
    number = error.errno or 0
    said = os.strerror(number) if number else str(error)
    seen, advice = _MEANINGS.get(number, (said, "Check {path} and the kernel log (dmesg)."))
    kind = DiskFullError if number in (errno.ENOSPC, errno.EDQUOT) else FileAccessError
    return kind(attempted, on=str(path), seen=seen, advice=advice.format(path=path, parent=path.parent))
