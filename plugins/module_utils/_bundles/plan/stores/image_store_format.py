# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""In which form an image store travels: a file system that the kernels of the nodes mount, and its compression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import STORE_MEDIA_TYPES
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

MADE_BY = {"squashfs": "mksquashfs", "erofs": "mkfs.erofs"}
"""Programs that make the file systems; Debian has them in squashfs-tools and erofs-utils."""

KERNELS = {
    ("squashfs", "none"): "all",
    ("squashfs", "zstd"): "Linux 4.14, RHEL 8",
    ("squashfs", "lz4"): "those built with SQUASHFS_LZ4; RHEL's are not",
    ("erofs", "none"): "Linux 5.4, RHEL 9",
    ("erofs", "lz4"): "those built with EROFS_FS_ZIP; RHEL 9's are not",
    ("erofs", "zstd"): "Linux 6.10 built with EROFS_FS_ZIP_ZSTD",
}
"""Which kernels mount what, as far as their public configurations show; every node still tries it."""


@dataclass(frozen=True)
class StoreFormat:
    """A file system and a compression that go together."""

    filesystem: str
    compression: str

    @classmethod
    def of(cls, filesystem: str, compression: str) -> StoreFormat:
        """Return the format; raises InvalidInputError for a pair that does not exist."""
        if (filesystem, compression) not in KERNELS:
            raise InvalidInputError(
                "choose the format of the image store",
                on="filesystem, compression",
                seen=f"{filesystem!r:.40} with {compression!r:.40}",
                advice=f"Use one of {', '.join('/'.join(pair) for pair in KERNELS)}.",
            )
        return cls(filesystem, compression)

    @property
    def media_type(self) -> str:
        """Return the media type of the store's blob."""
        return STORE_MEDIA_TYPES[self.filesystem]

    @property
    def program(self) -> str:
        """Return the program that makes such a file."""
        return MADE_BY[self.filesystem]

    def argv(self, tree: str, file: str) -> Sequence[str]:
        """Return the command that packs ``tree`` into a new ``file``; owners, modes, devices and xattrs are kept."""
        if self.filesystem == "erofs":
            compressor = [] if self.compression == "none" else [f"-z{self.compression}"]
            return [self.program, *compressor, file, tree]
        compressor = ["-noI", "-noD", "-noF", "-noX"] if self.compression == "none" else []
        algorithm = "zstd" if self.compression == "none" else self.compression
        return [self.program, tree, file, "-noappend", "-no-progress", "-quiet", "-comp", algorithm, *compressor]
