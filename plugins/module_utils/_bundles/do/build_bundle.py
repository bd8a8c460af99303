# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Blobs into a bundle: what is missing is fetched, several blobs at a time, and only then named by the index."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import BlobError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.blob_intake import kept_blob, take_blob
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build_space import require_space
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.parallel import StopSign, in_parallel
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.assembly import assemble
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.checksums import checksum_lines
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.blob_intake import BlobIntake
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build_progress import BuildProgress
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_folder import BundleFolder
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.assembly import Contents
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.piece_hasher import BlobFacts
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference


@dataclass(frozen=True)
class WantedBlob:
    """A blob and an image that has it, in whose repository it is asked for."""

    blob: Descriptor
    image: ImageReference


@dataclass(frozen=True)
class BlobFetcher:
    """Brings blobs into ``folder``, several at a time, from the disk where they are there, else from ``registry``."""

    folder: BundleFolder
    registry: RegistryClient
    progress: BuildProgress
    stop: StopSign
    connections: int
    deadline: Deadline

    def fetch(self, wanted: Iterable[WantedBlob]) -> dict[Digest, BlobFacts]:
        """Return the facts about every wanted blob once all are there. Raises BlobError naming image and blob."""
        facts = in_parallel(self._one, list(wanted), workers=self.connections, stop=self.stop)
        return {one.digest: one for one in facts}

    def _one(self, wanted: WantedBlob) -> BlobFacts:
        digest, size = wanted.blob.digest, wanted.blob.size
        try:
            facts = kept_blob(self.folder, digest, size, stop=self.stop, counted=self.progress.there)
            if facts is None:
                facts = take_blob(
                    self.folder,
                    digest,
                    size,
                    lambda intake: self._fill(intake, wanted),
                    stop=self.stop,
                    counted=self.progress.there,
                )
        except FieldOpsError as error:
            raise BlobError(error, image=str(wanted.image), digest=digest, size=size) from error
        self.progress.finished(digest)
        return facts

    def _fill(self, intake: BlobIntake, wanted: WantedBlob) -> None:
        blob = wanted.blob
        self.registry.blob(
            wanted.image, blob.digest, blob.size, intake, deadline=self.deadline, progress=self.progress.arrived
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


def complete_bundle(contents: Contents, fetcher: BlobFetcher) -> tuple[BundleIndex, Mapping[Digest, BlobFacts]]:
    """Fetch what ``contents`` need, verified, and return the index of it; nothing is named by an index yet."""
    wanted = wanted_blobs(contents)
    require_space(fetcher.folder, [one.blob for one in wanted])
    fetcher.progress.expect(contents.images, sum(one.blob.size for one in wanted))
    facts = fetcher.fetch(wanted)
    return assemble(contents, facts), facts


def publish_bundle(folder: BundleFolder, index: BundleIndex, before: set[Digest]) -> bool:
    """Let ``index`` be the bundle in ``folder``, drop what it does not need, and return whether that changed it.

    ``before`` are the blobs that were there before the work began: others that go now were needed for it only.
    """
    changed = folder.write_index(index, checksum_lines(index))
    folder.keep_only(set(index.blobs))
    return changed or bool(before - set(index.blobs))
