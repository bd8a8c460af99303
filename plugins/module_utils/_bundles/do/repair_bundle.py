# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A damaged bundle made whole: only what is damaged is brought, piece by piece, from copies or from the registry."""

from __future__ import annotations

import hashlib
import typing as t
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import (
    BlobError,
    DamagedBundleError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build_space import require_space
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.byte_progress import ByteProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.registry_setup import registry_settings
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import Damage, verify_all
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import RegistryOptions
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.checksums import checksum_lines
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import LONGEST
from ansible_collections.fieldops.openshift.plugins.module_utils._host.partial_file import PartialFile
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import CHECKSUM_FILE, PIECE_SIZE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

if t.TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob, BundleIndex
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter


def repair(
    path: str,
    sources: Sequence[str],
    index_digest: str | None,
    registry_options: Mapping[str, t.Any],
    progress: ProgressReporter,
) -> dict[str, t.Any]:
    """Make the bundle in ``path`` whole; the work of a job.

    Copies of it in ``sources`` are asked first, then registries as ``registry_options`` say. An index that is lost or
    damaged is taken from a source if it has ``index_digest``.
    """
    folder, clock = BundleFolder(Path(path)), SystemClock()
    settings = registry_settings(RegistryOptions.from_document(registry_options))
    folder.prepare()
    with folder.locked(clock), RegistryClient(settings, clock) as registry:
        folder.prepare()
        opened = [BundleFolder(Path(source)) for source in sources]
        index, is_restored = _index_of(folder, opened, index_digest)
        counts = ByteProgress(progress, clock, "verified", index.size)
        damages = verify_all(folder, index, counted=counts.add)
        require_space(folder, [_descriptor(damage.blob) for damage in damages])
        mender = Mender(folder, index, opened, registry, Deadline(LONGEST, clock))
        for number, damage in enumerate(damages, 1):
            progress.report(f"repairing blob {number} of {len(damages)}: {damage.blob.digest}")
            mender.mend(damage)
        was_written = write_file(folder.path / CHECKSUM_FILE, checksum_lines(index))
        dropped = folder.keep_only(set(index.blobs))
    return {
        "changed": bool(damages) or is_restored or was_written or dropped > 0,
        "index_digest": str(index.digest),
        "repaired": [str(damage.blob.digest) for damage in damages],
        "fetched": mender.fetched,
    }


def _index_of(
    folder: BundleFolder, sources: Sequence[BundleFolder], index_digest: str | None
) -> tuple[BundleIndex, bool]:
    index = folder.last_index()
    if index is not None and index_digest in (None, str(index.digest)):
        return index, False
    for source in sources:
        found = source.last_index()
        if found is not None and str(found.digest) == index_digest:
            folder.write_index(found, checksum_lines(found))
            folder.write_index_signature(source.index_signature())
            return found, True
    raise DamagedBundleError(
        "repair the bundle",
        on=str(folder.path),
        seen="its index is missing, damaged, or not the wanted one" + (f" {index_digest}" if index_digest else ""),
        advice="Give the index_digest of the bundle, and a source that has an undamaged copy of its index.",
    )


@dataclass
class Mender:
    """Brings damaged blobs into ``folder``; ``fetched`` counts the bytes that came from registries."""

    folder: BundleFolder
    index: BundleIndex
    sources: Sequence[BundleFolder]
    registry: RegistryClient
    deadline: Deadline
    fetched: int = 0

    def mend(self, damage: Damage) -> None:
        """Replace the damaged blob by a right one. Raises BlobError naming the image."""
        blob = damage.blob
        image = self._image_with(blob.digest)
        try:
            # Only a blob that is there in full size is believed in its other pieces.
            kept = damage.pieces if self.folder.blob_size(blob.digest) == blob.size else None
            remove_file(self.folder.partial(blob.digest))
            with PartialFile.opened(self.folder.partial(blob.digest)) as partial:
                for number in range(max(1, len(blob.pieces))):
                    self._piece(blob, number, partial, image, is_kept=kept is not None and number not in kept)
                self._check(blob, partial)
                partial.publish(self.folder.blob(blob.digest))
        except FieldOpsError as error:
            raise BlobError(error, image=str(image), digest=blob.digest, size=blob.size) from error

    def _piece(self, blob: Blob, number: int, partial: PartialFile, image: ImageReference, *, is_kept: bool) -> None:
        start, stop = number * PIECE_SIZE, min((number + 1) * PIECE_SIZE, blob.size)
        wanted = blob.pieces[number] if blob.pieces else blob.digest.hex
        own = [self.folder] if is_kept and blob.pieces else []
        for source in (*own, *self.sources):
            content = _read(source, blob, start, stop)
            if content is not None and hashlib.sha256(content).hexdigest() == wanted:
                partial.write(content)
                return
        bounds = (start, stop, blob.size)
        partial.write(self.registry.piece(image, blob.digest, bounds, Digest(wanted), deadline=self.deadline))
        self.fetched += stop - start

    def _check(self, blob: Blob, partial: PartialFile) -> None:
        hasher = hashlib.sha256()
        for block in partial.blocks():
            hasher.update(block)
        if hasher.hexdigest() != blob.digest.hex:
            partial.restart()
            raise DamagedBundleError(
                "repair the blob",
                on=str(self.folder.path),
                seen=f"its pieces are those of the index and make sha256:{hasher.hexdigest()}",
                advice="The index contradicts itself; build the bundle again.",
            )

    def _image_with(self, digest: Digest) -> ImageReference:
        for image in self.index.images:
            if digest in image.blobs():
                return image.name
        for signature in self.index.signatures:
            if digest in signature.blobs:
                return next(image.name for image in self.index.images if signature.image in image.manifests)
        return self.index.release


def _read(source: BundleFolder, blob: Blob, start: int, stop: int) -> bytes | None:
    if source.blob_size(blob.digest) != blob.size:
        return None
    try:
        return b"".join(bytes(block) for block in source.blocks(blob.digest, start, stop))
    except (FileAccessError, DamagedBundleError):
        # A copy that cannot be read here is no source for this piece; another one may be.
        return None


def _descriptor(blob: Blob) -> Descriptor:
    return Descriptor(blob.digest, blob.size, blob.media_type)
