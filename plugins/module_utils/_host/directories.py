# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Directories: created when absent, private where only this user has access, removed as a whole."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError, explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import (
    open_directory,
    set_mode,
    sync_directory,
)


def user_cache(name: str) -> Path:
    """Return where this collection keeps ``name`` for the user that runs it; it need not exist yet."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fieldops-openshift" / name


def ensure_directory(path: Path, *, mode: int = 0o755) -> bool:
    """Make ``path`` a directory of ``mode`` and return whether that changed anything.

    Missing directories above it get the process's default mode. A symbolic link in place of ``path`` is refused.
    Raises FileAccessError, DiskFullError.
    """
    with explained("create the directory", path):
        created = _create(path)
        with open_directory(path, follow=False) as descriptor:
            corrected = set_mode(descriptor, mode)
    return created or corrected


def ensure_private_directory(path: Path) -> bool:
    """Make ``path`` a directory that only this user can enter (0700) and return whether that changed anything.

    An existing one must belong to this user and must not be writable for others: what they may have put there cannot
    be trusted. Raises FileAccessError, DiskFullError.
    """
    with explained("create the private directory", path):
        created = _create(path)
        with open_directory(path, follow=False) as descriptor:
            seen = os.fstat(descriptor)
            if not created:
                _refuse_untrusted(path, seen)
            corrected = set_mode(descriptor, 0o700)
    return created or corrected


def remove_tree(path: Path) -> bool:
    """Remove the directory ``path`` with all in it, following no link, and return whether there was one."""
    with explained("remove the directory", path):
        try:
            shutil.rmtree(path)
        except FileNotFoundError:
            return False
        with open_directory(path.parent) as descriptor:
            sync_directory(descriptor)
    return True


def remove_empty_directory(path: Path) -> bool:
    """Remove the directory ``path`` if nothing is in it, and return whether that was so."""
    with explained("remove the directory", path):
        try:
            path.rmdir()
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT, errno.EBUSY):
                raise
            return False
    return True


def _create(path: Path) -> bool:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        return False
    with open_directory(path.parent) as descriptor:
        sync_directory(descriptor)
    return True


def _refuse_untrusted(path: Path, seen: os.stat_result) -> None:
    problem = ""
    if seen.st_uid != os.geteuid():
        problem = f"it is owned by user {seen.st_uid}, not by the current user ({os.geteuid()})"
    elif seen.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        problem = f"other users can write to it (mode {stat.S_IMODE(seen.st_mode):04o})"
    if problem:
        raise FileAccessError(
            "use the private directory",
            on=str(path),
            seen=problem,
            advice="Check who created it. Remove it, or choose another location.",
        )
