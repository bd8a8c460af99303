# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Over which stores a new one is made, and when it is made whole again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_format import (
    StoreFormat,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    DEEPEST_STORE,
    Blob,
    BundledStore,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


@dataclass(frozen=True)
class StoreChain:
    """The stores below a new one, nearest first; none for a whole store. ``merged`` when deltas ended here."""

    stores: tuple[BundledStore, ...] = ()
    merged: bool = False

    @property
    def depth(self) -> int:
        """How many stores will be below the new one."""
        return len(self.stores)


def chain_over(bases: Sequence[BundleIndex], form: StoreFormat) -> StoreChain:
    """Return the stores of ``bases`` that a new store is made over: that of the first one, and what that needs.

    Of several stores of the first one that of the same ``form`` is taken, since nodes mount the one they can. Beyond
    two deltas the new store is whole. Raises BundleError for a base without a store, or one whose own base is in none
    of the bundles.
    """
    if not bases:
        return StoreChain()
    if not bases[0].stores:
        raise _unusable(bases[0], "it has no image store", "Create one for it first, or create a complete store here.")
    known = {store.digest: store for index in bases for store in index.stores}
    same = (one for one in bases[0].stores if (one.filesystem, one.compression) == (form.filesystem, form.compression))
    chain = [next(same, bases[0].stores[0])]
    if chain[0].depth >= DEEPEST_STORE:
        return StoreChain(merged=True)
    while chain[-1].base is not None:
        below = known.get(chain[-1].base)
        if below is None:
            raise _unusable(
                bases[0],
                f"its store is a delta over the store {chain[-1].base}, which no base contains",
                "Add the bundle with that store to the bases.",
            )
        chain.append(below)
    return StoreChain(tuple(chain))


def kept_store(index: BundleIndex, form: StoreFormat, chain: StoreChain) -> BundledStore | None:
    """Return the store of ``index`` that is already what is requested."""
    names = {str(image.name) for image in index.images if image.is_image}
    base = chain.stores[0].digest if chain.stores else None
    for store in index.stores:
        if (store.filesystem, store.compression, store.base) == (form.filesystem, form.compression, base):
            return store if names == set(store.images) else None
    return None


def with_store(index: BundleIndex, store: BundledStore, blob: Blob) -> BundleIndex:
    """Return the index with ``store`` instead of one of the same form and base, and without stores that lack images."""
    names = {str(image.name) for image in index.images if image.is_image}
    same = (store.filesystem, store.compression, store.base)
    others = (one for one in index.stores if (one.filesystem, one.compression, one.base) != same)
    kept = tuple(one for one in others if names == set(one.images) and one.digest != store.digest)
    return _with(index, (store, *kept), (blob,))


def without_stores(index: BundleIndex) -> BundleIndex:
    """Return the index as it is without any store."""
    return _with(index, (), ())


def with_stores_of(index: BundleIndex, previous: BundleIndex | None, there: Collection[Digest]) -> BundleIndex:
    """Return a bundle's index that was made again with the stores that it had, as far as it still has their images.

    A store is not reproducible: made again it would be another one, and deltas over it would be lost. ``there`` are the
    blobs that are in the bundle's folder.
    """
    if previous is None:
        return index
    names = {str(image.name) for image in index.images if image.is_image}
    kept = tuple(one for one in previous.stores if names.issuperset(one.images) and one.digest in there)
    return _with(index, kept, tuple(previous.blobs[store.digest] for store in kept))


def as_before(index: BundleIndex, previous: BundleIndex | None) -> BundleIndex:
    """Return ``previous`` where ``index``, which was built again, differs from it by the time of building alone."""
    if previous is None or replace(index, built=previous.built, serial=previous.serial) != previous:
        return index
    return previous


def _with(index: BundleIndex, stores: tuple[BundledStore, ...], more: tuple[Blob, ...]) -> BundleIndex:
    gone = {store.digest for store in index.stores} - {store.digest for store in stores}
    blobs = (blob for digest, blob in index.blobs.items() if digest not in gone)
    return replace(index, stores=stores, blobs=blobs_by_digest(*blobs, *more))


def _unusable(index: BundleIndex, seen: str, advice: str) -> BundleError:
    return BundleError("create a delta of the image store", on=f"base {index.folder_name}", seen=seen, advice=advice)
