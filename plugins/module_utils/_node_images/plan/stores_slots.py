# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The slots for image stores on a node, what is in them, and which one a store gets.

The list of additional stores in storage.conf names the slots once and never changes; a slot without a store is an empty
one. What is mounted over a slot is seen by CRI-O at once, without a restart.
"""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundledStore, BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

STORES = "/var/lib/fieldops/stores"
SLOTS = (1, 2, 3, 4)
SLOT_PATHS = tuple(f"{STORES}/slot{number}" for number in SLOTS)
SKELETON = {
    "overlay-images/images.json": "[]\n",
    "overlay-images/images.lock": "",
    "overlay-layers/layers.json": "[]\n",
    "overlay-layers/layers.lock": "",
}
"""Files of a storage that holds nothing: without them a runtime does not start over an empty slot."""

SKELETON_FOLDERS = ("overlay", "overlay/l", "overlay-images", "overlay-layers")
_SCHEMA = 1


@dataclass(frozen=True)
class StoreRecord:
    """What a slot was given: a store of an accepted index. ``proved`` names the kernel on which a container started."""

    index_digest: Digest
    version: str
    size: int
    store: BundledStore
    proved: str = ""

    @property
    def file(self) -> str:
        """Return where the store's file is on the node."""
        return f"{STORES}/{self.store.digest.hex}.{self.store.filesystem}"

    @classmethod
    def of(cls, index: BundleIndex, store: BundledStore) -> StoreRecord:
        """Return the record of a store of ``index``, proved nowhere yet."""
        return cls(index.digest, index.version, index.blobs[store.digest].size, store)

    def as_document(self) -> dict[str, t.Any]:
        """Return the record as it is kept."""
        return {
            "schemaVersion": _SCHEMA,
            "index_digest": str(self.index_digest),
            "version": self.version,
            "digest": str(self.store.digest),
            "size": self.size,
            "filesystem": self.store.filesystem,
            "compression": self.store.compression,
            "unpacked_size": self.store.unpacked_size,
            "base": str(self.store.base) if self.store.base else None,
            "depth": self.store.depth,
            "images": list(self.store.images),
            "proved": self.proved,
        }

    def shown(self) -> dict[str, t.Any]:
        """Return the record as results show it."""
        document = self.as_document()
        del document["schemaVersion"]
        return document

    @classmethod
    def read(cls, document: t.Any, on: str) -> StoreRecord:
        """Return the record in ``document``; raises InvalidInputError for anything else."""
        try:
            if document["schemaVersion"] != _SCHEMA:
                raise ValueError(f"schemaVersion {document['schemaVersion']}")
            store = BundledStore(
                digest=Digest.parse(document["digest"]),
                filesystem=str(document["filesystem"]),
                compression=str(document["compression"]),
                unpacked_size=int(document["unpacked_size"]),
                images=tuple(str(name) for name in document["images"]),
                base=Digest.parse(document["base"]) if document["base"] else None,
                depth=int(document["depth"]),
            )
            digest = Digest.parse(document["index_digest"])
            return cls(digest, str(document["version"]), int(document["size"]), store, str(document["proved"]))
        except (KeyError, TypeError, ValueError, InvalidInputError) as error:
            raise InvalidInputError(
                "read the record of an image store",
                on=on,
                seen=f"it is not a valid record ({error!r:.200})",
                advice="Remove the file, and mount the store again.",
            ) from error


def slot_of(records: Mapping[int, StoreRecord], digest: Digest) -> int | None:
    """Return the number of the slot that has the store ``digest``."""
    return next((number for number, record in records.items() if record.store.digest == digest), None)


def choose_slot(records: Mapping[int, StoreRecord], store: BundledStore, covered: Collection[int] = ()) -> int:
    """Return the slot for a store: its own, else the last free one before all others, else the last free one.

    So the newest is found first as long as there is room before the others; which comes first matters only for speed.
    ``covered`` are slots over which others have mounted something. Raises ImageStoreError when all are taken.
    """
    there = slot_of(records, store.digest)
    if there is not None:
        return there
    free = [number for number in SLOTS if number not in records and number not in covered]
    if not free:
        versions = ", ".join(sorted(one.version for one in records.values()))
        raise ImageStoreError(
            "find a slot for the image store",
            on=str(store.digest),
            seen=f"all {len(SLOTS)} are in use, by stores of {versions}",
            advice="Remove the store of a release from which nothing runs any more (state: absent).",
        )
    first = min(records, default=len(SLOTS) + 1)
    before = [number for number in free if number < first]
    return max(before or free)


def require_base(records: Mapping[int, StoreRecord], mounted: Collection[int], store: BundledStore) -> None:
    """Raise ImageStoreError unless the one store that a delta was made over is mounted here."""
    if store.base is None:
        return
    number = slot_of(records, store.base)
    if number in mounted:
        return
    there = ", ".join(str(record.store.digest) for record in records.values()) or "none"
    raise ImageStoreError(
        "mount the image store",
        on=str(store.digest),
        seen=f"it is a delta over the store {store.base}, which is not mounted on this node; its stores: {there}",
        advice="Mount exactly that store first, because a store that is built again from the same images is "
        "different. Or load the images.",
    )


def dependents(records: Mapping[int, StoreRecord], digest: Digest) -> tuple[StoreRecord, ...]:
    """Return the stores that were made over the store ``digest``."""
    return tuple(record for record in records.values() if record.store.base == digest)
