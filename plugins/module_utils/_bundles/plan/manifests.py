# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Image manifests and lists of them, in both families; sizes are believed only as far as blobs confirm them."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import LARGEST_BLOB
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import IMAGE_LISTS, IMAGE_MANIFESTS

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture

MOST_LAYERS = 1000
MOST_INSTANCES = 100


@dataclass(frozen=True)
class Descriptor:
    """How a manifest names a blob (OCI image specification, ``descriptor.md``)."""

    digest: Digest
    size: int
    media_type: str
    annotations: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, blob: Blob) -> Descriptor:
        """Return the descriptor of a blob in the index of a bundle."""
        return cls(blob.digest, blob.size, blob.media_type)

    def as_blob(self) -> Blob:
        """Return what the index will say of it, as far as that is known before its bytes are there."""
        return Blob(self.digest, self.size, self.media_type)


@dataclass(frozen=True)
class ImageManifest:
    """One image for one architecture."""

    media_type: str
    config: Descriptor
    layers: tuple[Descriptor, ...]

    @property
    def blobs(self) -> tuple[Descriptor, ...]:
        """Return config and layers, each once."""
        return tuple({one.digest: one for one in (self.config, *self.layers)}.values())


@dataclass(frozen=True)
class ListedInstance:
    """An entry of a manifest list; ``architecture`` and ``os`` are OCI's names."""

    manifest: Descriptor
    architecture: str
    os: str


@dataclass(frozen=True)
class ManifestList:
    """A list of images, one for each architecture."""

    media_type: str
    instances: tuple[ListedInstance, ...]


def parse_manifest(content: bytes, told_type: str, *, on: str) -> ImageManifest | ManifestList:
    """Return what ``content`` is. ``told_type`` is what the registry says, for manifests that do not say it.

    Raises PayloadError for other formats, Docker's schema 1 among them, and for a type that contradicts the registry's.
    """
    document = PayloadDocument.parse(content, on=on)
    media_type = document.text("", key="mediaType") or told_type
    if media_type in IMAGE_MANIFESTS:
        return _image(document, media_type)
    if media_type in IMAGE_LISTS:
        return _list(document, media_type)
    raise document.broken(f"its media type {media_type[:100]!r} is neither an image nor a list of images")


def instance_for(listed: ManifestList, architecture: Architecture, *, on: str) -> Descriptor:
    """Return the manifest of the instance for ``architecture``; raise PayloadError naming those that there are."""
    for one in listed.instances:
        if (one.os, one.architecture) == ("linux", architecture.oci):
            return one.manifest
    there = ", ".join(f"{one.os}/{one.architecture}" for one in listed.instances) or "none"
    raise PayloadDocument(None, on).broken(f"it has no instance for {architecture}, only {there}")


def _image(document: PayloadDocument, media_type: str) -> ImageManifest:
    _check_schema(document)
    layers = document["layers"].entries()
    if len(layers) > MOST_LAYERS:
        raise document.broken(f"it has {len(layers)} layers")
    return ImageManifest(media_type, _descriptor(document["config"]), tuple(_descriptor(one) for one in layers))


def _list(document: PayloadDocument, media_type: str) -> ManifestList:
    _check_schema(document)
    entries = document["manifests"].entries()
    if len(entries) > MOST_INSTANCES:
        raise document.broken(f"it lists {len(entries)} manifests")
    return ManifestList(media_type, tuple(_instance(entry) for entry in entries))


def _instance(entry: PayloadDocument) -> ListedInstance:
    platform = entry.get("platform")
    if platform is None:
        return ListedInstance(_descriptor(entry), "", "")
    return ListedInstance(_descriptor(entry), platform.text("", key="architecture"), platform.text("", key="os"))


def _check_schema(document: PayloadDocument) -> None:
    if document["schemaVersion"].as_a(int) != 2:
        raise document.broken("its schemaVersion is not 2")


def _descriptor(entry: PayloadDocument) -> Descriptor:
    size = entry["size"].as_a(int)
    if not 0 <= size <= LARGEST_BLOB:
        raise entry.broken(f"a size of {size} bytes is not possible")
    try:
        digest = Digest.parse(entry["digest"].text())
    except InvalidInputError as error:
        raise entry.broken(error.seen) from error
    return Descriptor(digest, size, entry["mediaType"].text(), entry.texts("annotations"))
