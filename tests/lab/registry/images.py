# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Image manifests, configurations and lists in the two formats that registries hold, written byte for byte.

Sources: distribution's ``docs/spec/manifest-v2-2.md``; OCI image specification, ``manifest.md``, ``image-index.md``.
"""

from __future__ import annotations

import datetime
import json
import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.lab.registry.content import Blob, BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import BUILT, Layer

Json = dict[str, t.Any]
CREATED = datetime.datetime.fromtimestamp(BUILT, datetime.timezone.utc).isoformat().replace("+00:00", "Z")


@dataclass(frozen=True)
class ManifestFormat:
    """The media types of one format."""

    manifest: str
    list: str
    config: str
    layer: str


DOCKER = ManifestFormat(
    manifest="application/vnd.docker.distribution.manifest.v2+json",
    list="application/vnd.docker.distribution.manifest.list.v2+json",
    config="application/vnd.docker.container.image.v1+json",
    layer="application/vnd.docker.image.rootfs.diff.tar.gzip",
)
OCI = ManifestFormat(
    manifest="application/vnd.oci.image.manifest.v1+json",
    list="application/vnd.oci.image.index.v1+json",
    config="application/vnd.oci.image.config.v1+json",
    layer="application/vnd.oci.image.layer.v1.tar+gzip",
)


class Stored(t.Protocol):
    """What a registry can hold: the manifest of that digest, those it refers to, and the blobs of them all."""

    @property
    def digest(self) -> Digest:
        """The digest of the outermost manifest."""

    @property
    def manifests(self) -> tuple[Blob, ...]:
        """All manifests, the outermost one included."""

    @property
    def blobs(self) -> tuple[Blob, ...]:
        """The blobs that the manifests refer to."""


@dataclass(frozen=True)
class Image:
    """An image for one architecture, whose manifest, configuration and layers lie in a pool."""

    format: ManifestFormat
    architecture: Architecture
    manifest: Blob
    config: Blob
    layers: tuple[Layer, ...]

    @property
    def digest(self) -> Digest:
        """The digest by which the image is pulled."""
        return self.manifest.digest

    @property
    def instances(self) -> tuple[Image, ...]:
        """The images of the single architectures: this one."""
        return (self,)

    @property
    def manifests(self) -> tuple[Blob, ...]:
        """The manifest."""
        return (self.manifest,)

    @property
    def blobs(self) -> tuple[Blob, ...]:
        """The configuration and the layers."""
        return (self.config, *(layer.blob for layer in self.layers))


@dataclass(frozen=True)
class ImageList:
    """A manifest list (Docker) or image index (OCI) over one image per architecture."""

    manifest: Blob
    instances: tuple[Image, ...]

    @property
    def digest(self) -> Digest:
        """The digest of the list."""
        return self.manifest.digest

    @property
    def manifests(self) -> tuple[Blob, ...]:
        """The manifests of the instances, and the list."""
        return (*(one.manifest for one in self.instances), self.manifest)

    @property
    def blobs(self) -> tuple[Blob, ...]:
        """The blobs of all instances, each once."""
        return tuple(dict.fromkeys(blob for one in self.instances for blob in one.blobs))


@dataclass(frozen=True)
class NamedImage:
    """Something stored under a name: ``reference`` always has a digest, and a tag if the registry shall have it."""

    reference: ImageReference
    image: Stored


def write_image(
    pool: BlobPool,
    form: ManifestFormat,
    architecture: Architecture,
    layers: Sequence[Layer],
    settings: Mapping[str, t.Any],
) -> Image:
    """Write configuration and manifest of an image; ``settings`` is the configuration's ``config`` object."""
    configuration: Json = {
        "created": CREATED,
        "architecture": architecture.oci,
        "os": "linux",
        "config": dict(settings),
        "rootfs": {"type": "layers", "diff_ids": [str(layer.diff_id) for layer in layers]},
        "history": [{"created": CREATED, "created_by": f"lab layer {number}"} for number, _layer in enumerate(layers)],
    }
    config = pool.add(as_bytes(configuration))
    manifest = pool.add(as_bytes(manifest_of(form, config, [(form.layer, layer.blob) for layer in layers])))
    return Image(form, architecture, manifest, config, tuple(layers))


def write_list(pool: BlobPool, instances: Sequence[Image]) -> ImageList:
    """Write the list over images of one format."""
    form = instances[0].format
    entries = [
        {**descriptor(form.manifest, one.manifest), "platform": {"architecture": one.architecture.oci, "os": "linux"}}
        for one in instances
    ]
    document = {"schemaVersion": 2, "mediaType": form.list, "manifests": entries}
    return ImageList(pool.add(as_bytes(document)), tuple(instances))


def one_or_list(pool: BlobPool, instances: Sequence[Image]) -> Image | ImageList:
    """Return the only image, or the list over several."""
    return instances[0] if len(instances) == 1 else write_list(pool, instances)


def manifest_of(form: ManifestFormat, config: Blob, layers: Sequence[tuple[str, Blob]]) -> Json:
    """Return an image manifest; ``layers`` are media types and blobs."""
    return {
        "schemaVersion": 2,
        "mediaType": form.manifest,
        "config": descriptor(form.config, config),
        "layers": [descriptor(media_type, blob) for media_type, blob in layers],
    }


def descriptor(media_type: str, blob: Blob) -> Json:
    """Return how manifests name a blob."""
    return {"mediaType": media_type, "size": blob.size, "digest": str(blob.digest)}


def as_bytes(document: Json) -> bytes:
    """Return a JSON document as it is stored; its digest is taken over exactly these bytes."""
    return json.dumps(document, separators=(",", ":")).encode()
