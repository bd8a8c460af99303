# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Which image stores a bundle has, whether their files are there, and where the bases of deltas are."""

from __future__ import annotations

import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.image_store_report import store_report

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


def stores_of_bundle(options: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the stores of the bundle at ``path``, as names and sizes tell.

    Of a delta it says which of the bundles in ``bases`` has the store that it lies over. Raises BundleError.
    """
    source = BundleFolder(Path(options["path"]).absolute())
    index = source.require_index()
    holders = _holders([BundleFolder(Path(base).absolute()) for base in options["bases"]])
    stores = []
    for store in index.stores:
        is_there = source.blob_size(store.digest) == index.blobs[store.digest].size
        base = holders.get(store.base) if store.base is not None else None
        stores.append({**store_report(index, store), "present": is_there, "base_bundle": base})
    return {
        "path": str(source.path),
        "version": index.version,
        "index_digest": str(index.digest),
        "signed": source.index_signature() is not None,
        "stores": stores,
    }


def _holders(bases: list[BundleFolder]) -> dict[Digest, str]:
    found: dict[Digest, str] = {}
    for base in bases:
        for store in base.require_index().stores:
            found.setdefault(store.digest, str(base.path))
    return found
