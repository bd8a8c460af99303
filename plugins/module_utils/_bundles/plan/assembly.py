# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From gathered images and the facts about their blobs to the index of a bundle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import (
    GatheredImage,
    GatheredSignature,
    blobs_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.site_inventory import DeltaBase
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    Blob,
    BundledImage,
    BundledRelease,
    BundledSignature,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.update_path import PathEdge


@dataclass(frozen=True)
class Contents:
    """All that a bundle must hold. The last of the ``releases`` is the target, and ``path`` leads to it.

    ``base`` is what a delta leaves out.
    """

    releases: tuple[BundledRelease, ...]
    images: tuple[GatheredImage, ...]
    signatures: tuple[GatheredSignature, ...] = ()
    signatures_unknown: tuple[Digest, ...] = ()
    base: DeltaBase | None = None
    path: tuple[PathEdge, ...] = ()

    @property
    def blobs(self) -> Mapping[Digest, Descriptor]:
        """Return what travels: everything that the base does not have, and signatures, which are read before images."""
        signatures = {blob.digest for one in self.signatures for blob in one.blobs}
        left_out = self.base.held - signatures if self.base is not None else frozenset()
        everything = blobs_of(self.images, self.signatures)
        return {digest: blob for digest, blob in everything.items() if digest not in left_out}


def assemble(contents: Contents, blobs: Mapping[Digest, Blob], *, built: str, serial: int) -> BundleIndex:
    """Return the index of ``contents``; ``blobs`` are the entries of all that travel."""
    return BundleIndex(
        releases=contents.releases,
        built=built,
        serial=serial,
        images=tuple(_image(image) for image in contents.images),
        signatures=_signatures(contents.signatures),
        blobs=blobs_by_digest(
            *(replace(blobs[digest], media_type=blob.media_type) for digest, blob in contents.blobs.items())
        ),
        base=contents.base.digest if contents.base is not None else None,
        signatures_unknown=contents.signatures_unknown,
        path=contents.path,
    )


def _image(image: GatheredImage) -> BundledImage:
    return BundledImage(
        name=image.name,
        reason=image.reason,
        component=image.component,
        manifests=tuple(blob.digest for blob in image.manifests),
        content=tuple(dict.fromkeys(blob.digest for blob in image.content)),
        tag=image.tag,
    )


def _signatures(signatures: tuple[GatheredSignature, ...]) -> tuple[BundledSignature, ...]:
    found = {
        BundledSignature(one.kind, one.image, tuple(dict.fromkeys(blob.digest for blob in one.blobs)))
        for one in signatures
    }
    return tuple(sorted(found, key=lambda one: (one.kind, one.image, one.blobs)))
