# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A small bundle's index, for tests."""

from __future__ import annotations

import hashlib
import typing as t
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    GPG_SIGNATURE,
    PREFIX_STEP,
    STORE_MEDIA_TYPES,
    Blob,
    BundledImage,
    BundledRelease,
    BundledSignature,
    BundledStore,
    BundleIndex,
    blobs_by_digest,
    prefix_count,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import DOCKER_MANIFEST
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.update_path import (
    PathEdge,
    RiskRule,
    UpdateRisk,
)

LAYER = "application/vnd.docker.image.rootfs.diff.tar.gzip"
CONFIG = "application/vnd.docker.container.image.v1+json"


def digest(name: str) -> Digest:
    """Return a digest that is always the same for the same name."""
    return Digest(hashlib.sha256(name.encode()).hexdigest())


def blob(name: str, size: int = 100, media_type: str = LAYER, unpacked: int | None = None) -> Blob:
    """Return a blob with as many prefixes as its size asks for."""
    prefixes = tuple(digest(f"{name}/{n}").hex for n in range(prefix_count(size)))
    return Blob(digest(name), size, media_type, unpacked, prefixes)


def image(name: str, reason: str, *layers: str, component: str | None = None, tag: str | None = None) -> BundledImage:
    """Return an image of a manifest, a config, and ``layers``, all called after it."""
    repository = "ocp-release" if reason == "release" else "ocp-v4.0-art-dev"
    reference = ImageReference("quay.io", f"openshift-release-dev/{repository}", digest=digest(f"{name}/manifest"))
    content = (digest(f"{name}/config"), *(digest(layer) for layer in layers))
    return BundledImage(reference, reason, component, (digest(f"{name}/manifest"),), content, tag)


def sample_index(**changes: t.Any) -> BundleIndex:
    """Return the index of a release image and one component that share a layer, signed once."""
    release = image("release", "release", "base", "payload", tag="4.21.3-x86_64")
    etcd = image("etcd", "component", "base", "large", component="etcd")
    blobs = blobs_by_digest(
        *(blob(f"{name}/manifest", 700, DOCKER_MANIFEST) for name in ("release", "etcd")),
        *(blob(f"{name}/config", 300, CONFIG) for name in ("release", "etcd")),
        blob("base", 4096, unpacked=10240),
        blob("payload", 2048, unpacked=4096),
        blob("large", 2 * PREFIX_STEP + 1, unpacked=None),
        blob("signature", 900, GPG_SIGNATURE),
    )
    index = BundleIndex(
        releases=(BundledRelease("4.21.3", Architecture.parse("x86_64"), release.name, ("4.20.12", "4.21.1")),),
        built="2026-11-23T14:30:00Z",
        serial=1795444200,
        images=(release, etcd),
        signatures=(BundledSignature("gpg", digest("release/manifest"), (digest("signature"),)),),
        blobs=blobs,
    )
    return replace(index, **changes)


def path_index(**changes: t.Any) -> BundleIndex:
    """Return the index of two releases with an image of their own each, which share one, and an added image."""
    releases = {version: image(f"release {version}", "release", "base") for version in ("4.19.14", "4.20.3")}
    own = {version: image(f"etcd {version}", "component", "base", component="etcd") for version in releases}
    shared, extra = image("pod", "component", "base", component="pod"), image("partner", "extra", "base")
    images = (*releases.values(), *own.values(), shared, extra)
    machine = Architecture.parse("x86_64")
    listed = tuple(
        BundledRelease(
            version,
            machine,
            release.name,
            images=tuple(one.manifests[0] for one in (release, own[version], shared)),
        )
        for version, release in releases.items()
    )
    risk = UpdateRisk("Alpha", "It stops.", "https://issues.example/Alpha", (RiskRule("PromQL", "vector(1)"),))
    path = (PathEdge("4.18.20", "4.19.14"), PathEdge("4.19.14", "4.20.3", (risk,)))
    blobs = {digest: Blob(digest, 100, LAYER) for one in images for digest in one.blobs()}
    index = sample_index(
        releases=listed, images=images, signatures=(), blobs=blobs_by_digest(*blobs.values()), path=path
    )
    return replace(index, **changes)


def index_with_store(**changes: t.Any) -> BundleIndex:
    """Return the sample index with an image store of all its images; ``changes`` are those of the store."""
    index = sample_index()
    file = blob("store", 5000, STORE_MEDIA_TYPES["squashfs"])
    store = BundledStore(
        digest=file.digest,
        filesystem="squashfs",
        compression="zstd",
        unpacked_size=14000,
        images=tuple(str(one.name) for one in index.images),
    )
    return replace(index, blobs=blobs_by_digest(*index.blobs.values(), file), stores=(replace(store, **changes),))
