# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Whether the disk takes a bundle, asked before its first byte."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import DiskFullError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.free_space import free_space
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import mount_of
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import read_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import GIB, MIB, format_size

if t.TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_folder import BundleFolder
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor

RESERVE = 32 * MIB
"""Room for index, checksums and the file system's own needs."""

FAT_LIMIT = 4 * GIB - 1
"""The largest file on FAT32. Source: Microsoft, "FAT32 File System Specification"."""


def missing_bytes(folder: BundleFolder, blobs: Sequence[Descriptor]) -> int:
    """Return how many bytes of ``blobs`` are not in ``folder`` yet; beginnings count as there."""
    missing = 0
    for blob in blobs:
        if not folder.has(blob.digest, blob.size):
            missing += max(0, blob.size - (folder.size_of(folder.partial(blob.digest)) or 0))
    return missing


def require_space(folder: BundleFolder, blobs: Sequence[Descriptor]) -> None:
    """Raise DiskFullError unless what is missing of ``blobs`` fits; BundleError where one cannot lie on such a disk."""
    missing = missing_bytes(folder, blobs)
    files = sum(1 for blob in blobs if not folder.has(blob.digest, blob.size))
    space = free_space(folder.path)
    if missing and not space.takes(missing + RESERVE, files):
        raise DiskFullError(
            "make room for the bundle",
            on=str(folder.path),
            seen=f"it needs {format_size(missing + RESERVE)} and {files} files more; "
            f"{format_size(space.free)} and {space.inodes_free} files are free",
            advice="Free space, or choose another disk; what is already there is kept and counted.",
        )
    _refuse_large_on_fat(folder.path, blobs)


def is_fat(path: Path) -> bool:
    """Whether ``path`` lies, or would lie, on a file system of the FAT family, exFAT apart."""
    mount = mount_of(str(path.resolve()), read_mounts(Host(SystemClock())))
    return mount is not None and mount.fs_type in ("vfat", "msdos")


def _refuse_large_on_fat(path: Path, blobs: Sequence[Descriptor]) -> None:
    largest = max((blob.size for blob in blobs), default=0)
    if largest > FAT_LIMIT and is_fat(path):
        raise BundleError(
            "put the bundle on this disk",
            on=str(path),
            seen=f"one of its blobs has {format_size(largest)}, and FAT holds no file above 4 GiB",
            advice="Build elsewhere and export the bundle in chunks, or format the disk with ext4, XFS or exFAT.",
        )
