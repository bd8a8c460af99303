# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A private folder that processes of one user share: it is removed when the last of them leaves it.

Each process has a file in it. A process that was killed leaves its file, but counts no more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import (
    ensure_private_directory,
    remove_empty_directory,
    remove_tree,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json, remove_file, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import FileLock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import ProcessIdentity
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

_LOCK = ".lock"
_MEMBERS = "process-"


def join_folder(path: Path, member: ProcessIdentity, deadline: Deadline) -> None:
    """Make ``path`` a private folder that stays until ``member`` has left it or has ended. Raises FileAccessError."""
    with _alone_in(path, deadline):
        write_json(_file_of(path, member), vars(member), mode=0o600, durable=False)


def leave_folder(path: Path, member: ProcessIdentity, deadline: Deadline) -> bool:
    """Remove the folder unless another running process has joined it, and return whether it is gone."""
    if not path.exists():
        return True
    with _alone_in(path, deadline):
        remove_file(_file_of(path, member))
        if any(_member_in(file).is_alive for file in path.glob(f"{_MEMBERS}*")):
            return False
        _remove_contents(path)
        # Once the lock file is gone another process can join: what is in the folder then is its own.
        remove_file(path / _LOCK)
        return remove_empty_directory(path)


def _remove_contents(path: Path) -> None:
    for entry in path.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            remove_tree(entry)
        elif entry.name != _LOCK:
            remove_file(entry)


@contextlib.contextmanager
def _alone_in(path: Path, deadline: Deadline) -> Iterator[None]:
    lock = None
    while lock is None:
        lock = _lock_of(path, deadline)
    try:
        yield
    finally:
        lock.release()


def _lock_of(path: Path, deadline: Deadline) -> FileLock | None:
    """Return the lock of the folder, None where another process has removed the folder in between."""
    try:
        ensure_private_directory(path)
        return FileLock.acquire(path / _LOCK, deadline)
    except FileAccessError as error:
        if isinstance(error.__cause__, FileNotFoundError) and not deadline.expired:
            return None
        raise


def _file_of(path: Path, member: ProcessIdentity) -> Path:
    return path / f"{_MEMBERS}{member.pid}"


def _member_in(file: Path) -> ProcessIdentity:
    return ProcessIdentity(**(read_json(file) or {"pid": 0}))
