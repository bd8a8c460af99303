# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which manifests, tags and referrers the images of some bundles have, and which blobs belong to each. Pure."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

_TAGGED: t.Final = {"cosign": "sig", "attestation": "att"}
"""Endings of the tags of what is attached to an image. Source: sigstore/cosign ``specs/SIGNATURE_SPEC.md``."""


@dataclass(frozen=True)
class ImageCatalog:
    """``needed`` are the blobs without which a manifest is of no use, itself included, by its digest.

    Several bundles may list a manifest, a delta with the blobs of its base among them; each list is one method to have
    all of it. ``tags`` are those of attached signatures only. ``referrers`` are manifests that are attached to an
    image.
    """

    needed: Mapping[Digest, tuple[frozenset[Digest], ...]]
    tags: Mapping[str, Digest]
    referrers: Mapping[Digest, tuple[Digest, ...]]

    @classmethod
    def of(cls, indexes: Iterable[BundleIndex]) -> ImageCatalog:
        """Return the catalogue of all that ``indexes`` list."""
        needed: dict[Digest, list[frozenset[Digest]]] = {}
        tags: dict[str, Digest] = {}
        referrers: dict[Digest, dict[Digest, None]] = {}
        for index in indexes:
            for image in index.images:
                for manifest in image.manifests if image.is_image else ():
                    needed.setdefault(manifest, []).append(frozenset(image.blobs()))
            for signature in index.signatures:
                if signature.kind == "gpg" or not signature.blobs:
                    continue
                manifest = signature.blobs[0]
                needed.setdefault(manifest, []).append(frozenset(signature.blobs))
                referrers.setdefault(signature.image, {})[manifest] = None
                if signature.kind in _TAGGED:
                    tags.setdefault(f"sha256-{signature.image.hex}.{_TAGGED[signature.kind]}", manifest)
        return cls(
            {digest: tuple(dict.fromkeys(lists)) for digest, lists in needed.items()},
            tags,
            {image: tuple(manifests) for image, manifests in referrers.items()},
        )
