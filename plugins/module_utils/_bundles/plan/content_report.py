# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the parts of a bundle cost: one row for each reason why images travel, components by the platform they serve."""

from __future__ import annotations

import typing as t
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.selection import platforms_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledImage,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.unpacked_size import is_layer, unpacked_size

SIGNATURE, STORE = "signature", "image_store"
_ORDER = ("release", "component", "os_image", "extra", "catalog", "operator", "file", SIGNATURE, STORE)

Key = tuple[str, str]


@dataclass(frozen=True)
class ContentRow:
    """A part of a bundle. Bytes of blobs: all that it needs (``size``), those of them that no other part needs
    (``own``), and those that are not there yet (``missing``).

    ``name`` is the platform of components, or what catalogs, operators and files are called.
    """

    reason: str
    name: str
    count: int
    size: int
    own: int
    missing: int


def content_rows(index: BundleIndex, missing: Mapping[Digest, int]) -> tuple[ContentRow, ...]:
    """Return the parts of ``index``; ``missing`` are the bytes that each blob lacks. What a base has costs nothing."""
    parts: dict[Key, set[Digest]] = {}
    counts: Counter[Key] = Counter()
    for key, blobs in _needs(index):
        counts[key] += 1
        parts.setdefault(key, set()).update(digest for digest in blobs if digest in index.blobs)
    users = Counter(digest for blobs in parts.values() for digest in blobs)
    return tuple(
        ContentRow(
            *key,
            counts[key],
            sum(index.blobs[digest].size for digest in parts[key]),
            sum(index.blobs[digest].size for digest in parts[key] if users[digest] == 1),
            sum(missing.get(digest, 0) for digest in parts[key]),
        )
        for key in sorted(parts, key=lambda key: (_ORDER.index(key[0]), key[1]))
    )


def content_report(index: BundleIndex, missing: Mapping[Digest, int]) -> dict[str, t.Any]:
    """Return the rows and sums as plain data.

    ``shared`` is what a copy of each image with all its blobs would take in addition. A node holds the bundle
    (``staged``) and the unpacked layers of its images (``unpacked``).
    """
    layers = {digest for image in index.images if image.is_image for digest in image.blobs() if digest in index.blobs}
    unpacked = [index.blobs[digest] for digest in layers if is_layer(index.blobs[digest])]
    each = sum(index.blobs[digest].size for _key, blobs in _needs(index) for digest in blobs if digest in index.blobs)
    return {
        "rows": [asdict(row) for row in content_rows(index, missing)],
        "size": index.size,
        "missing": sum(missing.values()),
        "shared": each - index.size,
        "node": {
            "staged": index.size,
            "unpacked": sum(map(unpacked_size, unpacked)),
            "estimated": any(layer.unpacked_size is None for layer in unpacked),
        },
    }


def _needs(index: BundleIndex) -> Iterator[tuple[Key, set[Digest]]]:
    for image in index.images:
        yield _key(image), set(image.blobs())
    for signature in index.signatures:
        yield (SIGNATURE, ""), set(signature.blobs)
    for store in index.stores:
        yield (STORE, store.filesystem), {store.digest}


def _key(image: BundledImage) -> Key:
    named = {
        "component": ", ".join(platforms_of(image.component or "")),
        "catalog": f"{image.name.name}:{image.tag}" if image.tag else str(image.name),
        "operator": image.component or "",
        "file": image.component or image.name.name,
    }
    return image.reason, named.get(image.reason, "")
