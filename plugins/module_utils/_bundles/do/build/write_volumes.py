# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""On each drive of a bundle the document about all of them, and on one of them the parity."""

from __future__ import annotations

import contextlib
import string
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_files import blob_size
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.parity import (
    parity_digest,
    volume_strings,
    write_parity,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.spread_bundle import SpreadBundle
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.transfer_progress import TransferProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.labels import drive_label
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import read_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_volumes import (
    PARITY_FILE,
    PARITY_NAME,
    VOLUME_FILE,
    Volume,
    VolumeSet,
    read_volumes,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter


def write_volumes(
    folder: BundleFolder, index: BundleIndex, reporter: ProgressReporter, *, reads_parity: bool = False
) -> bool:
    """Describe the drives of the bundle on each of them, and return whether that changed anything.

    All blobs of ``index`` are there. A bundle in one folder has no such document. With ``reads_parity``, a parity that
    is damaged is written again, otherwise only one that is about other blobs.
    """
    if not isinstance(folder, SpreadBundle):
        return remove_file(folder.path / VOLUME_FILE)
    mounts = read_mounts(Host(SystemClock()))
    volumes = tuple(
        Volume(string.ascii_uppercase[number], drive_label(shelf.path, mounts), _blobs_on(shelf, index))
        for number, shelf in enumerate(folder.shelves)
    )
    found = VolumeSet(index.digest, volumes)
    names = [volume.name for volume in volumes]
    changed = False
    if folder.parity is not None:
        digest = _right_parity(folder.parity, found, index, reads=reads_parity)
        if digest is None:
            digest, changed = _written_parity(folder, folder.parity, found, index, reporter), True
        label = drive_label(folder.parity.path, mounts)
        found = replace(found, parity=Volume(PARITY_NAME, label), parity_digest=digest)
        names.append(PARITY_NAME)
    written = [
        write_file(member.path / VOLUME_FILE, found.document(name)) for member, name in zip(folder.members, names)
    ]
    return changed or any(written)


def _blobs_on(shelf: BundleFolder, index: BundleIndex) -> tuple[Digest, ...]:
    sizes = shelf.sizes()[0]
    return tuple(digest for digest, blob in sorted(index.blobs.items()) if sizes.get(digest.hex) == blob.size)


def _right_parity(target: BundleFolder, volumes: VolumeSet, index: BundleIndex, *, reads: bool) -> Digest | None:
    """Return the digest of the parity in ``target`` if it covers these blobs, and, if it ``reads`` it, is intact."""
    known = _known_parity(target)
    if known is None or [one.blobs for one in known.volumes] != [one.blobs for one in volumes.volumes]:
        return None
    size = max(one.size for one in volume_strings(volumes, index))
    if blob_size(target.path / PARITY_FILE) != size or (reads and parity_digest(target) != known.parity_digest):
        return None
    return known.parity_digest


def _written_parity(
    folder: SpreadBundle, target: BundleFolder, volumes: VolumeSet, index: BundleIndex, reporter: ProgressReporter
) -> Digest:
    strings = volume_strings(volumes, index)
    progress = TransferProgress(reporter, SystemClock(), "parity:", max(one.size for one in strings))
    return write_parity(strings, folder.shelves, target, progress.arrived)


def _known_parity(target: BundleFolder) -> VolumeSet | None:
    with contextlib.suppress(InvalidInputError):
        content = target.volume_bytes()
        return read_volumes(content, on=str(target.path))[1] if content is not None else None
    return None
