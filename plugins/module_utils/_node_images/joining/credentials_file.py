# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The credentials of control-plane nodes for other machines, in a private file of the controller during a play.

No variable, result or log then contains it.
"""

from __future__ import annotations

import os
import stat
import typing as t
from collections.abc import Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_private_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError, explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

NAMES = ("port", "networks", "address", "ca", "certificate", "key", "password")


def write_credentials(path: Path, credentials: Mapping[str, t.Any]) -> None:
    """Write them so that only this user can read them; raises FileAccessError, DiskFullError."""
    if not path.parent.exists():
        ensure_private_directory(path.parent)
    write_json(path, {name: credentials[name] for name in NAMES}, mode=0o600, durable=False)


def read_credentials(path: Path) -> dict[str, t.Any]:
    """Return what ``write_credentials`` wrote; raises FileAccessError, FileContentError, InvalidInputError."""
    with explained("read the credentials", path):
        seen = path.lstat()
    if seen.st_uid != os.geteuid() or stat.S_IMODE(seen.st_mode) & 0o077:
        raise FileAccessError(
            "use the credentials",
            on=str(path),
            seen="other users can read or replace them",
            advice="Remove the file. fieldops.openshift.joining_machines then writes it again.",
        )
    found = read_json(path)
    if not isinstance(found, dict) or not all(found.get(name) for name in NAMES):
        raise InvalidInputError(
            "use the credentials",
            on=str(path),
            seen="it does not contain all of them",
            advice="Remove the file. fieldops.openshift.joining_machines then writes it again.",
        )
    return {name: found[name] for name in NAMES}
