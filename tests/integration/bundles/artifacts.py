# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What registries hold besides images for the nodes of a bundle: charts, images for others, lists that lie."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.lab.registry.content import Blob, BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.images import OCI, NamedImage, as_bytes, descriptor
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

Json = dict[str, t.Any]
HELM = "application/vnd.cncf.helm.config.v1+json"
EMPTY = "application/vnd.oci.empty.v1+json"
LIST = "application/vnd.oci.image.index.v1+json"


@dataclass(frozen=True)
class Published:
    """Something with a name in a registry: the outermost manifest first, then what is listed, then all blobs."""

    reference: ImageReference
    manifests: tuple[Blob, ...]
    blobs: tuple[Blob, ...]

    @property
    def digest(self) -> Digest:
        """The digest of the outermost manifest."""
        return self.manifests[0].digest

    @property
    def name(self) -> str:
        """The reference that leads to it, by tag."""
        return str(self.reference)

    @property
    def pinned(self) -> str:
        """The reference by digest."""
        return str(self.reference.by_digest(self.digest))


@dataclass(frozen=True)
class Artifacts:
    """Writes artifacts into ``registry``, one repository below registry.partner.example/odd for each."""

    pool: BlobPool
    registry: Registry

    def image(
        self, name: str, *, config_type: str = OCI.config, layer_type: str = OCI.layer, **config: t.Any
    ) -> Published:
        """Publish an image of one layer; ``config`` changes its config, None leaves a key out."""
        layer = self.pool.add(f"layer of {name}".encode())
        plain: Json = {
            "architecture": "amd64",
            "os": "linux",
            "rootfs": {"type": "layers", "diff_ids": [str(layer.digest)]},
            **config,
        }
        content = self.pool.add(as_bytes({key: value for key, value in plain.items() if value is not None}))
        document = {
            "schemaVersion": 2,
            "mediaType": OCI.manifest,
            "config": descriptor(config_type, content),
            "layers": [descriptor(layer_type, layer)],
        }
        return self.publish(name, document, (content, layer))

    def artifact(self, name: str, kind: str, *contents: bytes, config_type: str = EMPTY, **more: t.Any) -> Published:
        """Publish an artifact: an empty config, and a layer of type ``kind`` for each of ``contents``."""
        config = self.pool.add(b"{}")
        blobs = [self.pool.add(content) for content in contents]
        document = {
            "schemaVersion": 2,
            "mediaType": OCI.manifest,
            "artifactType": kind,
            "config": descriptor(config_type, config),
            "layers": [descriptor(kind, blob) for blob in blobs],
            **more,
        }
        return self.publish(name, document, (config, *blobs))

    def listing(self, name: str, *entries: tuple[Published, Json | None]) -> Published:
        """Publish a list of what is published already, each with what the list says of its platform."""
        manifests = [
            {**descriptor(OCI.manifest, one.manifests[0]), **({"platform": platform} if platform else {})}
            for one, platform in entries
        ]
        document = {"schemaVersion": 2, "mediaType": LIST, "manifests": manifests}
        inner = tuple(manifest for one, _platform in entries for manifest in one.manifests)
        blobs = tuple(blob for one, _platform in entries for blob in one.blobs)
        return self.publish(name, document, blobs, inner)

    def publish(self, name: str, document: Json, blobs: tuple[Blob, ...], inner: tuple[Blob, ...] = ()) -> Published:
        """Publish ``document`` as the manifest of registry.partner.example/odd/``name``:1."""
        manifest = self.pool.add(as_bytes(document))
        reference = ImageReference("registry.partner.example", f"odd/{name}", tag="1")
        published = Published(reference, (manifest, *inner), blobs)
        named = replace(reference, digest=manifest.digest)
        self.registry.storage.publish(self.pool, [NamedImage(named, published)])
        return published
