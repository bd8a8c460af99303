# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether the drives of a bundle on several drives take it, and which of them takes which blob."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_files import blob_size
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.spread_bundle import SpreadBundle
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.spreading import Room, spread
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import DiskFullError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.free_space import free_space
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import PARITY_FILE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB, format_size

RESERVE = 32 * MIB
"""Room on each drive for index, checksums and the file system's own needs."""


def placement(folder: SpreadBundle, blobs: Sequence[Descriptor]) -> dict[Digest, BundleFolder] | None:
    """Return the drive for each of ``blobs`` that no drive has yet; None if they do not fit."""
    named, begun = folder.sizes()
    absent = [blob for blob in blobs if named.get(blob.digest.hex) != blob.size]
    rooms = _rooms(folder, [blob for blob in absent if blob.digest.hex in begun])
    found = spread((blob for blob in absent if blob.digest.hex not in begun), rooms)
    if found is None:
        return None
    if folder.parity is not None and not _takes_parity(folder.parity, max(room.held for room in found.rooms)):
        return None
    return {digest: folder.shelves[number] for digest, number in found.places.items()}


def place(folder: SpreadBundle, blobs: Sequence[Descriptor]) -> None:
    """Choose the drive of each of ``blobs``; raise DiskFullError if they do not fit."""
    places = placement(folder, blobs)
    if places is None:
        size = sum(blob.size for blob in blobs)
        free = [f"{format_size(free_space(one.path).free)} on {one.path}" for one in folder.shelves]
        parity = [f"{format_size(free_space(folder.parity.path).free)} for the parity"] if folder.parity else []
        raise DiskFullError(
            "spread the bundle over the drives",
            on=", ".join(str(one.path) for one in folder.members),
            seen=f"its {len(blobs)} blobs with {format_size(size)} do not fit, and a blob is not divided; free are "
            f"{', '.join([*free, *parity])}",
            advice="Add a drive, or use larger ones. Existing content is kept and counted.",
        )
    folder.place(places)


def _rooms(folder: SpreadBundle, started: Sequence[Descriptor]) -> list[Room]:
    """Return the drives as they are when the blobs that are ``started`` are complete."""
    spaces = [free_space(shelf.path) for shelf in folder.shelves]
    devices = [space.path.stat().st_dev for space in spaces]
    rooms = []
    for shelf, space, device in zip(folder.shelves, spaces, devices):
        named, begun = shelf.sizes()
        rest = sum(blob.size - begun[blob.digest.hex] for blob in started if blob.digest.hex in begun)
        # Folders of one file system share what is free there.
        free = 0 if space.read_only else space.free // devices.count(device) - RESERVE - rest
        rooms.append(Room(max(free, 0), sum(named.values()) + sum(begun.values()) + rest, space.unit))
    return rooms


def _takes_parity(folder: BundleFolder, size: int) -> bool:
    there = blob_size(folder.path / PARITY_FILE) or 0
    space = free_space(folder.path)
    return replace(space, free=space.free + there).takes(size + RESERVE)
