# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a bundle will hold, once every name is resolved and before the large blobs are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor, Platform
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference


@dataclass(frozen=True)
class ImageRequest:
    """An image that is requested, and why; ``reference`` may name it by tag."""

    reference: ImageReference
    reason: str
    component: str | None = None


@dataclass(frozen=True)
class GatheredImage:
    """An image whose manifests are known; the first one is the one that its name pins.

    ``content`` is the config and the layers, each once; ``layers`` are those in their order, repetitions included.
    ``platform`` is what the manifest list says of the instance that travels, where it says it.
    """

    name: ImageReference
    reason: str
    component: str | None
    tag: str | None
    manifests: tuple[Descriptor, ...]
    content: tuple[Descriptor, ...]
    layers: tuple[Descriptor, ...] = ()
    platform: Platform | None = None

    @property
    def is_image(self) -> bool:
        """Whether nodes load it; a file is only staged there."""
        return self.reason != "file"

    @property
    def purpose(self) -> str:
        """Return why it travels, in words."""
        named = {"component": "component", "os_image": "OS image", "operator": "operator"}
        words = {"release": "release image", "extra": "extra image", "catalog": "catalog", "file": "extra file"}
        return words.get(self.reason) or f"{named[self.reason]} {self.component}"

    @property
    def config(self) -> Descriptor:
        """Return the config of the instance that travels."""
        return self.content[0]

    @property
    def instances(self) -> frozenset[Digest]:
        """Return the digests of the manifests that nodes run: of a list those that travel."""
        return frozenset(manifest.digest for manifest in self.manifests[1:] or self.manifests)

    @property
    def blobs(self) -> tuple[Descriptor, ...]:
        """Return everything that it is made of."""
        return (*self.manifests, *self.content)

    @property
    def size(self) -> int:
        """Return the bytes of it all."""
        return sum(blob.size for blob in self.blobs)


@dataclass(frozen=True)
class GatheredSignature:
    """A signature of ``image``, which is next to it in the repository ``source``, or None if its bytes are here.

    ``manifest`` is the content of the first blob where that is a manifest.
    """

    kind: str
    image: Digest
    source: ImageReference | None
    blobs: tuple[Descriptor, ...]
    manifest: bytes = b""


@dataclass(frozen=True)
class ImageSignatures:
    """What is attached to ``image``; ``failure`` is why it is not known whether that is all."""

    image: GatheredImage
    signatures: tuple[GatheredSignature, ...]
    failure: FieldOpsError | None = None


def distinct(images: Iterable[GatheredImage]) -> tuple[GatheredImage, ...]:
    """Return the images in a stable order, each name once; the first reason stays."""
    named: dict[str, GatheredImage] = {}
    for image in images:
        named.setdefault(str(image.name), image)
    return tuple(
        sorted(named.values(), key=lambda image: (_RANK[image.reason], image.component or "", str(image.name)))
    )


def joined(images: Iterable[GatheredImage]) -> tuple[GatheredImage, ...]:
    """Return the images in their order, each name once, with the instances of all that have the name."""
    named: dict[str, GatheredImage] = {}
    for image in images:
        known = named.setdefault(str(image.name), image)
        if known is not image:
            manifests, content = _once(*known.manifests, *image.manifests), _once(*known.content, *image.content)
            named[str(image.name)] = replace(known, manifests=manifests, content=content)
    return tuple(named.values())


def _once(*blobs: Descriptor) -> tuple[Descriptor, ...]:
    return tuple({blob.digest: blob for blob in blobs}.values())


_RANK = {"release": 0, "component": 1, "os_image": 2, "extra": 3, "catalog": 4, "operator": 5, "file": 6}


def blobs_of(
    images: Iterable[GatheredImage], signatures: Iterable[GatheredSignature] = ()
) -> Mapping[Digest, Descriptor]:
    """Return every blob once; raise PayloadError if two manifests contradict each other about one."""
    found: dict[Digest, Descriptor] = {}
    everything = [blob for image in images for blob in image.blobs]
    everything += [blob for signature in signatures for blob in signature.blobs]
    for blob in everything:
        known = found.setdefault(blob.digest, blob)
        if known.size != blob.size:
            raise PayloadError(
                "plan the bundle",
                on=str(blob.digest),
                seen=f"one manifest says that this blob has {known.size} bytes, another says {blob.size}",
                advice="Report it to the publisher: at least one of the images is faulty.",
            )
    return found
