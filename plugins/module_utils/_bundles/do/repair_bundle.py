# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A damaged bundle made whole: only what is damaged is brought, step by step, from copies or from the registry."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import FolderSource
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.connected_volumes import ConnectedVolumes
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import (
    keep_only,
    owned_blobs,
    worked_in,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.receive_blobs import BlobReceiver
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.registry_source import RegistrySource
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.spread_bundle import SpreadBundle
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.transfer_progress import TransferProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_space import (
    require_space,
    spread_folder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.write_volumes import write_volumes
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.registry_setup import (
    registry_settings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import (
    on_other_drives,
    verify_all,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import RegistryOptions
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.checksums import checksum_lines
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import LONGEST
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import (
    DamagedBundleError,
    WrongContentError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter


def repair(
    path: str,
    sources: Sequence[str],
    index_digest: str | None,
    registry_options: Mapping[str, t.Any],
    progress: ProgressReporter,
    parts: Sequence[str] = (),
    parity: str | None = None,
) -> dict[str, t.Any]:
    """Make the bundle in ``path``, with ``parts``, whole; the work of a job.

    What is right in a damaged blob is kept; copies of it in ``sources`` are asked first, then ``parity``, then
    registries as ``registry_options`` say. An index that is lost or damaged is taken from a source if it has
    ``index_digest``.
    """
    folder, clock = spread_folder(path, parts, parity), SystemClock()
    settings = registry_settings(RegistryOptions.from_document(registry_options), clock)
    with worked_in(folder, clock), RegistryClient(settings, clock) as registry:
        copies = [BundleFolder(Path(source)) for source in sources]
        index, is_restored = _index_of(folder, copies, index_digest)
        counts = TransferProgress(progress, clock, "verified", index.size)
        # Several folders are meant to have everything together; one drive of several has its part.
        elsewhere = on_other_drives(folder, index) if not parts else ()
        damaged = [damage.blob for damage in verify_all(folder, index, elsewhere, counted=counts.arrived)]
        require_space(folder, [Descriptor.of(blob) for blob in damaged])
        shown = TransferProgress(progress, clock, "repaired", sum(blob.size for blob in damaged))
        receiver = _receiver(folder, copies, index, registry, shown)
        receiver.receive(damaged)
        signature = folder.index_signature()
        was_written = folder.write_index(index, checksum_lines(index, folder.part_size))
        was_written = folder.write_index_signature(signature) or was_written
        dropped = keep_only(folder, set(index.blobs), owned_blobs(folder))
        if isinstance(folder, SpreadBundle):
            was_written = write_volumes(folder, index, progress, reads_parity=True) or was_written
    return {
        "changed": bool(damaged) or is_restored or was_written or dropped > 0,
        "before": None if is_restored else str(index.digest),
        "index_digest": str(index.digest),
        "repaired": [str(blob.digest) for blob in damaged],
        "fetched": receiver.by_source[RegistrySource.name],
    }


def _receiver(
    folder: BundleFolder,
    copies: Sequence[BundleFolder],
    index: BundleIndex,
    registry: RegistryClient,
    progress: TransferProgress,
) -> BlobReceiver:
    """Return what restores blobs in ``folder``: from itself and the ``copies``, then a parity, then registries."""
    connected = ConnectedVolumes.of([*folder.members, *copies], index)
    rebuilt = connected.parity_sources([folder]) if connected is not None else []
    return BlobReceiver(
        folder,
        [FolderSource(one.path) for one in (*folder.members, *copies)],
        Deadline(LONGEST, SystemClock()),
        progress,
        stepwise=True,
        owner=index.owner_of,
        fallbacks=[rebuilt, [RegistrySource(registry, lambda digest: _image_with(index, digest))]],
    )


def _index_of(
    folder: BundleFolder, copies: Sequence[BundleFolder], index_digest: str | None
) -> tuple[BundleIndex, bool]:
    index = _vetted_index(folder, index_digest)
    if index is not None:
        return index, False
    for copy in copies if index_digest else ():
        found = _vetted_index(copy, index_digest)
        if found is not None:
            folder.write_index(found, checksum_lines(found, folder.part_size))
            folder.write_index_signature(copy.index_signature())
            return found, True
    raise DamagedBundleError(
        "repair the bundle",
        on=str(folder.path),
        seen="its index is missing, damaged, or not the requested one" + (f" {index_digest}" if index_digest else ""),
        advice="Set the index_digest of the bundle, and a source that has an undamaged copy of its index.",
    )


def _vetted_index(folder: BundleFolder, index_digest: str | None) -> BundleIndex | None:
    """Return the index in ``folder`` if it is usable; one with another digest than a given one is not even parsed."""
    if index_digest is None:
        return folder.last_index()
    try:
        return folder.require_index(Digest.parse(index_digest))
    except (DamagedBundleError, WrongContentError, InvalidInputError):
        return None


def _image_with(index: BundleIndex, digest: Digest) -> ImageReference:
    """Return an image in whose repository the blob ``digest`` is."""
    for image in index.images:
        if digest in image.blobs():
            return image.name
    for signature in index.signatures:
        if digest in signature.blobs:
            return next(image.name for image in index.images if signature.image in image.manifests)
    return index.release
