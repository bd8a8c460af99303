# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Small bundles for tests: content by name, images over it, an index, and the folder that holds them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
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

LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
REPOSITORY = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"


def digest_of(content: bytes) -> Digest:
    return Digest(hashlib.sha256(content).hexdigest())


def blob_of(content: bytes, media_type: str = LAYER, unpacked: int | None = None) -> Blob:
    size = len(content)
    hashes = tuple(hashlib.sha256(content[:stop]).hexdigest() for stop in range(PREFIX_STEP, size, PREFIX_STEP))
    return Blob(digest_of(content), size, media_type, unpacked, hashes)


def image_of(
    manifest: Blob, *content: Blob, component: str | None = "etcd", inner: Sequence[Blob] = ()
) -> BundledImage:
    return BundledImage(
        name=ImageReference.parse(f"{REPOSITORY}@{manifest.digest}"),
        reason="component",
        component=component,
        manifests=(manifest.digest, *(one.digest for one in inner)),
        content=tuple(one.digest for one in content),
    )


def index_of(
    images: Sequence[BundledImage], blobs: Sequence[Blob], *, version: str = "4.21.3", base: Digest | None = None
) -> BundleIndex:
    """Return an index whose release image is the first one."""
    first, *others = images
    release = BundledImage(first.name, "release", None, first.manifests, first.content)
    return BundleIndex(
        releases=(BundledRelease(version, Architecture.parse("x86_64"), release.name),),
        built="2026-11-23T14:30:00Z",
        serial=1,
        images=(release, *others),
        signatures=(),
        blobs=blobs_by_digest(*blobs),
        base=base,
    )


def simple_bundle(contents: Mapping[str, bytes]) -> tuple[BundleIndex, dict[Digest, bytes]]:
    """Return an index with one image for each name, whose only layer is the content, and all content by digest."""
    stored: dict[Digest, bytes] = {}
    images, blobs = [], []
    for name, content in contents.items():
        manifest = f"manifest of {name}".encode()
        layer = blob_of(content, unpacked=2 * len(content))
        above = blob_of(manifest, MANIFEST)
        stored.update({layer.digest: content, above.digest: manifest})
        images.append(image_of(above, layer, component=name))
        blobs += [layer, above]
    return index_of(images, blobs), stored


def write_folder(folder: Path, index: BundleIndex, stored: Mapping[Digest, bytes]) -> Path:
    """Write a bundle as it lies on a medium."""
    (folder / "blobs/sha256").mkdir(parents=True)
    (folder / "index.json").write_bytes(index.as_bytes())
    for digest, content in stored.items():
        (folder / "blobs/sha256" / digest.hex).write_bytes(content)
    return folder
