# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Where the client library may keep what it learned about a cluster's API: in a directory that is ours alone."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import stat
import tempfile
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

if t.TYPE_CHECKING:
    from collections.abc import Sequence


def cache_file(directory: Path | None, *, server: str, identity: Sequence[str], library: str) -> Path:
    """Return the file for one server, user and library within ``directory``; the name holds a hash of them.

    The library's own default is a predictable name in the shared temporary directory, where anyone may plant a file
    that decides which URLs are asked. None stands for a fresh private directory that goes with this process. Raise
    InvalidInputError when ``directory`` is not private.
    """
    key = hashlib.sha256(json.dumps([server, *identity, library]).encode()).hexdigest()[:32]
    if directory is None:
        directory = _fresh_directory()
    else:
        check_private(directory)
    return directory / f"discovery-{key}.json"


def check_private(directory: Path) -> None:
    """Raise InvalidInputError unless ``directory`` is a directory of this user's that nobody else may enter."""
    try:
        found = directory.lstat()
    except OSError as error:
        raise _not_private(directory, str(error.strerror)) from error
    if not stat.S_ISDIR(found.st_mode):
        raise _not_private(directory, "it is a symbolic link or no directory")
    if found.st_uid != os.geteuid():
        raise _not_private(directory, f"it belongs to user id {found.st_uid}")
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise _not_private(directory, f"its mode is {stat.S_IMODE(found.st_mode):04o}")


def _fresh_directory() -> Path:
    directory = Path(tempfile.mkdtemp(prefix="fieldops-discovery-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return directory


def _not_private(directory: Path, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "keep the API discovery cache",
        on=str(directory),
        seen=seen,
        advice="Use a directory of the own user with mode 0700, or none.",
    )
