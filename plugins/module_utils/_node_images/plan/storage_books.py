# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The metadata of a container storage: its images, their layers, and what uses them.

Source: containers/storage ``images.go``, ``layers.go`` and ``containers.go``, their JSON forms.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stored_images import (
    compressed_digest,
    entries_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


@dataclass(frozen=True)
class StoredImage:
    """One image: all names that it has, and its topmost layers, those for other user namespaces included."""

    image_id: str
    names: tuple[str, ...]
    layers: tuple[str, ...]


@dataclass(frozen=True)
class StoredLayer:
    """One layer: the one below it, empty at the bottom, its unpacked bytes and the digest it had when it was pulled."""

    parent: str
    size: int
    digest: Digest | None = None


@dataclass(frozen=True)
class StorageBooks:
    """``held`` are the images that a container was made from, also one that has ended, or that are mounted.

    ``bases`` are the layers that containers use, also those whose image is not in the books.
    """

    images: tuple[StoredImage, ...] = ()
    layers: Mapping[str, StoredLayer] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    bases: frozenset[str] = frozenset()

    @classmethod
    def of(cls, images: bytes, layers: bytes, containers: Iterable[bytes], mounts: bytes) -> StorageBooks:
        """Return what the files say; raises InvalidInputError for one that is broken."""
        known = {one["id"]: _layer(one) for one in entries_of(layers, "layers.json") if one.get("id")}
        made = [one for content in containers for one in entries_of(content, "containers.json")]
        mounted = {one.get("id", "") for one in entries_of(mounts, "mountpoints.json")}
        listed = tuple(_image(one) for one in entries_of(images, "images.json") if one.get("id"))
        held = {str(one.get("image") or "") for one in made}
        held |= {image.image_id for image in listed if not mounted.isdisjoint(image.layers)}
        bases = {str(one.get("layer") or "") for one in made} | mounted
        return cls(listed, known, frozenset(held - {""}), frozenset(bases - {""}))

    def freed_by(self, images: Iterable[StoredImage]) -> frozenset[str]:
        """Return the layers that only ``images`` use, which are removed with them."""
        going = {image.image_id for image in images}
        kept = [layer for image in self.images if image.image_id not in going for layer in image.layers]
        leaving = [layer for image in self.images if image.image_id in going for layer in image.layers]
        return self._below(leaving) - self._below([*kept, *self.bases])

    def size_of(self, layers: Iterable[str]) -> int:
        """Return the unpacked bytes of ``layers``."""
        return sum(self.layers[one].size for one in layers if one in self.layers)

    def pulled_as(self, layers: Iterable[str]) -> frozenset[Digest]:
        """Return the digests under which ``layers`` were pulled and that no other layer has."""
        gone = frozenset(layers)
        left = {one.digest for name, one in self.layers.items() if name not in gone}
        found = (self.layers[one].digest for one in gone if one in self.layers)
        return frozenset(digest for digest in found if digest is not None and digest not in left)

    def beneath(self, top: str) -> Iterator[str]:
        """Yield ``top`` and the layers below it, down to the lowest."""
        passed: set[str] = set()
        layer = top
        while layer and layer not in passed:
            yield layer
            passed.add(layer)
            layer = self.layers[layer].parent if layer in self.layers else ""

    def _below(self, tops: Iterable[str]) -> frozenset[str]:
        """Return ``tops`` and all layers below them."""
        return frozenset(layer for top in tops for layer in self.beneath(top))


def _image(entry: Mapping[str, t.Any]) -> StoredImage:
    layers = (entry.get("layer"), *(entry.get("mapped-layers") or ()))
    names = tuple(str(name) for name in entry.get("names") or ())
    return StoredImage(str(entry["id"]), names, tuple(str(layer) for layer in layers if layer))


def _layer(entry: Mapping[str, t.Any]) -> StoredLayer:
    size = entry.get("diff-size")
    known = size if isinstance(size, int) and not isinstance(size, bool) else 0
    return StoredLayer(str(entry.get("parent") or ""), max(known, 0), compressed_digest(entry))
