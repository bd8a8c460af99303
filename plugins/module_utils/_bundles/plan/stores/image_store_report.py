# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What modules report about the image stores of a bundle, as plain data."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_format import KERNELS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledStore,
    BundleIndex,
)


def store_report(index: BundleIndex, store: BundledStore) -> dict[str, t.Any]:
    """Return what ``index`` says of one of its stores; sizes are in bytes, ``images`` a number."""
    return {
        "digest": str(store.digest),
        "filesystem": store.filesystem,
        "compression": store.compression,
        "kernels": KERNELS.get((store.filesystem, store.compression), "not known"),
        "size": index.blobs[store.digest].size,
        "unpacked_size": store.unpacked_size,
        "images": len(store.images),
        "whole": {str(image.name) for image in index.images if image.is_image} == set(store.images),
        "base": str(store.base) if store.base else None,
        "depth": store.depth,
    }


def stores_report(index: BundleIndex) -> list[dict[str, t.Any]]:
    """Return all stores of ``index``, in the order in which nodes try them."""
    return [store_report(index, store) for store in index.stores]
