# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A small bundle in a folder: a release image of a few blobs, one of which is large enough to have prefixes."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    PREFIX_STEP,
    Blob,
    BundledImage,
    BundledRelease,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

MANIFEST = b'{"schemaVersion": 2}'
CONFIG = b'{"architecture": "amd64"}'
LAYER = hashlib.shake_256(b"layer").digest(300_000)


def digest_of(content: bytes) -> Digest:
    return Digest(hashlib.sha256(content).hexdigest())


def blob_of(content: bytes) -> Blob:
    steps = range(PREFIX_STEP, len(content), PREFIX_STEP)
    return Blob(
        digest=digest_of(content),
        size=len(content),
        media_type="application/octet-stream",
        prefixes=tuple(digest_of(content[:stop]).hex for stop in steps),
    )


def index_of(*layers: bytes) -> BundleIndex:
    """Return the index of a bundle whose release image has ``layers``."""
    release = ImageReference.parse(f"quay.io/example/release@{digest_of(MANIFEST)}")
    image = BundledImage(
        name=release,
        reason="release",
        component=None,
        manifests=(digest_of(MANIFEST),),
        content=tuple(digest_of(content) for content in (CONFIG, *layers)),
    )
    return BundleIndex(
        releases=(BundledRelease("4.21.7", Architecture.parse("x86_64"), release, ("4.21.3",)),),
        built="2026-11-23T14:30:00Z",
        serial=1,
        images=(image,),
        signatures=(),
        blobs=blobs_by_digest(*(blob_of(content) for content in (MANIFEST, CONFIG, *layers))),
    )


def write_bundle(folder: Path, *layers: bytes) -> BundleIndex:
    """Write the bundle of ``index_of`` and return its index."""
    layers = layers or (LAYER,)
    index = index_of(*layers)
    (folder / "blobs" / "sha256").mkdir(parents=True)
    for content in (MANIFEST, CONFIG, *layers):
        (folder / "blobs" / "sha256" / digest_of(content).hex).write_bytes(content)
    (folder / "index.json").write_bytes(index.as_bytes())
    return index
