# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""From the names of images to their manifests: from the disk where they are there, else from the registry."""

from __future__ import annotations

import hashlib
import threading
import typing as t
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import (
    GatheredImage,
    GatheredSignature,
    ImageRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import (
    Descriptor,
    ImageManifest,
    ManifestList,
    instance_for,
    parse_manifest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import Manifest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import COSIGN_PAYLOAD

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


@dataclass
class KnownTags:
    """What tags led to when they were asked for the first time; a tag that moves later moves nothing here."""

    digests: dict[str, Digest] = field(default_factory=dict)

    @classmethod
    def of(cls, index: BundleIndex | None, recorded: Mapping[str, Digest]) -> KnownTags:
        """Return what an earlier bundle and an unfinished build recorded; the latter is newer."""
        found: dict[str, Digest] = {}
        for image in index.images if index is not None else ():
            if image.tag is not None and image.name.digest is not None:
                found[f"{image.name.name}:{image.tag}"] = image.name.digest
        return cls({**found, **recorded})


class ImageGatherer:
    """Resolves images for one architecture. Threads share it.

    ``writes`` keeps the manifests as blobs of ``folder``; without it nothing is changed there.
    """

    def __init__(
        self,
        folder: BundleFolder,
        registry: RegistryClient,
        architecture: Architecture,
        tags: KnownTags,
        *,
        previous: BundleIndex | None,
        base: BundleFolder | None,
        writes: bool,
        deadline: Deadline,
    ) -> None:
        self.folder = folder
        self._registry = registry
        self._architecture = architecture
        self._previous = previous
        self._base = base
        self._writes = writes
        self._deadline = deadline
        self._lock = threading.Lock()
        self.tags = tags

    def gather(self, request: ImageRequest) -> GatheredImage:
        """Return the image with everything it is made of. Raises PayloadError and what the registry client raises."""
        reference = request.reference
        manifest = self._manifest(self._pinned(reference))
        name = reference.by_digest(manifest.digest)
        self._remember(reference, manifest.digest)
        parsed = parse_manifest(manifest.content, manifest.media_type, on=f"manifest of {name}")
        manifests = [_descriptor(manifest, parsed)]
        if isinstance(parsed, ManifestList):
            listed = instance_for(parsed, self._architecture, on=f"manifest list {name}")
            manifest = self._manifest(reference.by_digest(listed.digest))
            parsed = parse_manifest(manifest.content, manifest.media_type, on=f"manifest {listed.digest} of {name}")
            manifests.append(_descriptor(manifest, parsed))
        if not isinstance(parsed, ImageManifest):
            raise _nested(name)
        tag = reference.tag or None
        return GatheredImage(
            name, request.reason, request.component, tag, tuple(manifests), parsed.blobs, parsed.layers
        )

    def cosign_signature(self, image: GatheredImage) -> GatheredSignature | None:
        """Return the signature that cosign attached to ``image``, None where there is none.

        Source: sigstore/cosign ``specs/SIGNATURE_SPEC.md``, "Storage".
        """
        digest = image.manifests[0].digest
        known = self._known_signature(image.name, digest)
        if known is not None:
            return known if known.blobs else None
        tagged = ImageReference(image.name.registry, image.name.repository, tag=f"sha256-{digest.hex}.sig")
        found = self._registry.find_manifest(tagged, deadline=self._deadline)
        return None if found is None else self._signature(image.name, digest, found)

    def _signature(self, image: ImageReference, digest: Digest, manifest: Manifest) -> GatheredSignature | None:
        parsed = parse_manifest(manifest.content, manifest.media_type, on=f"cosign signature of {image}")
        if not isinstance(parsed, ImageManifest):
            raise _nested(image)
        payloads = [layer for layer in parsed.layers if layer.media_type == COSIGN_PAYLOAD]
        if not payloads:
            return None
        self._keep(manifest)
        blobs = (_descriptor(manifest, parsed), *payloads, parsed.config)
        return GatheredSignature("cosign", digest, image, blobs, manifest.content)

    def _known_signature(self, image: ImageReference, digest: Digest) -> GatheredSignature | None:
        """Return what the previous bundle knew of this image; without blobs if that was that there is no signature."""
        index = self._previous
        if index is None or all(one.name != image for one in index.images):
            return None
        for one in index.signatures:
            if (one.kind, one.image) == ("cosign", digest) and all(blob in index.blobs for blob in one.blobs):
                blobs = [index.blobs[blob] for blob in one.blobs]
                described = tuple(Descriptor(blob.digest, blob.size, blob.media_type) for blob in blobs)
                manifest = self.folder.read_blob(one.blobs[0]) or b""
                return GatheredSignature("cosign", digest, image, described, manifest)
        return GatheredSignature("cosign", digest, image, ())

    def _pinned(self, reference: ImageReference) -> ImageReference:
        known = self.tags.digests.get(f"{reference.name}:{reference.tag or 'latest'}")
        return reference if reference.is_pinned or known is None else reference.by_digest(known)

    def _remember(self, reference: ImageReference, digest: Digest) -> None:
        if not reference.is_pinned:
            with self._lock:
                self.tags.digests[f"{reference.name}:{reference.tag or 'latest'}"] = digest

    def _manifest(self, reference: ImageReference) -> Manifest:
        if reference.digest is not None:
            kept = self._kept(reference.digest)
            if kept is not None:
                return kept
        manifest = self._registry.manifest(reference, deadline=self._deadline)
        self._keep(manifest)
        return manifest

    def _kept(self, digest: Digest) -> Manifest | None:
        for source in (self.folder, self._base):
            content = source.read_blob(digest) if source is not None else None
            if content is not None and hashlib.sha256(content).hexdigest() == digest.hex:
                known = self._previous.blobs.get(digest) if self._previous is not None else None
                # A manifest need not say what it is; then only a registry or an index can tell.
                if known is not None or PayloadDocument.parse(content, on=str(digest)).get("mediaType") is not None:
                    return Manifest(digest, known.media_type if known is not None else "", content)
        return None

    def _keep(self, manifest: Manifest) -> None:
        if self._writes:
            write_file(self.folder.blob(manifest.digest), manifest.content)


def _descriptor(manifest: Manifest, parsed: ImageManifest | ManifestList) -> Descriptor:
    return Descriptor(manifest.digest, len(manifest.content), parsed.media_type)


def _nested(name: ImageReference) -> PayloadError:
    return PayloadError(
        "read the manifest",
        on=str(name),
        seen="a list of images refers to another list",
        advice="Name the inner list or the image itself by its digest.",
    )
