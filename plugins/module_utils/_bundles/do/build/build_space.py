# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether the disk takes a bundle, asked before its first byte."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_files import FAT_PART
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.spread_bundle import SpreadBundle
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.drive_space import (
    RESERVE,
    place,
    placement,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import DiskFullError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.free_space import free_space
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import mount_of
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import read_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size


def missing_by_blob(folder: BundleFolder, blobs: Sequence[Descriptor]) -> dict[Digest, int]:
    """Return how many bytes are missing of each of ``blobs`` that is not whole in ``folder``; beginnings are there."""
    there, begun = folder.sizes()
    absent = [blob for blob in blobs if there.get(blob.digest.hex) != blob.size]
    return {blob.digest: max(0, blob.size - begun.get(blob.digest.hex, 0)) for blob in absent}


def space_forecast(folder: BundleFolder, blobs: Sequence[Descriptor]) -> dict[str, t.Any]:
    """Return as plain data the bytes of ``blobs`` that are missing, those that are free, and whether that fits.

    ``lacking`` are the bytes by which the space is too small, ``obsolete`` those that are removed after the build.
    ``media`` are the folders with their free bytes.
    """
    wanted = {blob.digest.hex for blob in blobs}
    obsolete = sum(size for name, size in folder.sizes()[0].items() if name not in wanted)
    missing = sum(missing_by_blob(folder, blobs).values())
    shelves = folder.shelves if isinstance(folder, SpreadBundle) else (folder,)
    media: list[dict[str, t.Any]] = [{"path": str(one.path), "free": free_space(one.path).free} for one in shelves]
    free = sum(one["free"] for one in media)
    return {
        "missing": missing,
        "free": free,
        "fits": _fits(folder, blobs, missing),
        "lacking": max(0, missing + RESERVE * len(media) - free) if missing else 0,
        "obsolete": obsolete,
        "media": media,
    }


def _fits(folder: BundleFolder, blobs: Sequence[Descriptor], missing: int) -> bool:
    if isinstance(folder, SpreadBundle):
        return placement(folder, blobs) is not None
    return not missing or free_space(folder.path).takes(missing + RESERVE, len(blobs))


def space_sentence(forecast: Mapping[str, t.Any]) -> str:
    """Return ``space_forecast`` in words."""
    verdict = "which is enough" if forecast["fits"] else "which is not enough"
    return f"{format_size(forecast['missing'])} are missing, {format_size(forecast['free'])} are free, {verdict}"


def require_space(folder: BundleFolder, blobs: Sequence[Descriptor]) -> None:
    """Raise DiskFullError unless what is missing of ``blobs`` fits; of several drives, choose those of the blobs."""
    if isinstance(folder, SpreadBundle):
        place(folder, blobs)
        return
    lacking = missing_by_blob(folder, blobs)
    missing, files = sum(lacking.values()), len(lacking)
    space = free_space(folder.path)
    if missing and not space.takes(missing + RESERVE, files):
        raise DiskFullError(
            "reserve space for the bundle",
            on=str(folder.path),
            seen=f"it requires another {format_size(missing + RESERVE)} and {files} files; "
            f"{format_size(space.free)} and {space.inodes_free} files are free",
            advice="Free space, or choose another disk. Existing content is kept and counted.",
        )


def media_folder(path: Path) -> BundleFolder:
    """Return the folder at ``path`` as it can be written: a file system of the FAT family holds no file of 4 GiB."""
    mount = mount_of(str(path.resolve()), read_mounts(Host(SystemClock())))
    is_fat = mount is not None and mount.fs_type in ("vfat", "msdos")
    return BundleFolder(path, part_size=FAT_PART if is_fat else None)


def spread_folder(path: str, parts: Sequence[str] = (), parity: str | None = None) -> BundleFolder:
    """Return the bundle in ``path``, or in it and in the folders ``parts``, with the parity in ``parity``."""
    first = media_folder(Path(path))
    if not parts:
        return first
    others = tuple(media_folder(Path(one)) for one in parts)
    return SpreadBundle(first.path, first.part_size, others, media_folder(Path(parity)) if parity else None)
