# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a bundle is what its index says: by sizes in a moment, or by every byte on all cores."""

from __future__ import annotations

import os
import typing as t
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.connected_volumes import ConnectedVolumes
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.prefix_hasher import PrefixHasher
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.parallel import StopSign, in_parallel
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob, BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

MOST_IMAGES = 20
SMALL = 256 * 1024
"""Bytes up to which a blob is read even by a check that has to be quick."""


@dataclass(frozen=True)
class Damage:
    """What is wrong with a blob; its first ``intact`` bytes are right."""

    blob: Blob
    problem: str
    intact: int = 0


def on_other_drives(folder: BundleFolder, index: BundleIndex) -> set[Digest]:
    """Return the blobs that are not in ``folder`` because they are on drives that are not connected.

    What the drives say of each other is not signed: what is here is verified whatever they say.
    """
    connected = ConnectedVolumes.of(folder.members, index)
    elsewhere = connected.elsewhere() if connected is not None else set()
    return {digest for digest in elsewhere if digest in index.blobs and folder.blob_size(digest) is None}


def look_at(folder: BundleFolder, index: BundleIndex, elsewhere: Collection[Digest] = ()) -> list[Damage]:
    """Return the result of a quick check: names and sizes of all blobs, and the digests of the small ones.

    Manifests, configs and signatures are small; of layers nothing is read. Blobs ``elsewhere`` are not looked for.
    """
    found: list[Damage] = []
    for blob in _largest_first(index, elsewhere):
        reads = blob.size <= SMALL
        found += _size_damage(folder, blob) or (_digest_damage(folder, blob, StopSign(), _uncounted) if reads else [])
    return found


def verify_all(
    folder: BundleFolder,
    index: BundleIndex,
    elsewhere: Collection[Digest] = (),
    *,
    counted: Callable[[int], object] | None = None,
) -> list[Damage]:
    """Read every blob and return what is damaged, in the order of the digests; ``counted`` receives the bytes read.

    Blobs ``elsewhere`` are not looked for.
    """
    stop = StopSign()

    def check(blob: Blob) -> list[Damage]:
        return _size_damage(folder, blob) or _digest_damage(folder, blob, stop, counted or _uncounted)

    blobs = _largest_first(index, elsewhere)
    found = in_parallel(check, blobs, workers=len(os.sched_getaffinity(0)), stop=stop)
    return sorted((damage for damages in found for damage in damages), key=lambda damage: damage.blob.digest)


def damage_report(index: BundleIndex, damages: Iterable[Damage]) -> list[dict[str, t.Any]]:
    """Return the damages as plain data, each with the images that it breaks, or the first ones of many."""
    users: dict[Digest, list[str]] = {}
    for image in index.images:
        for digest in image.blobs():
            users.setdefault(digest, []).append(str(image.name))
    return [
        {
            "blob": str(damage.blob.digest),
            "path": damage.blob.path,
            "size": damage.blob.size,
            "problem": damage.problem,
            "intact": damage.intact,
            "owner": index.owner_of(damage.blob.digest),
            "images": users.get(damage.blob.digest, [])[:MOST_IMAGES],
        }
        for damage in damages
    ]


def _largest_first(index: BundleIndex, elsewhere: Collection[Digest]) -> list[Blob]:
    # So that no core is left with a large one at the end.
    blobs = (blob for blob in index.blobs.values() if blob.digest not in elsewhere)
    return sorted(blobs, key=lambda blob: (-blob.size, blob.digest))


def _uncounted(_count: int) -> None:
    """Count nothing."""


def _size_damage(folder: BundleFolder, blob: Blob) -> list[Damage]:
    size = folder.blob_size(blob.digest)
    if size is None:
        return [Damage(blob, "it is missing, or not a regular file")]
    return [] if size == blob.size else [Damage(blob, f"it has {size} bytes instead of {blob.size}")]


def _digest_damage(folder: BundleFolder, blob: Blob, stop: StopSign, counted: Callable[[int], object]) -> list[Damage]:
    hasher = PrefixHasher(blob.prefixes)
    try:
        with folder.open_blob(blob.digest) as reader:
            if reader is None or reader.size != blob.size:
                return [Damage(blob, "it changed while it was read")]
            for block in reader.blocks():
                stop.heed()
                hasher.update(block)
                counted(len(block))
    except FileAccessError as error:
        return [Damage(blob, f"it cannot be read: {error.seen}", hasher.proved)]
    if hasher.hexdigest() == blob.digest.hex:
        return []
    return [Damage(blob, f"its digest is sha256:{hasher.hexdigest()}", hasher.proved)]
