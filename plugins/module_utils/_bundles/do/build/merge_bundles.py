# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bundles merged into a folder: every blob is verified while it is copied, from any source."""

from __future__ import annotations

import typing as t
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import FolderSource
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.connected_volumes import ConnectedVolumes
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import (
    note_begun,
    worked_in,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.receive_blobs import BlobReceiver
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.transfer_progress import TransferProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_bundle import publish_bundle
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_space import (
    require_space,
    spread_folder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.merging import merged_index
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import LONGEST
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter

COPIES = 2
"""Blobs copied at the same time: one is hashed while another is written; more only make a disk seek."""


def merge(
    path: str,
    sources: Sequence[str],
    progress: ProgressReporter,
    parts: Sequence[str] = (),
    parity: str | None = None,
) -> dict[str, t.Any]:
    """Make the folder ``path``, with ``parts``, hold what ``sources`` hold together; the work of a job.

    A bundle that is in ``path`` already is one of the sources, the last.
    """
    folder, clock = spread_folder(path, parts, parity), SystemClock()
    with worked_in(folder, clock):
        opened = [BundleFolder(Path(source)) for source in sources]
        previous = folder.last_index()
        index = planned_merge(opened, previous)
        require_space(folder, [Descriptor.of(blob) for blob in index.blobs.values()])
        copied = _copied(folder, opened, index, TransferProgress(progress, clock, "copied", index.size))
        signature = _signature_for(index, [*opened, folder])
        changed = publish_bundle(folder, index, progress)
        changed = folder.write_index_signature(signature) or changed
    return {
        "changed": changed or copied > 0,
        "before": str(previous.digest) if previous else None,
        "index_digest": str(index.digest),
        "copied": copied,
    }


def _copied(
    folder: BundleFolder, opened: Sequence[BundleFolder], index: BundleIndex, progress: TransferProgress
) -> int:
    """Copy what ``folder`` lacks from the ``opened`` bundles; return how many bytes that were.

    Raises NeedsVolumeError where the rest is on drives that are not connected: what could be copied is kept.
    """
    connected = ConnectedVolumes.of(opened, index)
    receiver = BlobReceiver(
        folder,
        [FolderSource(source.path) for source in opened],
        Deadline(LONGEST, SystemClock()),
        progress,
        parallel=COPIES,
        rechecks=True,
        begun=partial(note_begun, folder),
        owner=index.owner_of,
        fallbacks=[connected.parity_sources([folder])] if connected is not None else (),
    )
    try:
        receiver.receive(sorted(index.blobs.values(), key=lambda blob: blob.digest))
    except NoSourceError as error:
        if connected is None:
            raise
        lacking = folder.lacking(index.blobs.values())
        raise connected.explained(error, lacking, index.size, str(folder.path)) from error
    return receiver.received


def planned_merge(opened: Sequence[BundleFolder], there: BundleIndex | None) -> BundleIndex:
    """Return the index that the ``opened`` bundles become together with the one that is ``there``."""
    indexes = [source.require_index() for source in opened]
    if there is not None and all(there.digest != index.digest for index in indexes):
        # What an earlier merge came to is related to its sources without being one of their bases.
        indexes.append(there)
    return merged_index(indexes)


def _signature_for(index: BundleIndex, sources: Sequence[BundleFolder]) -> bytes | None:
    """Return the signature that a source has of this very index; a merge makes another index, which is not signed."""
    for source in sources:
        if source.index_bytes() == index.as_bytes():
            return source.index_signature()
    return None
