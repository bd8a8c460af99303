# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The folder that a host keeps backups of etcd in, read without trusting its content."""

from __future__ import annotations

import os
import re
import stat
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.etcd_errors import EtcdBackupError
from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.plan.backups import (
    Backups,
    FoundFile,
    backups_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import open_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_PLAIN_PATH = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9._-]*)+")
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def require_plain_path(path: str) -> None:
    """Raise InvalidInputError unless ``path`` is absolute and plain: older scripts do not quote it."""
    if not _PLAIN_PATH.fullmatch(path):
        raise InvalidInputError(
            "use the folder of backups",
            on=f"{path:.200}",
            seen="the path is relative, or contains characters other than letters, digits, '.', '_' and '-'",
            advice="Use a path such as /home/core/assets/backup.",
        )


def read_backups(host: Host, path: str) -> Backups:
    """Return the backups in the folder ``path`` of the host, by its own clock; none where there is no such folder.

    Files count that belong to this user, root, and that others cannot write, and so it is with the folder. Raises
    EtcdBackupError for a folder that does not, FileAccessError for a symbolic link and what is no folder.
    """
    require_plain_path(path)
    place = host.path(path)
    with explained("read the folder of backups", place):
        try:
            with open_directory(place, follow=False) as directory:
                _require_ours(path, os.fstat(directory))
                with os.scandir(directory) as entries:
                    files = [_found(entry) for entry in entries]
        except FileNotFoundError:
            files = []
    return backups_of(path, [file for file in files if file is not None], host.clock.utcnow())


def _require_ours(path: str, seen: os.stat_result) -> None:
    objection = _objection(seen)
    if objection:
        raise EtcdBackupError(
            "use the folder of backups",
            on=path,
            seen=objection,
            advice="Check who wrote to it, then set its owner to root and its mode to 0700, or choose another folder.",
        )


def _found(entry: os.DirEntry[str]) -> FoundFile | None:
    try:
        seen = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        # It has been renamed or removed since the folder was listed.
        return None
    modified = datetime.fromtimestamp(seen.st_mtime, timezone.utc)
    objection = _objection(seen) if stat.S_ISREG(seen.st_mode) else "it is not a regular file"
    return FoundFile(entry.name, seen.st_size, modified, objection)


def _objection(seen: os.stat_result) -> str:
    if seen.st_uid != os.geteuid():
        return f"it is owned by user {seen.st_uid}, not by {os.geteuid()}"
    return (
        f"other users can write to it (mode {stat.S_IMODE(seen.st_mode):04o})" if seen.st_mode & _OTHERS_WRITE else ""
    )
