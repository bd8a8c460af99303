# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Image manifests and lists of them, in both families; sizes are believed only as far as blobs confirm them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import LARGEST_BLOB
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import (
    IMAGE_LISTS,
    IMAGE_MANIFESTS,
    MEDIA_TYPE,
    OCI_INDEX,
)

MOST_LAYERS = 1000
MOST_INSTANCES = 1000

_ESSENTIAL = frozenset({"config", "fslayers", "history", "layers", "manifests"})
_ZSTD = "io.github.containers.compression.zstd"
_VARIANTS = {"arm64": ("v8", "")}
"""Variants of list entries that a node chooses, the preferred one first; elsewhere only entries without a variant.

Source: containers/image ``internal/pkg/platform/platform_matcher.go``.
"""


@dataclass(frozen=True)
class Descriptor:
    """How a manifest names a blob (OCI image specification, ``descriptor.md``).

    ``address`` is where it is published, for what no registry has.
    """

    digest: Digest
    size: int
    media_type: str
    annotations: Mapping[str, str] = field(default_factory=dict)
    address: str = ""

    @classmethod
    def of(cls, blob: Blob) -> Descriptor:
        """Return the descriptor of a blob in the index of a bundle."""
        return cls(blob.digest, blob.size, blob.media_type)

    def as_blob(self) -> Blob:
        """Return what the index will say of it, as far as that is known before its bytes are there."""
        return Blob(self.digest, self.size, self.media_type)


@dataclass(frozen=True)
class ImageManifest:
    """One image for one architecture, or an artifact of another kind.

    ``artifact_type`` and ``subject``, the digest that it refers to, are those of OCI artifacts.
    """

    media_type: str
    config: Descriptor
    layers: tuple[Descriptor, ...]
    artifact_type: str = ""
    subject: Digest | None = None
    annotations: Mapping[str, str] = field(default_factory=dict)

    @property
    def blobs(self) -> tuple[Descriptor, ...]:
        """Return config and layers, each once."""
        return tuple({one.digest: one for one in (self.config, *self.layers)}.values())


@dataclass(frozen=True)
class Platform:
    """What a list says that an image is made for, in OCI's names."""

    architecture: str
    os: str
    variant: str = ""

    def __str__(self) -> str:
        return "/".join(part for part in (self.os, self.architecture, self.variant) if part)


@dataclass(frozen=True)
class ListedInstance:
    """An entry of a manifest list; ``platform`` is None where the list says none. Referrers have an artifact type."""

    manifest: Descriptor
    platform: Platform | None
    artifact_type: str = ""

    @property
    def is_zstd(self) -> bool:
        """Whether its layers are compressed with zstd, in addition to an instance that is not."""
        return self.manifest.annotations.get(_ZSTD) == "true"


@dataclass(frozen=True)
class ManifestList:
    """A list of images, one for each architecture."""

    media_type: str
    instances: tuple[ListedInstance, ...]


def parse_manifest(content: bytes, told_type: str, *, on: str) -> ImageManifest | ManifestList:
    """Return what ``content`` is. ``told_type`` is what the registry says, for manifests that do not say it.

    Raises PayloadError for other formats, Docker's schema 1 among them, and for a document that can be read as more
    than one format. Source: containers/image ``internal/manifest/common.go``, CVE-2021-41190.
    """
    document = PayloadDocument.parse(content, on=on)
    media_type = document.text("", key="mediaType") or told_type
    if media_type in IMAGE_MANIFESTS:
        _refuse_ambiguous(document, media_type, {"config", "layers"})
        return _image(document, media_type)
    if media_type in IMAGE_LISTS:
        _refuse_ambiguous(document, media_type, {"manifests"})
        return _list(document, media_type)
    raise document.broken(f"its media type {media_type[:100]!r} is neither an image nor a list of images")


def instance_for(listed: ManifestList, architecture: Architecture, *, on: str) -> ListedInstance:
    """Return the instance that a node of ``architecture`` chooses; raise PayloadError naming those that there are.

    Source: containers/image ``internal/manifest/oci_index.go``, ``docker_schema2_list.go``.
    """
    wanted = [Platform(architecture.oci, "linux", variant) for variant in _VARIANTS.get(architecture.oci, ("",))]
    candidates = [
        (wanted.index(one.platform) if one.platform is not None else len(wanted), not one.is_zstd, position)
        for position, one in enumerate(listed.instances)
        if one.platform in wanted or (one.platform is None and listed.media_type == OCI_INDEX)
    ]
    if candidates:
        return listed.instances[min(candidates)[-1]]
    there = ", ".join(str(one.platform or "unknown") for one in listed.instances) or "none"
    raise PayloadDocument(None, on).broken(f"it has no instance for {architecture}, only {there[:300]}")


def _refuse_ambiguous(document: PayloadDocument, media_type: str, allowed: set[str]) -> None:
    # Go reads keys without regard to case.
    found = sorted(key for key, _value in document.items() if key.lower() in _ESSENTIAL and key not in allowed)
    if found:
        raise document.broken(f"it is ambiguous: it is of type {media_type} and has {', '.join(found)}")


def _image(document: PayloadDocument, media_type: str) -> ImageManifest:
    _check_schema(document)
    layers = document["layers"].entries()
    if len(layers) > MOST_LAYERS:
        raise document.broken(f"it has {len(layers)} layers")
    subject = document.get("subject")
    return ImageManifest(
        media_type,
        _descriptor(document["config"]),
        tuple(_descriptor(one) for one in layers),
        artifact_type=document.text("", key="artifactType"),
        subject=subject["digest"].digest() if subject is not None else None,
        annotations=document.texts("annotations"),
    )


def _list(document: PayloadDocument, media_type: str) -> ManifestList:
    _check_schema(document)
    entries = document["manifests"].entries()
    if len(entries) > MOST_INSTANCES:
        raise document.broken(f"it lists {len(entries)} manifests")
    return ManifestList(media_type, tuple(_instance(entry) for entry in entries))


def _instance(entry: PayloadDocument) -> ListedInstance:
    platform, kind = entry.get("platform"), entry.text("", key="artifactType")
    if platform is None:
        return ListedInstance(_descriptor(entry), None, kind)
    names = (platform.text("", key=key) for key in ("architecture", "os", "variant"))
    return ListedInstance(_descriptor(entry), Platform(*names), kind)


def _check_schema(document: PayloadDocument) -> None:
    if document["schemaVersion"].as_a(int) != 2:
        raise document.broken("its schemaVersion is not 2")


def _descriptor(entry: PayloadDocument) -> Descriptor:
    size = entry["size"].as_a(int)
    if not 0 <= size <= LARGEST_BLOB:
        raise entry.broken(f"a size of {size} bytes is not possible")
    media_type = entry["mediaType"].matching(MEDIA_TYPE, "a media type")
    return Descriptor(entry["digest"].digest(), size, media_type, entry.texts("annotations"))
