# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How much disk the bundle and its images will take on this node, per file system, before anything is written."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.eviction import EvictionThreshold
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_gc import ImageGc
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.missing_blobs import (
    StagingState,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stored_images import StoredImages
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    Blob,
    BundledImage,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import KIB, format_size
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.unpacked_size import is_layer, unpacked_size

BLOCK = 4 * KIB
"""The block size of ext4 and XFS on nodes: the least that a file takes."""

PARALLEL = 2
"""How many images are loaded at a time where a play does not say it."""

PER_IMAGE = 10 * BLOCK
"""Names, attributes, manifests and directory of one image in containers-storage, after a pull by CRI-O."""

PER_LAYER = 3 * BLOCK
"""Directory, link and tar-split of one layer, without the part that grows with it."""

USUAL_PERCENT = 15
"""The free space if no file sets it: below it the kubelet by default removes unused images and evicts pods.

Source: ``evictionHard``, ``imagefs.available`` 15 %, in kubernetes ``pkg/kubelet/eviction/defaults_linux.go``.
"""


@dataclass(frozen=True)
class Need:
    """Bytes that one purpose takes at ``path``; ``is_estimate`` when the index does not know all of them.

    A negative size is space that is freed there before.
    """

    purpose: str
    path: str
    size: int
    is_estimate: bool = False
    is_passing: bool = False
    """Whether the space is free again afterwards."""


@dataclass(frozen=True)
class FileSystem:
    """What statvfs(3) says of the file system with the number ``device``; ``path`` is a place on it."""

    device: int
    path: str
    total: int
    free: int


@dataclass(frozen=True)
class KubeletPlace:
    """A file system that the kubelet watches, and what makes it act there.

    ``gc`` is set for that of the container storage, the kubelet's imagefs; ``evictions`` are those that a file sets.
    """

    device: int
    gc: ImageGc | None = None
    evictions: tuple[EvictionThreshold, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """Whether the needs of one file system fit, with ``reserve`` bytes left over.

    ``image_gc`` is set for the file system on which the kubelet removes images, ``evictions`` where it evicts pods.
    """

    file_system: FileSystem
    needs: tuple[Need, ...]
    reserve: int
    image_gc: ImageGc | None = None
    evictions: tuple[EvictionThreshold, ...] = ()

    @property
    def needed(self) -> int:
        """The maximum space that is needed, in bytes."""
        return sum(need.size for need in self.needs)

    @property
    def lacking(self) -> int:
        """Bytes by which the file system is too small, 0 when all fits."""
        return max(self.needed + self.reserve - self.file_system.free, 0) if self.needed > 0 else 0

    @property
    def removes_images(self) -> bool:
        """Whether so little would be left that the kubelet removes images, which a smaller reserve allows."""
        return self.image_gc is not None and self._leaves_less_than(_asked(self.file_system, self.image_gc, ()))

    @property
    def evicts_pods(self) -> bool:
        """Whether so little would be left that the kubelet evicts pods, and unused images before them."""
        return self._leaves_less_than(_asked(self.file_system, None, self.evictions))

    @property
    def sentence(self) -> str:
        """Return it as a sentence with numbers."""
        parts = ", ".join(f"{format_size(need.size)} for {need.purpose}" for need in self.needs if need.size > 0)
        made = "".join(f", less {format_size(-need.size)} of {need.purpose}" for need in self.needs if need.size < 0)
        kept = f"{format_size(self.reserve)} must stay free"
        if self._kubelet:
            kept += f": {self._kubelet}"
        return (
            f"{self.file_system.path} has {format_size(self.file_system.free)} free of "
            f"{format_size(self.file_system.total)}, of which {kept}; "
            f"needed are {parts or 'nothing'}{made}; {format_size(self.lacking)} are lacking"
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return the warnings although it fits: that the kubelet will remove images or evict pods, or may."""
        place, known = self.file_system, f"On {self.file_system.path} {self._kubelet}"
        if self.removes_images or self.evicts_pods:
            left = format_size(max(place.free - self.needed, 0))
            return (f"{known}, and only {left} will be free, as keep_free_percent allows.",)
        return (f"{known}.",) if self.needed > 0 and self.image_gc is not None and self.image_gc.problem else ()

    @property
    def _kubelet(self) -> str:
        """What makes the kubelet act; continues a sentence. Empty where it does not watch by what a file says."""
        evicts = " and ".join(one.sentence for one in self.evictions)
        if self.image_gc is None:
            return f"the kubelet {evicts}" if evicts else ""
        return self.image_gc.sentence + (f" and {evicts}" if evicts else "")

    def _leaves_less_than(self, reserve: int) -> bool:
        return self.needed > 0 and self.file_system.free - self.needed < reserve

    def as_document(self) -> dict[str, t.Any]:
        """Return the verdict as results show it."""
        return {
            "path": self.file_system.path,
            "total": self.file_system.total,
            "free": self.file_system.free,
            "reserve": self.reserve,
            "needed": self.needed,
            "lacking": self.lacking,
            "image_gc": self._image_gc_document(),
            "evictions": [{**vars(one), "reserve": one.reserve(self.file_system.total)} for one in self.evictions],
            "evicts_pods": self.evicts_pods,
            "needs": [
                {"purpose": n.purpose, "size": n.size, "estimate": n.is_estimate, "passing": n.is_passing}
                for n in self.needs
            ],
        }

    def _image_gc_document(self) -> dict[str, t.Any] | None:
        gc = self.image_gc
        if gc is None:
            return None
        return {**vars(gc), "reserve": gc.reserve(self.file_system.total), "removes_images": self.removes_images}


def bundle_need(state: StagingState, path: str) -> Need:
    """Return what the missing blobs take in the bundle's folder, each in whole blocks."""
    size = sum(_blocks(blob.size) - _whole_blocks(state.begun.get(blob.digest, 0)) for blob in state.missing)
    return Need("the bundle", path, max(size, 0))


def storage_need(index: BundleIndex, images: Sequence[BundledImage], stored: StoredImages, path: str) -> Need:
    """Return what ``images`` take in the container storage that it does not hold yet; shared layers count once."""
    absent = [image for image in images if str(image.name) not in stored.names]
    layers = _new_layers(index, absent, stored)
    metadata = {digest for image in absent for digest in image.blobs()} - {layer.digest for layer in layers}
    small = [index.blobs[digest] for digest in metadata if digest in index.blobs]
    size = sum(PER_LAYER + _blocks(unpacked_size(layer)) for layer in layers)
    size += sum(_blocks(blob.size) for blob in small if not is_layer(blob)) + PER_IMAGE * len(absent)
    return Need("images in the container storage", path, size, any(blob.unpacked_size is None for blob in layers))


def spool_need(
    index: BundleIndex, images: Sequence[BundledImage], stored: StoredImages, path: str, parallel: int = PARALLEL
) -> Need:
    """Return what loading takes for a moment: all new layers of an image, compressed, of the largest images at once.

    containers/image spools layers in ``big_files_temporary_dir`` and drops them when the image is complete
    (``storage/storage_dest.go``).
    """
    absent = [image for image in images if str(image.name) not in stored.names]
    spools = sorted(
        (sum(_blocks(layer.size) for layer in _new_layers(index, [image], stored)) for image in absent), reverse=True
    )
    return Need("layers while they are loaded", path, sum(spools[:parallel]), is_passing=True)


def judge(
    needs: Iterable[tuple[Need, FileSystem]],
    keep_free_percent: int | None = None,
    kubelet: Sequence[KubeletPlace] = (),
) -> tuple[Verdict, ...]:
    """Return a verdict for each file system; needs on the same one add up, and are all to leave the reserve.

    The reserve is ``keep_free_percent`` where that is given. Otherwise it is the strictest of what makes the
    ``kubelet`` act there, and the usual share where no file sets that it evicts. Raises InvalidInputError for an
    invalid percentage.
    """
    if keep_free_percent is not None and not 0 <= keep_free_percent <= 100:
        raise InvalidInputError(
            "keep space free",
            on="keep_free_percent",
            seen=f"it is {keep_free_percent}",
            advice="Set a percentage from 0 to 100, or omit it to use the settings of the kubelet.",
        )
    grouped: dict[int, tuple[FileSystem, list[Need]]] = {}
    for need, place in needs:
        grouped.setdefault(place.device, (place, []))[1].append(need)
    return tuple(
        _verdict(place, tuple(together), keep_free_percent, [one for one in kubelet if one.device == place.device])
        for place, together in grouped.values()
    )


def _verdict(
    place: FileSystem, needs: tuple[Need, ...], keep_free_percent: int | None, kubelet: Sequence[KubeletPlace]
) -> Verdict:
    gc = next((one.gc for one in kubelet if one.gc is not None), None)
    evictions = tuple(threshold for one in kubelet for threshold in one.evictions)
    if keep_free_percent is not None:
        reserve = place.total * keep_free_percent // 100
    else:
        usual = 0 if evictions else place.total * USUAL_PERCENT // 100
        reserve = max(usual, _asked(place, gc, evictions))
    return Verdict(place, needs, reserve, gc, evictions)


def _asked(place: FileSystem, gc: ImageGc | None, evictions: Iterable[EvictionThreshold]) -> int:
    """Return the free bytes with which the kubelet leaves a file system alone."""
    asked = [one.reserve(place.total) for one in evictions]
    return max([*asked, gc.reserve(place.total) if gc is not None else 0])


def _new_layers(index: BundleIndex, images: Iterable[BundledImage], stored: StoredImages) -> list[Blob]:
    wanted: set[Digest] = {digest for image in images for digest in image.content}
    known = (index.blobs[digest] for digest in sorted(wanted - stored.layers) if digest in index.blobs)
    return [blob for blob in known if is_layer(blob)]


def _blocks(size: int) -> int:
    return -(-size // BLOCK) * BLOCK


def _whole_blocks(size: int) -> int:
    return size // BLOCK * BLOCK
