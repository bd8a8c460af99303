# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What on a node stands on the layers of a store: containers, running or not, loaded images, and deltas over it.

The kernel lets a store be unmounted under a running container, which then cannot start again. So this is asked of the
storage: every layer there names the links of the layers below it, and links have names of their own in each store.
Source: containers/storage, ``drivers/overlay/overlay.go``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Callable
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_storage import Storage
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_audit import (
    AuditError,
    parents,
    stored_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import SLOT_PATHS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

_LARGEST_BOOK = 256 * MIB
_Book = t.TypeVar("_Book")


def layers_over(host: Host, number: int) -> tuple[str, ...]:
    """Return the ids of layers outside of a slot that depend on layers in it."""
    slot = SLOT_PATHS[number - 1]
    links = {f"l/{name}" for name in _names(host.path(f"{slot}/overlay/l"))}
    if not links:
        return ()
    storage = Storage.of(host)
    others = [f"{storage.root}/{storage.driver}", *(f"{path}/overlay" for path in SLOT_PATHS if path != slot)]
    return tuple(layer for other in others for layer in _standing_on(host.path(other), links))


def images_over(host: Host, number: int) -> tuple[str, ...]:
    """Return the names, or ids, of images in the node's own storage whose uppermost layer is only in a slot.

    Such a record is made by tagging, or by loading an image all of whose layers the store has.
    """
    storage = Storage.of(host)
    inside = set(_book(host, SLOT_PATHS[number - 1], "overlay", "layers", parents))
    own = _book(host, storage.root, storage.driver, "layers", parents)
    images = _book(host, storage.root, storage.driver, "images", stored_images)
    over = (image for image in images if image.layer in inside and image.layer not in own)
    return tuple(image.names[0] if image.names else image.image_id for image in over)


def _book(host: Host, root: str, driver: str, kind: str, read: Callable[[bytes], _Book]) -> _Book:
    path = host.path(f"{root}/{driver}-{kind}/{kind}.json")
    try:
        return read(read_file(path, limit=_LARGEST_BOOK) or b"")
    except AuditError as error:
        raise ImageStoreError(
            "check what uses the image store",
            on=str(path),
            seen=str(error),
            advice="Repair the container storage of the node first (podman system check).",
        ) from error


def _standing_on(folder: Path, links: set[str]) -> list[str]:
    found = []
    for name in _names(folder):
        below = read_file(folder / name / "lower") if name != "l" and (folder / name / "lower").is_file() else None
        if below and links.intersection(below.decode(errors="replace").strip().split(":")):
            found.append(name)
    return found


def _names(folder: Path) -> list[str]:
    with explained("list the directory", folder):
        return sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []
