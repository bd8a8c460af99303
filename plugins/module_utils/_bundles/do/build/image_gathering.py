# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From the names of images to their manifests: from the disk where they are there, else from the registry."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import keep_blob
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import (
    GatheredImage,
    ImageRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import (
    Descriptor,
    ImageManifest,
    ListedInstance,
    ManifestList,
    instance_for,
    parse_manifest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import (
    Manifest,
    RegistryClient,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference


@dataclass
class KnownTags:
    """What tags led to when they were resolved for the first time; a tag that moves later moves nothing here."""

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
        self.registry = registry
        self._architecture = architecture
        self._previous = previous
        self._base = base
        self.writes = writes
        self._deadline = deadline
        self._lock = threading.Lock()
        self.tags = tags

    def of(self, architecture: Architecture) -> ImageGatherer:
        """Return one for another architecture that shares folder, registry and tags with this one."""
        other = copy(self)
        other._architecture = architecture
        return other

    def gather(self, request: ImageRequest) -> GatheredImage:
        """Return the image with everything it is made of. Raises PayloadError and what the registry client raises.

        Of a list the instance for the nodes of the bundle travels, of a file everything that is listed.
        """
        reference = request.reference
        outer = self.manifest(self._pinned(reference))
        name = reference.by_digest(outer.digest)
        self._remember(reference, outer.digest)
        parsed = parse_manifest(outer.content, outer.media_type, on=f"manifest of {name}")
        manifests, parts, platform = [_descriptor(outer, parsed)], [], None
        if isinstance(parsed, ManifestList):
            listed = self._chosen(parsed, request, name)
            platform = listed[0].platform if listed else None
            for one in dict.fromkeys(entry.manifest.digest for entry in listed):
                manifest, part = self._instance(name, one)
                manifests.append(_descriptor(manifest, part))
                parts.append(part)
        else:
            parts.append(parsed)
        content = {blob.digest: blob for part in parts for blob in part.blobs}
        return GatheredImage(
            name,
            request.reason,
            request.component,
            reference.tag or None,
            tuple(manifests),
            tuple(content.values()),
            tuple(layer for part in parts for layer in part.layers),
            platform,
        )

    def kept(self, digest: Digest) -> bytes | None:
        """Return a small blob that is here already and right, None where it has to be fetched."""
        for source in (self.folder, self._base):
            content = source.read_blob(digest) if source is not None else None
            if content is not None and hashlib.sha256(content).hexdigest() == digest.hex:
                return content
        return None

    def _chosen(self, listed: ManifestList, request: ImageRequest, name: ImageReference) -> tuple[ListedInstance, ...]:
        if request.reason == "file":
            return listed.instances
        return (instance_for(listed, self._architecture, on=f"manifest list {name}"),)

    def _instance(self, name: ImageReference, digest: Digest) -> tuple[Manifest, ImageManifest]:
        manifest = self.manifest(name.by_digest(digest))
        parsed = parse_manifest(manifest.content, manifest.media_type, on=f"manifest {digest} of {name}")
        if not isinstance(parsed, ImageManifest):
            raise _nested(name)
        return manifest, parsed

    def _pinned(self, reference: ImageReference) -> ImageReference:
        known = self.tags.digests.get(f"{reference.name}:{reference.tag or 'latest'}")
        return reference if reference.is_pinned or known is None else reference.by_digest(known)

    def _remember(self, reference: ImageReference, digest: Digest) -> None:
        if not reference.is_pinned:
            with self._lock:
                self.tags.digests[f"{reference.name}:{reference.tag or 'latest'}"] = digest

    def manifest(self, reference: ImageReference) -> Manifest:
        """Return a manifest, from the disk where it is there; a new one is kept."""
        if reference.digest is not None:
            kept = self._kept(reference.digest)
            if kept is not None:
                return kept
        manifest = self.registry.manifest(reference, deadline=self._deadline)
        self.keep(manifest)
        return manifest

    def _kept(self, digest: Digest) -> Manifest | None:
        content = self.kept(digest)
        if content is None:
            return None
        known = self._previous.blobs.get(digest) if self._previous is not None else None
        # A manifest need not say what it is; then only a registry or an index shows it.
        if known is None and PayloadDocument.parse(content, on=str(digest)).get("mediaType") is None:
            return None
        return Manifest(digest, known.media_type if known is not None else "", content)

    def keep(self, manifest: Manifest) -> None:
        """Make ``manifest`` a blob of the folder, unless nothing must be changed."""
        if self.writes:
            keep_blob(self.folder, manifest.digest, manifest.content)


def _descriptor(manifest: Manifest, parsed: ImageManifest | ManifestList) -> Descriptor:
    return Descriptor(manifest.digest, len(manifest.content), parsed.media_type)


def _nested(name: ImageReference) -> PayloadError:
    return PayloadError(
        "read the manifest",
        on=str(name),
        seen="a list of images refers to another list",
        advice="Specify the inner list or the image itself by its digest.",
    )
