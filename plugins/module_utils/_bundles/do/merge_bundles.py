# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Bundles merged into a folder: every blob is verified on its way, whatever it was copied from."""

from __future__ import annotations

import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import (
    BlobError,
    DamagedBundleError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.blob_intake import (
    BlobIntake,
    kept_blob,
    take_blob,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build_bundle import publish_bundle
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build_space import require_space
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.byte_progress import ByteProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.parallel import StopSign, in_parallel
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.merging import merged_index
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob, BundleIndex
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter

COPIES = 2
"""Blobs copied at the same time: one is hashed while another is written; more only make a disk seek."""


def merge(path: str, sources: Sequence[str], progress: ProgressReporter) -> dict[str, t.Any]:
    """Make the folder ``path`` hold what ``sources`` hold together; the work of a job.

    A bundle that is in ``path`` already is one of the sources, the last.
    """
    folder, clock = BundleFolder(Path(path)), SystemClock()
    folder.prepare()
    with folder.locked(clock):
        folder.prepare()
        before = folder.blob_digests()
        opened = [BundleFolder(Path(source)) for source in sources]
        there = folder.last_index()
        index = planned_merge(opened, there)
        require_space(folder, [_descriptor(blob) for blob in index.blobs.values()])
        counts = ByteProgress(progress, clock, "copied", index.size)
        copied = copy_blobs(folder, index, opened, counts)
        signature = _signature_for(index, [*opened, folder])
        changed = publish_bundle(folder, index, before)
        changed = folder.write_index_signature(signature) or changed
    return {"changed": changed or copied > 0, "index_digest": str(index.digest), "copied": copied}


def planned_merge(opened: Sequence[BundleFolder], there: BundleIndex | None) -> BundleIndex:
    """Return the index that the ``opened`` bundles become together with the one that is ``there``."""
    indexes = [source.require_index() for source in opened]
    if there is not None and all(there.digest != index.digest for index in indexes):
        # What an earlier merge came to is related to its sources without being one of their bases.
        indexes.append(there)
    return merged_index(indexes)


def copy_blobs(folder: BundleFolder, index: BundleIndex, sources: Sequence[BundleFolder], counts: ByteProgress) -> int:
    """Bring every blob of ``index`` into ``folder`` from the first source that has it right; return bytes copied."""
    stop = StopSign()

    def one(blob: Blob) -> int:
        try:
            kept = kept_blob(folder, blob.digest, blob.size, stop=stop, counted=counts.add)
            return 0 if kept is not None else _copied(folder, blob, sources, stop, counts.add)
        except FieldOpsError as error:
            raise BlobError(error, image=str(index.release), digest=blob.digest, size=blob.size) from error

    blobs = sorted(index.blobs.values(), key=lambda blob: blob.digest)
    return sum(in_parallel(one, blobs, workers=COPIES, stop=stop))


def _copied(
    folder: BundleFolder,
    blob: Blob,
    sources: Sequence[BundleFolder],
    stop: StopSign,
    counted: Callable[[int], object],
) -> int:
    def fill(intake: BlobIntake) -> None:
        for source in sources:
            if source.blob_size(blob.digest) != blob.size:
                continue
            for block in source.blocks(blob.digest, intake.position):
                intake.write(block)
                intake.update(block)
                counted(len(block))
            if intake.hexdigest() == blob.digest.hex:
                return
            intake.restart()
        raise DamagedBundleError(
            "copy the blob",
            on=", ".join(str(source.path) for source in sources),
            seen="none of them has it undamaged",
            advice="Repair one of them, or give another source.",
        )

    take_blob(folder, blob.digest, blob.size, fill, stop=stop, counted=counted)
    return blob.size


def _signature_for(index: BundleIndex, sources: Sequence[BundleFolder]) -> bytes | None:
    """Return the signature that a source has of this very index; a merge makes another index, which nobody signed."""
    for source in sources:
        if source.index_bytes() == index.as_bytes():
            return source.index_signature()
    return None


def _descriptor(blob: Blob) -> Descriptor:
    return Descriptor(blob.digest, blob.size, blob.media_type)
