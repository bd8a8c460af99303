# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The free space of a file system."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained


@dataclass(frozen=True)
class FreeSpace:
    """statvfs(3) of ``path``: bytes and inodes, those ``free`` being what this user may still use.

    ``inodes_total`` is 0 on file systems without a fixed number of them (btrfs).
    """

    path: Path
    total: int
    free: int
    inodes_total: int
    inodes_free: int
    read_only: bool
    unit: int = 1
    """Bytes in whose multiples files take space."""

    def takes(self, size: int, files: int = 1) -> bool:
        """Whether ``files`` files of ``size`` bytes in all can be written now."""
        return not self.read_only and self.free >= size and (self.inodes_total == 0 or self.inodes_free >= files)


def free_space(path: Path) -> FreeSpace:
    """Return the free space where ``path`` is or would be: of itself or its nearest existing directory above."""
    with explained("read the free space", path):
        while not path.exists() and path != path.parent:
            path = path.parent
        facts = os.statvfs(path)
    return FreeSpace(
        path=path,
        total=facts.f_blocks * facts.f_frsize,
        free=facts.f_bavail * facts.f_frsize,
        inodes_total=facts.f_files,
        inodes_free=facts.f_favail,
        read_only=bool(facts.f_flag & os.ST_RDONLY),
        unit=facts.f_frsize,
    )
