# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names of files that exist already: further hard links, symbolic links, and moves within a file system."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import open_directory, sync_directory

_NO_LINK = (errno.EXDEV, errno.EMLINK, errno.EPERM)


def link_file(source: Path, target: Path) -> bool:
    """Give the file ``source`` the second name ``target`` and return whether that was possible.

    It is not across file systems, or where the file has too many names already. An existing ``target`` stays.
    """
    with explained("link the file", target), open_directory(target.parent) as directory:
        try:
            os.link(source, target, follow_symlinks=False)
        except FileExistsError:
            return True
        except OSError as error:
            if error.errno in _NO_LINK:
                return False
            raise
        sync_directory(directory)
    return True


def write_symlinks(directory: Path, targets: Mapping[str, str]) -> None:
    """Make a symbolic link in ``directory`` for each name in ``targets``; not flushed, as links cost nothing to make.

    Raises FileAccessError, also when a name is taken.
    """
    for name, target in targets.items():
        path = directory / name
        with explained("create the symbolic link", path):
            path.symlink_to(target)


def move_file(source: Path, target: Path) -> None:
    """Give ``source`` the name ``target`` instead, and replace a file of that name. Both must be on one file system."""
    with explained("move a file into place", target), open_directory(target.parent) as directory:
        source.replace(target)
        sync_directory(directory)
