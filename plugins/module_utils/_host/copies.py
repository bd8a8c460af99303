# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Copies of files and folders, each file whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory, remove_tree
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import BLOCK, PartialFile
from ansible_collections.fieldops.openshift.plugins.module_utils._host.regular_file import open_regular

PART = ".part"
"""What the name of a file ends in while it is copied; it begins with a point."""


def copy_file(source: Path, target: Path) -> None:
    """Copy the regular file ``source`` to ``target``, which is replaced. Raises FileAccessError, DiskFullError."""
    with open_regular(source) as stream, PartialFile.opened(target.with_name(f".{target.name}{PART}")) as part:
        part.restart()
        while block := stream.read(BLOCK):
            part.write(block)
        part.publish(target)


def copy_folder(source: Path, target: Path) -> None:
    """Make ``target`` a copy of the folder ``source`` without what is hidden in it; what was there before goes."""
    remove_tree(target)
    ensure_directory(target)
    for name in visible_files(source):
        ensure_directory((target / name).parent)
        copy_file(source / name, target / name)


def visible_files(folder: Path) -> list[str]:
    """Return the paths of all files below ``folder``, relative and sorted, without those that are hidden."""
    return [name for name in files_below(folder) if not any(part.startswith(".") for part in Path(name).parts)]


def files_below(folder: Path, prefix: str = "") -> Iterator[str]:
    """Yield the relative paths of all that is in ``folder`` and no directory, sorted, following no link."""
    with explained("list the directory", folder):
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from files_below(Path(entry.path), f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}"
