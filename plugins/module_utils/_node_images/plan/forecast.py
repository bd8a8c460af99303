# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""How much disk the bundle and its images will take on this node, per file system, before anything is written."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import KIB, format_size

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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

BLOCK = 4 * KIB
"""The block size of ext4 and XFS on nodes: the least that a file takes."""

UNKNOWN_GROWTH = 2.5
"""By how much a layer of unknown unpacked size is taken to grow; OpenShift's own grow by 2 to 2.7."""

PER_IMAGE = 4 * BLOCK
"""Names, attributes and directory of one image in containers-storage."""

PER_LAYER = 3 * BLOCK
"""Directory, link and tar-split of one layer, without the part that grows with it."""

USUAL_PERCENT = 15
"""What stays free where nothing else is said: below it the kubelet by default drops unused images and evicts pods.

Source: ``evictionHard``, ``imagefs.available`` 15 %, in kubernetes ``pkg/kubelet/eviction/defaults_linux.go``.
"""

_LAYER_MARKS = ("rootfs.diff", "image.layer")


@dataclass(frozen=True)
class Need:
    """Bytes that one purpose takes where ``path`` lies; ``is_estimate`` when the index does not know all of them."""

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
class ImagePlace:
    """The file system of the container storage, the kubelet's imagefs, and from where on the kubelet empties it."""

    device: int
    gc: ImageGc


@dataclass(frozen=True)
class Verdict:
    """Whether the needs of one file system fit, with ``reserve`` bytes left over.

    ``image_gc`` is set for the file system on which the kubelet removes images.
    """

    file_system: FileSystem
    needs: tuple[Need, ...]
    reserve: int
    image_gc: ImageGc | None = None

    @property
    def needed(self) -> int:
        """Bytes that are taken at the worst moment."""
        return sum(need.size for need in self.needs)

    @property
    def lacking(self) -> int:
        """Bytes by which the file system is too small, 0 when all fits."""
        return max(self.needed + self.reserve - self.file_system.free, 0) if self.needed else 0

    @property
    def removes_images(self) -> bool:
        """Whether so little would be left that the kubelet removes images, which a smaller reserve allows."""
        gc, place = self.image_gc, self.file_system
        return gc is not None and self.needed > 0 and place.free - self.needed < gc.reserve(place.total)

    @property
    def sentence(self) -> str:
        """Say it with numbers."""
        parts = ", ".join(f"{format_size(need.size)} for {need.purpose}" for need in self.needs if need.size)
        kept = f"{format_size(self.reserve)} must stay free"
        if self.image_gc is not None:
            kept += f": {self.image_gc.sentence}"
        return (
            f"{self.file_system.path} has {format_size(self.file_system.free)} free of "
            f"{format_size(self.file_system.total)}, of which {kept}; "
            f"needed are {parts or 'nothing'}; {format_size(self.lacking)} are lacking"
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say what a person has to know although it fits: that the kubelet will remove images, or may."""
        if self.image_gc is None or not self.needed:
            return ()
        place, known = self.file_system, f"On {self.file_system.path} {self.image_gc.sentence}"
        if self.removes_images:
            left = format_size(max(place.free - self.needed, 0))
            return (f"{known}, and only {left} will be free, as keep_free_percent allows.",)
        return (f"{known}.",) if self.image_gc.problem else ()

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
    size = sum(PER_LAYER + _blocks(_unpacked(layer)) for layer in layers)
    size += sum(_blocks(blob.size) for blob in small if not is_layer(blob)) + PER_IMAGE * len(absent)
    return Need("images in the container storage", path, size, any(blob.unpacked_size is None for blob in layers))


def spool_need(
    index: BundleIndex, images: Sequence[BundledImage], stored: StoredImages, path: str, parallel: int = 1
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
    needs: Iterable[tuple[Need, FileSystem]], keep_free_percent: int | None = None, images: ImagePlace | None = None
) -> tuple[Verdict, ...]:
    """Return a verdict for each file system; needs on the same one add up, and are all to leave the reserve.

    The reserve is ``keep_free_percent`` where that is given. Otherwise it is the usual share, and where ``images`` lie
    at least what keeps the kubelet from removing them. Raises InvalidInputError for a share that is none.
    """
    if keep_free_percent is not None and not 0 <= keep_free_percent <= 100:
        raise InvalidInputError(
            "keep space free",
            on="keep_free_percent",
            seen=f"it is {keep_free_percent}",
            advice="Give a number of percents from 0 to 100, or leave it out to follow the kubelet.",
        )
    grouped: dict[int, tuple[FileSystem, list[Need]]] = {}
    for need, place in needs:
        grouped.setdefault(place.device, (place, []))[1].append(need)
    verdicts = []
    for place, together in grouped.values():
        gc = images.gc if images is not None and images.device == place.device else None
        verdicts.append(Verdict(place, tuple(together), _reserve(place.total, keep_free_percent, gc), gc))
    return tuple(verdicts)


def is_layer(blob: Blob) -> bool:
    """Whether a blob is a file system layer, by its media type or because its unpacked size is known."""
    return blob.unpacked_size is not None or any(mark in blob.media_type for mark in _LAYER_MARKS)


def _reserve(total: int, keep_free_percent: int | None, gc: ImageGc | None) -> int:
    if keep_free_percent is not None:
        return total * keep_free_percent // 100
    return max(total * USUAL_PERCENT // 100, gc.reserve(total) if gc is not None else 0)


def _new_layers(index: BundleIndex, images: Iterable[BundledImage], stored: StoredImages) -> list[Blob]:
    wanted: set[Digest] = {digest for image in images for digest in image.content}
    known = (index.blobs[digest] for digest in sorted(wanted - stored.layers) if digest in index.blobs)
    return [blob for blob in known if is_layer(blob)]


def _unpacked(layer: Blob) -> int:
    return layer.unpacked_size if layer.unpacked_size is not None else int(layer.size * UNKNOWN_GROWTH)


def _blocks(size: int) -> int:
    return -(-size // BLOCK) * BLOCK


def _whole_blocks(size: int) -> int:
    return size // BLOCK * BLOCK
