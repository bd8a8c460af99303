# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The signatures that registries keep next to images: of a list, and of the instance of it that travels.

Container runtimes verify the instance (containers/image ``copy/single.go``), releases are named by the list. A registry
that does not answer leaves an image whose signatures are not known; the next build asks again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_bundle import (
    BlobFetcher,
    WantedBlob,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.image_gathering import (
    ImageGatherer,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.parallel import StopSign, in_parallel
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import (
    GatheredImage,
    GatheredSignature,
    ImageSignatures,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import (
    Descriptor,
    ImageManifest,
    ManifestList,
    parse_manifest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.attached_signatures import (
    ATTESTATION,
    carried_blobs,
    kind_of,
    referrers_to_read,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import Manifest
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import RegistryError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError, TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

_FAILURES = (RegistryError, TransferError, TlsError, PayloadError)


@dataclass(frozen=True)
class SignatureGatherer:
    """Looks for signatures of images, several at a time; ``previous`` is the bundle that is already there."""

    gatherer: ImageGatherer
    fetcher: BlobFetcher
    previous: BundleIndex | None
    attestations: bool

    def gather(self, images: Sequence[GatheredImage]) -> list[ImageSignatures]:
        """Return what is attached to each of ``images``, fetched where the build writes."""
        looked = in_parallel(self.look_up, images, workers=self.fetcher.connections, stop=self.fetcher.stop)
        if not self.gatherer.writes:
            return looked
        failures = self._fetched([signature for one in looked for signature in one.signatures])
        return [_without_failed(one, failures) for one in looked]

    def look_up(self, image: GatheredImage) -> ImageSignatures:
        """Return what is attached to ``image``; what a registry does not answer is the failure in it."""
        found: list[GatheredSignature] = []
        try:
            for digest in dict.fromkeys(blob.digest for blob in image.manifests):
                known = self._known(image.name, digest)
                found += self._asked(image.name, digest) if known is None else known
        except _FAILURES as error:
            return ImageSignatures(image, tuple(found), error)
        return ImageSignatures(image, tuple(found))

    def _asked(self, image: ImageReference, digest: Digest) -> Iterator[GatheredSignature]:
        for suffix in ("sig", "att") if self.attestations else ("sig",):
            tag = ImageReference(image.registry, image.repository, tag=f"sha256-{digest.hex}.{suffix}")
            manifest = self.gatherer.registry.find_manifest(tag, deadline=self.fetcher.deadline)
            yield from self._signature(image, digest, manifest)
        yield from self._referring(image, digest)

    def _referring(self, image: ImageReference, digest: Digest) -> Iterator[GatheredSignature]:
        subject = image.by_digest(digest)
        answer = self.gatherer.registry.find_referrers(subject, deadline=self.fetcher.deadline)
        if answer is None:
            return
        on = f"referrers of {subject}"
        listed = parse_manifest(answer.content, answer.media_type, on=on)
        if not isinstance(listed, ManifestList):
            return
        for one in referrers_to_read(listed, attestations=self.attestations, on=on):
            manifest = self.gatherer.manifest(image.by_digest(one.digest))
            yield from self._signature(image, digest, manifest, subject=digest)

    def _signature(
        self, image: ImageReference, digest: Digest, manifest: Manifest | None, subject: Digest | None = None
    ) -> Iterator[GatheredSignature]:
        if manifest is None:
            return
        on = f"signature {manifest.digest} of {image.by_digest(digest)}"
        parsed = parse_manifest(manifest.content, manifest.media_type, on=on)
        kind = kind_of(parsed) if isinstance(parsed, ImageManifest) and subject in (None, parsed.subject) else None
        if not isinstance(parsed, ImageManifest) or kind is None or (kind == ATTESTATION and not self.attestations):
            return
        self.gatherer.keep(manifest)
        own = Descriptor(manifest.digest, len(manifest.content), parsed.media_type)
        blobs = (own, *carried_blobs(parsed, kind, on=on))
        yield GatheredSignature(kind, digest, image, blobs, manifest.content)

    def _known(self, image: ImageReference, digest: Digest) -> list[GatheredSignature] | None:
        """Return what the previous bundle knew of ``digest``, None where it did not know."""
        index = self.previous
        if index is None or digest in index.signatures_unknown:
            return None
        if all(one.name != image or digest not in one.manifests for one in index.images):
            return None
        own = [one for one in index.signatures if one.kind != "gpg" and one.image == digest]
        if any(blob not in index.blobs for one in own for blob in one.blobs):
            return None
        if self.attestations and all(one.kind != ATTESTATION for one in index.signatures):
            return None
        found = []
        for one in own:
            blobs = [index.blobs[blob] for blob in one.blobs]
            described = tuple(Descriptor(blob.digest, blob.size, blob.media_type) for blob in blobs)
            manifest = self.gatherer.folder.read_blob(one.blobs[0]) or b""
            found.append(GatheredSignature(one.kind, digest, image, described, manifest))
        return [one for one in found if self.attestations or one.kind != ATTESTATION]

    def _fetched(self, signatures: Sequence[GatheredSignature]) -> dict[Digest, FieldOpsError]:
        """Fetch the blobs of ``signatures``, each once, and return the failures: they must not end the build."""
        wanted = {
            blob.digest: WantedBlob(blob, signature.source)
            for signature in signatures
            if signature.source is not None
            for blob in signature.blobs
        }
        missing = [one for digest, one in wanted.items() if self.gatherer.kept(digest) is None]
        failures = in_parallel(self._failure, missing, workers=self.fetcher.connections, stop=self.fetcher.stop)
        return {one.blob.digest: failure for one, failure in zip(missing, failures) if failure is not None}

    def _failure(self, wanted: WantedBlob) -> FieldOpsError | None:
        try:
            # The stop sign of the build stands for all of its work.
            replace(self.fetcher, stop=StopSign(), connections=1).fetch([wanted])
        except FieldOpsError as error:
            return error
        return None


def _without_failed(one: ImageSignatures, failures: dict[Digest, FieldOpsError]) -> ImageSignatures:
    lost = [blob.digest for signature in one.signatures for blob in signature.blobs if blob.digest in failures]
    if not lost:
        return one
    whole = (signature for signature in one.signatures if not {blob.digest for blob in signature.blobs} & set(lost))
    return ImageSignatures(one.image, tuple(whole), one.failure or failures[lost[0]])
