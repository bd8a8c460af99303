# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Images that were built elsewhere, as part of a generated release: their bytes, and so their digests, stay."""

from __future__ import annotations

import json
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.lab.registry.content import Blob, BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.images import OCI, Image, Json
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Layer

SIZE_FIELD = 4  # RFC 1952, 2.3.1: the last four bytes are the size of what was compressed


def import_image(pool: BlobPool, layout: Path) -> Image:
    """Bring the only image of an OCI layout, for one architecture and with gzip layers, into the pool."""
    (entry,) = json.loads((layout / "index.json").read_bytes())["manifests"]
    manifest = _adopt(pool, layout, entry)
    document = json.loads(pool.read(manifest.digest))
    config = _adopt(pool, layout, document["config"])
    described = json.loads(pool.read(config.digest))
    blobs = [_adopt(pool, layout, one) for one in document["layers"]]
    layers = [_layer(pool, *one) for one in zip(blobs, described["rootfs"]["diff_ids"], strict=True)]
    return Image(OCI, Architecture.parse(described["architecture"]), manifest, config, tuple(layers))


def _adopt(pool: BlobPool, layout: Path, descriptor: Json) -> Blob:
    return pool.adopt(layout / "blobs/sha256" / Digest.parse(descriptor["digest"]).hex)


def _layer(pool: BlobPool, blob: Blob, diff_id: str) -> Layer:
    with pool.path(blob.digest).open("rb") as packed:
        packed.seek(-SIZE_FIELD, 2)
        size = int.from_bytes(packed.read(SIZE_FIELD), "little")
    return Layer(blob, Blob(Digest.parse(diff_id), size))
