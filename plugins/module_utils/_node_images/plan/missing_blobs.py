# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The missing parts of a bundle on a node, by the content of its folder."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    Blob,
    BundledImage,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


@dataclass(frozen=True)
class StagingState:
    """The state of the selected images on the node. Sizes are in bytes.

    ``missing`` are the blobs without their name; ``begun`` says how much of some of those is there already.
    ``unreachable`` are blobs of a delta's base, which this bundle does not carry and its folder does not hold.
    """

    blobs: tuple[Blob, ...]
    missing: tuple[Blob, ...]
    begun: Mapping[Digest, int]
    unreachable: tuple[Digest, ...]

    @property
    def is_complete(self) -> bool:
        """Whether it is complete."""
        return not self.missing and not self.unreachable

    @property
    def size(self) -> int:
        """Bytes of all blobs together."""
        return sum(blob.size for blob in self.blobs)

    @property
    def missing_size(self) -> int:
        """Bytes to download, if the partial blobs are correct."""
        return sum(max(blob.size - self.begun.get(blob.digest, 0), 0) for blob in self.missing)

    def without(self, held: Mapping[str, int]) -> StagingState:
        """Return what must be written if blobs of these names and sizes are only linked."""
        return replace(self, missing=tuple(blob for blob in self.missing if held.get(blob.digest.hex) != blob.size))

    def as_document(self) -> dict[str, t.Any]:
        """Return the state as results show it."""
        return {
            "complete": self.is_complete,
            "blobs": len(self.blobs),
            "size": self.size,
            "missing_blobs": len(self.missing),
            "missing_size": self.missing_size,
            "unreachable_blobs": [str(digest) for digest in self.unreachable],
        }


def staging_state(
    index: BundleIndex, images: Sequence[BundledImage], named: Mapping[str, int], begun: Mapping[str, int]
) -> StagingState:
    """Return what is missing of ``images``.

    ``named`` and ``begun`` are the sizes of finished and unfinished blobs in the folder by hexadecimal digest. A blob
    has its name only after it was verified and flushed, so name and right size are proof enough here; every layer is
    verified once more when it is pulled. A delta needs the bytes of its base as well, since a node serves whole images
    only; files that it leaves to its base stay there. Signatures travel with every choice, since they are few and
    small.
    """
    wanted = {digest for image in images for digest in image.blobs()}
    wanted |= {digest for signature in index.signatures for digest in signature.blobs}
    blobs = tuple(index.blobs[digest] for digest in sorted(wanted) if digest in index.blobs)
    served = {digest for image in images if image.is_image for digest in image.blobs()}
    elsewhere = (digest for digest in sorted(served) if digest not in index.blobs)
    return StagingState(
        blobs=blobs,
        missing=tuple(blob for blob in blobs if named.get(blob.digest.hex) != blob.size),
        begun={blob.digest: begun[blob.digest.hex] for blob in blobs if blob.digest.hex in begun},
        unreachable=tuple(digest for digest in elsewhere if digest.hex not in named),
    )
