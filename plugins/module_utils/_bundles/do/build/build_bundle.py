# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Blobs into a bundle: what is missing is fetched, several blobs at a time, and only then named by the index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import (
    keep_only,
    note_begun,
    owned_blobs,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.receive_blobs import BlobReceiver
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.registry_source import RegistrySource
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.transfer_progress import (
    TransferProgress,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.boot_artifacts import AddressedSource
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_record import BuildRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_space import require_space
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.parallel import StopSign
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.write_volumes import write_volumes
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.assembly import Contents, assemble
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.checksums import checksum_lines
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import GatheredImage
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob, BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter


@dataclass(frozen=True)
class WantedBlob:
    """A blob and an image that has it, in whose repository it is requested."""

    blob: Descriptor
    image: ImageReference


@dataclass(frozen=True)
class BlobFetcher:
    """Brings blobs into ``folder``, several at a time, from the disk where they are there, else from ``registry``.

    ``client`` brings those that have an address of their own.
    """

    folder: BundleFolder
    registry: RegistryClient
    client: HttpClient
    progress: TransferProgress
    stop: StopSign
    connections: int
    deadline: Deadline

    def fetch(self, wanted: Iterable[WantedBlob]) -> Mapping[Digest, Blob]:
        """Return the entries of the index about every wanted blob once all are there. Raises NoSourceError."""
        requested = list(wanted)
        return self.receiver(requested).receive([one.blob.as_blob() for one in requested])

    def layers_from_top(self, image: GatheredImage) -> Iterator[Path]:
        """Yield the files of an image's layers, the topmost first; each is fetched when it is requested."""
        for blob in reversed(image.layers):
            self.fetch([WantedBlob(blob, image.name)])
            yield self.folder.blob(blob.digest)

    def receiver(self, wanted: Sequence[WantedBlob]) -> BlobReceiver:
        """Return what receives the ``wanted`` blobs."""
        images = {one.blob.digest: one.image for one in wanted}
        addresses = {one.blob.digest: one.blob.address for one in wanted if one.blob.address}
        return BlobReceiver(
            self.folder,
            [AddressedSource(self.client, addresses, RegistrySource(self.registry, images.__getitem__))],
            self.deadline,
            self.progress,
            parallel=self.connections,
            rechecks=True,
            begun=partial(note_begun, self.folder),
            owner=lambda digest: str(images[digest]),
        )


def wanted_blobs(contents: Contents) -> list[WantedBlob]:
    """Return what travels, each blob once, images with much content first: what comes last should be small."""
    travelling = contents.blobs
    found: dict[Digest, WantedBlob] = {}
    for image in sorted(contents.images, key=lambda image: -image.size):
        for blob in image.blobs:
            if blob.digest in travelling:
                found.setdefault(blob.digest, WantedBlob(blob, image.name))
    for signature in contents.signatures:
        for blob in signature.blobs:
            if blob.digest in travelling:
                source = signature.source or contents.images[0].name
                found.setdefault(blob.digest, WantedBlob(blob, source))
    return list(found.values())


def complete_bundle(
    contents: Contents, fetcher: BlobFetcher, record: BuildRecord, there: Mapping[Digest, Blob]
) -> BundleIndex:
    """Fetch what ``contents`` need beyond the blobs that are ``there``; return its index, which names nothing yet."""
    lacking = [one for one in wanted_blobs(contents) if one.blob.digest not in there]
    require_space(fetcher.folder, [one.blob for one in lacking])
    blobs = {**there, **fetcher.fetch(lacking)}
    return assemble(contents, blobs, built=record.started, serial=record.serial)


def publish_bundle(folder: BundleFolder, index: BundleIndex, reporter: ProgressReporter) -> bool:
    """Let ``index`` be the bundle in ``folder``, drop what it does not need, and return whether that changed it."""
    before = folder.last_index()
    owned = owned_blobs(folder)
    changed = folder.write_index(index, checksum_lines(index, folder.part_size))
    keep_only(folder, set(index.blobs), owned)
    changed = write_volumes(folder, index, reporter) or changed
    return changed or before is None or bool(set(before.blobs) - set(index.blobs))
