# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A bundle where it lies: on a medium, or staged on a node below /var/lib/fieldops/bundles."""

from __future__ import annotations

import hashlib
import os
import typing as t
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory, remove_tree
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import (
    NotStagedError,
    WrongContentError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BLOB_FOLDER, INDEX_FILE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import (
    LARGEST_INDEX,
    read_index,
)

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob, BundleIndex
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

BUNDLES = "/var/lib/fieldops/bundles"
PART = ".part"
"""What the name of a blob ends in that is still being received."""


@dataclass(frozen=True)
class BundleFolder:
    """The folder ``path`` of one bundle."""

    path: Path

    @property
    def blobs(self) -> Path:
        """The one pool of the bundle's blobs."""
        return self.path / BLOB_FOLDER

    def blob(self, blob: Blob) -> Path:
        """Return where a verified blob lies."""
        return self.path / blob.path

    def part(self, blob: Blob) -> Path:
        """Return where a blob lies that is still being received."""
        return self.path / f"{blob.path}{PART}"

    def index_content(self) -> bytes | None:
        """Return the bytes of the index, None when there is none; raises FileAccessError."""
        return read_file(self.path / INDEX_FILE, limit=LARGEST_INDEX)

    def read_index(self, digest: Digest) -> BundleIndex:
        """Return the index, which must have ``digest``; raises NotStagedError, WrongContentError, InvalidInputError."""
        content = self.index_content()
        if content is None:
            raise NotStagedError(
                "read the index of the bundle",
                on=str(self.path),
                seen=f"there is no {INDEX_FILE}",
                advice="Stage the bundle on this node first.",
            )
        return verified_index(content, digest, str(self.path))

    def create(self, content: bytes) -> bool:
        """Make the folder with its index and return whether that changed anything."""
        for path in (self.path.parent, self.path, self.blobs.parent, self.blobs):
            ensure_directory(path)
        return write_file(self.path / INDEX_FILE, content, mode=0o444)

    def sizes(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return the sizes of the blobs that are there, and of those that are only begun, by hexadecimal digest."""
        named: dict[str, int] = {}
        begun: dict[str, int] = {}
        with explained("list the directory", self.blobs):
            try:
                entries = list(os.scandir(self.blobs))
            except FileNotFoundError:
                return named, begun
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    group = begun if entry.name.endswith(PART) else named
                    group[entry.name.partition(".")[0]] = entry.stat(follow_symlinks=False).st_size
        return named, begun

    def remove(self) -> bool:
        """Remove the folder with all in it and return whether there was one.

        The index goes last: by it a removal that was cut short is found, and told from others, when it is run again.
        """
        remove_tree(self.blobs.parent)
        return remove_tree(self.path)


def staged_folder(host: Host, digest: Digest) -> BundleFolder:
    """Return the folder of the bundle with this index on the host; raises NotStagedError when there is none."""
    base = host.path(BUNDLES)
    found = sorted(base.glob(f"*-{digest.short}")) if base.is_dir() else []
    if not found:
        raise NotStagedError(
            "find the bundle",
            on=str(digest),
            seen=f"{BUNDLES} has no folder of that name on this node",
            advice="Stage the bundle on this node first.",
        )
    return BundleFolder(found[0])


def folder_for(host: Host, index: BundleIndex) -> BundleFolder:
    """Return the folder in which the host keeps, or is to keep, the bundle of ``index``."""
    return BundleFolder(host.path(f"{BUNDLES}/{index.folder_name}"))


def staged_folders(host: Host) -> tuple[BundleFolder, ...]:
    """Return all folders of bundles on the host, complete or not."""
    base = host.path(BUNDLES)
    with explained("list the directory", base):
        return tuple(BundleFolder(path) for path in sorted(base.iterdir())) if base.is_dir() else ()


def verified_index(content: bytes, digest: Digest, on: str) -> BundleIndex:
    """Return the index in ``content``; raises WrongContentError unless it is the one with ``digest``."""
    seen = hashlib.sha256(content).hexdigest()
    if seen != digest.hex:
        raise WrongContentError(
            "accept the index of the bundle",
            on=on,
            seen=f"its digest is sha256:{seen}, not the vetted {digest}",
            advice="Give the source that holds the vetted bundle; nothing of this one was used.",
        )
    return read_index(content)
