# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The token of a run in a private file of the controller, so that no variable, result or log ever holds it."""

from __future__ import annotations

import os
import secrets
import stat
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_private_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError, explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.credentials import (
    LONGEST_TOKEN,
    checked_token,
)


def new_token() -> str:
    """Return a token that cannot be guessed."""
    return secrets.token_hex(32)


def ensure_token(path: Path) -> str:
    """Return the token in ``path``, where a new one is written if there is none.

    Raises FileAccessError for a file that others may read or that is not ours, InvalidInputError for a weak token.
    """
    if not path.exists():
        if not path.parent.exists():
            ensure_private_directory(path.parent)
        write_file(path, f"{new_token()}\n", mode=0o600)
    return read_token(path)


def read_token(path: Path) -> str:
    """Return the token in ``path``; raises as ``ensure_token``, and FileAccessError where there is none."""
    with explained("read the token", path):
        seen = path.lstat()
    if seen.st_uid != os.geteuid() or stat.S_IMODE(seen.st_mode) & 0o077:
        raise FileAccessError(
            "use the token",
            on=str(path),
            seen="other users can read or replace it",
            advice="Remove the file, so that a new one is created, or set its owner and mode 0600.",
        )
    return checked_token((read_file(path, limit=LONGEST_TOKEN + 2) or b"").decode("ascii", "replace").strip())


def with_tokens(sources: t.Any) -> t.Any:
    """Return ``sources``, the option of several modules, with each ``token_file`` replaced by the token that it holds.

    What is no list of sources is returned as it is, for the module to refuse. Raises as ``read_token``.
    """
    return [_with_token(source) for source in sources] if isinstance(sources, list) else sources


def _with_token(source: t.Any) -> t.Any:
    if not isinstance(source, dict) or not source.get("token_file") or source.get("token"):
        return source
    rest = {name: value for name, value in source.items() if name != "token_file"}
    return {**rest, "token": read_token(Path(source["token_file"]).expanduser())}
