# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""flock(2): a lock that ends with the life of its holder, however that ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

_RETRY_SECONDS = 0.02


class FileLock:
    """An exclusive lock on a file, held until every descriptor of this opening of it is closed.

    A child that inherits ``descriptor`` holds the lock on, also after this process has released its own.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    @classmethod
    def acquire(cls, path: Path, deadline: Deadline) -> FileLock:
        """Create ``path`` where needed and lock it; raises DeadlineExceededError while another holds it too long."""
        while True:
            with explained("lock the file", path):
                descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
                lock = cls(descriptor)
                # The holder before us may have removed the file: then this is a lock on a name that is gone.
                if _try_lock(descriptor, fcntl.LOCK_EX) and _is_still(path, descriptor):
                    return lock
                lock.release()
            deadline.require(
                "lock the file",
                on=str(path),
                seen="another process still held it",
                advice="Check what holds the lock (fuser -v on the file), and try again when that process has ended.",
            )
            deadline.pause(_RETRY_SECONDS)

    @classmethod
    def is_held(cls, path: Path) -> bool:
        """Whether a process holds the lock now; probes never disturb one another."""
        with explained("probe the lock", path):
            try:
                descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            except FileNotFoundError:
                return False
            try:
                return not _try_lock(descriptor, fcntl.LOCK_SH)
            finally:
                os.close(descriptor)

    def release(self) -> None:
        """Release this process's hold."""
        os.close(self.descriptor)


@contextlib.contextmanager
def locked(path: Path, deadline: Deadline) -> t.Iterator[FileLock]:
    """Hold the lock on ``path`` for the block."""
    lock = FileLock.acquire(path, deadline)
    try:
        yield lock
    finally:
        lock.release()


def _try_lock(descriptor: int, operation: int) -> bool:
    try:
        fcntl.flock(descriptor, operation | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        named = path.lstat()
    except FileNotFoundError:
        return False
    opened = os.fstat(descriptor)
    return (named.st_dev, named.st_ino) == (opened.st_dev, opened.st_ino)
