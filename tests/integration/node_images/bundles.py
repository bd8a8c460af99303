# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bundles of generated releases, written by hand so that these tests stand on their own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.prefix_hasher import PrefixHasher
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.boot_artifacts import (
    BootArtifact,
    artifact_image,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    GPG_SIGNATURE,
    PREFIX_STEP,
    Blob,
    BundledImage,
    BundledRelease,
    BundledSignature,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import COSIGN_PAYLOAD
from ansible_collections.fieldops.openshift.tests.lab.registry.component_names import OS_IMAGES
from ansible_collections.fieldops.openshift.tests.lab.registry.content import BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.images import Image, NamedImage
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release


@dataclass(frozen=True)
class WrittenBundle:
    """A bundle in ``folder``."""

    folder: Path
    index: BundleIndex

    @property
    def names(self) -> list[str]:
        """The names of its images."""
        return [str(image.name) for image in self.index.images]


def write_bundle(
    folder: Path,
    release: Release,
    *,
    extra: Sequence[NamedImage] = (),
    base: BundleIndex | None = None,
    signed: Mapping[Digest, NamedImage] | None = None,
    release_signatures: Iterable[bytes] = (),
) -> WrittenBundle:
    """Write the bundle of ``release`` and ``extra`` images; with ``base`` only what that one does not carry.

    ``signed`` are cosign's signatures by the digest of the image that each of them is of, ``release_signatures`` GPG's
    of the release.
    """
    signatures = signed or {}
    components = {image.digest: name for name, image in release.components.items()}
    reasons = {digest: "os_image" for digest, name in components.items() if name in OS_IMAGES}
    reasons[release.image.digest] = "release"
    images = [
        _bundled(one, reasons.get(one.image.digest, "component"), components.get(one.image.digest))
        for one in release.images
    ]
    images += [_bundled(one, "extra", None) for one in extra]
    everything = _blobs(release.pool, [*release.images, *extra])
    everything += [blob for one in signatures.values() for blob in _signature_blobs(one)]
    everything += (own := [_release_signature_blob(release.pool, one) for one in release_signatures])
    index = BundleIndex(
        releases=(_release(release),),
        built="2026-11-23T14:30:00Z",
        serial=1,
        images=tuple(sorted(images, key=lambda image: str(image.name))),
        signatures=(
            *(_signature(digest, one) for digest, one in signatures.items()),
            *(BundledSignature("gpg", release.image.digest, (blob.digest,)) for blob in own),
        ),
        blobs=blobs_by_digest(*(blob for blob in everything if base is None or blob.digest not in base.blobs)),
        base=base.digest if base else None,
    )
    (folder / "blobs/sha256").mkdir(parents=True)
    return _written(folder, index, release.pool)


def with_boot_files(bundle: WrittenBundle, pool: BlobPool, files: Mapping[str, bytes]) -> WrittenBundle:
    """Add boot images of bare metal, by the names of their files, to a bundle, as a build carries them."""
    kept = {name: pool.add(content) for name, content in files.items()}
    listed = [
        (BootArtifact("metal", "", name, f"https://images.lab.example/{name}", blob.digest), blob.size)
        for name, blob in kept.items()
    ]
    image, made = artifact_image("metal", listed)
    for content in made.values():
        pool.add(content)
    manifests, contents = (tuple(one.digest for one in part) for part in (image.manifests, image.content))
    blobs = [Blob(one.digest, one.size, one.media_type) for one in (*image.manifests, *image.content)]
    images = [*bundle.index.images, BundledImage(image.name, image.reason, None, manifests, contents)]
    index = replace(
        bundle.index,
        images=tuple(sorted(images, key=lambda one: str(one.name))),
        blobs=blobs_by_digest(*bundle.index.blobs.values(), *blobs),
    )
    return _written(bundle.folder, index, pool)


def _written(folder: Path, index: BundleIndex, pool: BlobPool) -> WrittenBundle:
    for digest, blob in index.blobs.items():
        if not (folder / blob.path).exists():
            os.link(pool.path(digest), folder / blob.path)
    (folder / "index.json").write_bytes(index.as_bytes())
    return WrittenBundle(folder, index)


def _release(release: Release) -> BundledRelease:
    spec = release.spec
    machine = Architecture.parse(spec.architectures[0])
    return BundledRelease(spec.version, machine, release.reference.by_digest(), spec.previous)


def _signature(image: Digest, one: NamedImage) -> BundledSignature:
    return BundledSignature("cosign", image, tuple(blob.digest for blob in (*one.image.manifests, *one.image.blobs)))


def _signature_blobs(one: NamedImage) -> Iterator[Blob]:
    for blob in (*one.image.manifests, *one.image.blobs):
        yield Blob(blob.digest, blob.size, COSIGN_PAYLOAD)


def _release_signature_blob(pool: BlobPool, signature: bytes) -> Blob:
    kept = pool.add(signature)
    return Blob(kept.digest, kept.size, GPG_SIGNATURE)


def _bundled(one: NamedImage, reason: str, component: str | None) -> BundledImage:
    inner = [manifest.digest for manifest in one.image.manifests if manifest.digest != one.image.digest]
    return BundledImage(
        name=one.reference.by_digest(),
        reason=reason,
        component=component,
        manifests=(one.image.digest, *inner),
        content=tuple(dict.fromkeys(blob.digest for blob in one.image.blobs)),
    )


def _blobs(pool: BlobPool, images: Iterable[NamedImage]) -> list[Blob]:
    known: dict[Digest, Blob] = {}
    for one in images:
        for instance in getattr(one.image, "instances", ()):
            _add_instance(pool, instance, known)
        for manifest in one.image.manifests:
            media_type = json.loads(pool.read(manifest.digest))["mediaType"]
            known[manifest.digest] = Blob(manifest.digest, manifest.size, media_type)
    return list(known.values())


def _add_instance(pool: BlobPool, image: Image, known: dict[Digest, Blob]) -> None:
    known[image.config.digest] = Blob(image.config.digest, image.config.size, image.format.config)
    for layer in image.layers:
        known.setdefault(
            layer.digest,
            Blob(layer.digest, layer.blob.size, image.format.layer, layer.tar.size, _prefixes(pool.path(layer.digest))),
        )


def _prefixes(path: Path) -> tuple[str, ...]:
    hasher = PrefixHasher()
    with path.open("rb") as stream:
        for block in iter(lambda: stream.read(PREFIX_STEP), b""):
            hasher.update(memoryview(block))
    return hasher.prefixes()
