# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bundles that are staged on a node, below /var/lib/fieldops/bundles."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import (
    BundleFolder,
    verified_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory, remove_tree
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileContentError, explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import (
    read_json,
    remove_file,
    write_file,
    write_json,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import NotStagedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    INDEX_FILE,
    BundledImage,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

BUNDLES = "/var/lib/fieldops/bundles"
PRIVATE_MODE = 0o750
"""Of /var/lib/fieldops: images may require a pull secret. Servers see the bundles through bind mounts."""
STAGED_MODE = 0o444
"""Staged blobs are not changed any more; a relay, which has no privileges, reads them."""
SELECTION_FILE = "selection.json"
"""The images for which the bundle was last staged, if they are not all."""
_LARGEST_SELECTION = 1024 * 1024


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


def staged_index(folder: BundleFolder, digest: Digest) -> BundleIndex:
    """Return the index, which must have ``digest``; raises NotStagedError, WrongContentError, InvalidInputError."""
    content = folder.index_bytes()
    if content is None:
        raise NotStagedError(
            "read the index of the bundle",
            on=str(folder.path),
            seen=f"there is no {INDEX_FILE}",
            advice="Stage the bundle on this node first.",
        )
    return verified_index(content, digest, str(folder.path))


def folder_for(host: Host, index: BundleIndex) -> BundleFolder:
    """Return the folder in which the host keeps, or must keep, the bundle of ``index``."""
    return BundleFolder(host.path(f"{BUNDLES}/{index.folder_name}"))


def staged_folders(host: Host) -> tuple[BundleFolder, ...]:
    """Return all folders of bundles on the host, complete or not."""
    base = host.path(BUNDLES)
    with explained("list the directory", base):
        return tuple(BundleFolder(path) for path in sorted(base.iterdir())) if base.is_dir() else ()


def held_by_others(host: Host, folder: BundleFolder, leaving: Collection[str] = ()) -> dict[str, int]:
    """Return the sizes of the blobs that staged bundles besides that in ``folder`` have, by hexadecimal digest.

    ``leaving`` are the names of folders that do not count.
    """
    held: dict[str, int] = {}
    for other in staged_folders(host):
        held.update(other.sizes()[0] if other.path != folder.path and other.path.name not in leaving else {})
    return held


def held_by_all(host: Host) -> dict[str, int]:
    """Return the sizes of the blobs that all staged bundles have together, by hexadecimal digest."""
    held: dict[str, int] = {}
    for folder in staged_folders(host):
        held.update(folder.sizes()[0])
    return held


def staged_indexes(host: Host) -> Iterator[tuple[BundleFolder, BundleIndex]]:
    """Yield the host's staged bundles that have an index; a damaged one has none."""
    for folder in staged_folders(host):
        with contextlib.suppress(FieldOpsError):
            index = folder.read_index()
            if index is not None:
                yield folder, index


def staged_images(host: Host) -> Iterator[BundledImage]:
    """Yield all images of the host's staged bundles."""
    for _folder, index in staged_indexes(host):
        yield from (image for image in index.images if image.is_image)


def create_folder(folder: BundleFolder, index_content: bytes) -> bool:
    """Create the folder with its index and return whether that changed anything."""
    ensure_directory(folder.path.parent.parent, mode=PRIVATE_MODE)
    for path in (folder.path.parent, folder.path, folder.blobs.parent, folder.blobs):
        ensure_directory(path)
    return write_file(folder.index_path, index_content, mode=STAGED_MODE)


def record_selection(folder: BundleFolder, images: Sequence[str]) -> bool:
    """Record which ``images`` of the bundle the node is to hold, none for all; return whether that changed."""
    path = folder.path / SELECTION_FILE
    if not images:
        return remove_file(path)
    return write_json(path, {"schemaVersion": 1, "images": sorted(set(images))})


def recorded_selection(folder: BundleFolder) -> tuple[str, ...]:
    """Return the images that the node is to hold; empty, which means all, without a usable record."""
    try:
        document = read_json(folder.path / SELECTION_FILE, limit=_LARGEST_SELECTION)
    except FileContentError:
        return ()
    images = document.get("images") if isinstance(document, dict) else None
    return tuple(images) if isinstance(images, list) and all(isinstance(one, str) for one in images) else ()


def remove_folder(folder: BundleFolder) -> bool:
    """Remove the folder with all in it and return whether there was one.

    The index is removed last: it identifies a removal that was interrupted, when it is run again.
    """
    remove_tree(folder.blobs.parent)
    return remove_tree(folder.path)
