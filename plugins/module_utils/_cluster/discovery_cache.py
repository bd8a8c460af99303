# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where the client library may keep what it learned about a cluster's API: in a directory that is ours alone."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_NOWHERE = f"{os.devnull}/discovery.json"
"""No file can be here: the library finds none, cannot write one, and keeps what it learns in memory without a word."""


def cache_file(directory: Path | None, *, server: str, identity: Sequence[str], library: str) -> str:
    """Return the file for one server, user and library within ``directory``; the name holds a hash of them.

    The library's own default is a predictable name in the shared temporary directory, where anyone may plant a file
    that decides which URLs are asked. Without a ``directory`` nothing is kept beyond the client. Raise
    InvalidInputError when ``directory`` is not private.
    """
    if directory is None:
        return _NOWHERE
    check_private(directory)
    key = hashlib.sha256(json.dumps([server, *identity, library]).encode()).hexdigest()[:32]
    return str(directory / f"discovery-{key}.json")


def check_private(directory: Path) -> None:
    """Raise InvalidInputError unless ``directory`` is a directory of this user's that no one else may enter."""
    try:
        found = directory.lstat()
    except OSError as error:
        raise _not_private(directory, str(error.strerror)) from error
    if not stat.S_ISDIR(found.st_mode):
        raise _not_private(directory, "it is a symbolic link or not a directory")
    if found.st_uid != os.geteuid():
        raise _not_private(directory, f"it belongs to user id {found.st_uid}")
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise _not_private(directory, f"its mode is {stat.S_IMODE(found.st_mode):04o}")


def _not_private(directory: Path, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "keep the API discovery cache",
        on=str(directory),
        seen=seen,
        advice="Use a directory of the current user with mode 0700, or none.",
    )
