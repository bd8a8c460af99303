# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A private directory for the length of one piece of work."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import remove_tree
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained


@contextlib.contextmanager
def scratch_directory() -> Iterator[Path]:
    """Make a directory that only this user can enter, and remove it with all in it at the end of the block.

    Its path is short, because some programs (gpg-agent) create sockets in it, whose paths have at most 100 characters.
    Raises FileAccessError, DiskFullError.
    """
    base = Path(tempfile.gettempdir())
    with explained("create a private directory", base):
        directory = Path(tempfile.mkdtemp(prefix="fieldops-", dir=base))
    try:
        yield directory
    finally:
        remove_tree(directory)
