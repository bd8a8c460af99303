# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The mount table of a process as the kernel reports it, proc_pid_mountinfo(5)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_ESCAPED = re.compile(rb"\\([0-3][0-7]{2})")


@dataclass(frozen=True)
class Mount:
    """One line of mountinfo.

    ``device`` is "major:minor", ``root`` the directory of that file system which is seen at ``mount_point``.
    """

    mount_id: int
    parent_id: int
    device: str
    root: str
    mount_point: str
    options: tuple[str, ...]
    fs_type: str
    source: str
    super_options: tuple[str, ...]

    @property
    def is_read_only(self) -> bool:
        """Whether writing is refused, by this mount or by the whole file system."""
        return "ro" in self.options or "ro" in self.super_options


def parse_mountinfo(content: bytes) -> tuple[Mount, ...]:
    """Return the mounts of ``content`` in the kernel's order; raises InvalidInputError for a line of another shape."""
    return tuple(_parse_line(line) for line in content.split(b"\n") if line)


def _parse_line(line: bytes) -> Mount:
    before, separator, after = line.partition(b" - ")
    fields, described = before.split(b" "), after.split(b" ")
    numbers = fields[:2]
    if not separator or len(fields) < 6 or len(described) < 3 or not all(number.isdigit() for number in numbers):
        raise InvalidInputError(
            "read the mount table",
            on="mountinfo",
            seen=f"the line {line!r:.200}",
            advice="Report this line: this version does not know the format that the kernel uses.",
        )
    return Mount(
        mount_id=int(fields[0]),
        parent_id=int(fields[1]),
        device=_plain(fields[2]),
        root=_plain(fields[3]),
        mount_point=_plain(fields[4]),
        options=_words(fields[5]),
        fs_type=_plain(described[0]),
        source=_plain(described[1]),
        super_options=_words(described[2]),
    )


def _plain(field: bytes) -> str:
    # Space, tab, newline and backslash come as three octal digits; names need not be UTF-8.
    return os.fsdecode(_ESCAPED.sub(lambda match: bytes([int(match[1], 8)]), field))


def _words(field: bytes) -> tuple[str, ...]:
    return tuple(_plain(word) for word in field.split(b",") if word)


def mount_of(path: str | PurePosixPath, mounts: Sequence[Mount]) -> Mount | None:
    """Return the mount that the absolute, link-free ``path`` is in; None when no mount covers it.

    The tree is walked from its root by mount ids, since a mount that another one has covered keeps its line: the
    longest matching mount point alone would find the hidden one.
    """
    wanted = PurePosixPath(path)
    known = {mount.mount_id for mount in mounts}
    found = None
    candidates: Iterable[Mount] = [m for m in mounts if m.parent_id not in known or m.parent_id == m.mount_id]
    for _step in mounts:
        covering = [m for m in candidates if _covers(m.mount_point, wanted)]
        if not covering:
            break
        found = min(covering, key=lambda mount: len(mount.mount_point))
        candidates = [m for m in mounts if m.parent_id == found.mount_id != m.mount_id]
    return found


def mount_at(mount_point: str | PurePosixPath, mounts: Sequence[Mount]) -> Mount | None:
    """Return the mount that is seen at ``mount_point``; None when that is no mount point, or a hidden one."""
    found = mount_of(mount_point, mounts)
    return found if found and PurePosixPath(found.mount_point) == PurePosixPath(mount_point) else None


def _covers(mount_point: str, path: PurePosixPath) -> bool:
    covering = PurePosixPath(mount_point)
    return covering == path or covering in path.parents
