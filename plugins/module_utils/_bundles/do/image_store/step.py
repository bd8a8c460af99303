# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From the arguments of the module for a bundle's image store to one step of its work."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import worked_in
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_bundle import publish_bundle
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.bundle_jobs import BundleJobs
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.image_store.build import (
    StoreOrder,
    build_store,
    require_root,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_bases import (
    chain_over,
    kept_store,
    without_stores,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_format import (
    StoreFormat,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_report import (
    store_report,
    stores_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock


def step_to_store(options: Mapping[str, t.Any], clock: Clock, *, check_mode: bool) -> Step:
    """Take a step towards the store, or its absence, that ``options`` ask for; check mode writes nothing."""
    folder = BundleFolder(Path(options["path"]).absolute())
    index = folder.require_index()
    if options["state"] == "absent":
        return _absent(folder, index, clock, check_mode=check_mode)
    order = StoreOrder(
        path=str(folder.path),
        filesystem=options["filesystem"],
        compression=options["compression"],
        bases=tuple(str(Path(base).absolute()) for base in options["bases"]),
        scratch=str(Path(options["scratch"]).absolute()),
        signing_key=options["signing_key"] and str(Path(options["signing_key"]).absolute()),
    )
    if check_mode:
        return _forecast(order, index)
    require_root()
    return _job(order, folder, clock, options["signing_passphrase"])


def _job(order: StoreOrder, folder: BundleFolder, clock: Clock, passphrase: str | None) -> Step:
    work = FunctionWork.of(build_store, order={**asdict(order), "bases": list(order.bases)})
    step = BundleJobs(clock).step(
        "store",
        folder.path.resolve(),
        work,
        is_current=lambda result: _is_still(folder, result),
        secrets={"signing_passphrase": passphrase} if passphrase else None,
    )
    if step.result is None:
        return Step(step.sentence, done=False, next_delay=step.next_delay, warnings=step.warnings)
    index, result = folder.require_index(), step.result
    store = store_report(index, next(one for one in index.stores if str(one.digest) == result["store"]))
    return Step(
        f"the bundle of {index.version} has the image store {result['store']}, index {index.digest}",
        done=True,
        changed=result["changed"],
        objects={"store": {**store, "merged": result["merged"]}, "bundle": _bundle(folder, index)},
        actions=[{"action": "build", "store": result["store"]}] if result["changed"] else [],
        diff=_difference([], [result["store"]]) if result["changed"] else None,
    )


def _forecast(order: StoreOrder, index: BundleIndex) -> Step:
    form = StoreFormat.of(order.filesystem, order.compression)
    chain = chain_over([BundleFolder(Path(base)).require_index() for base in order.bases], form)
    is_there = kept_store(index, form, chain) is not None
    seen = {
        "filesystem": form.filesystem,
        "compression": form.compression,
        "base": str(chain.stores[0].digest) if chain.stores else None,
        "depth": chain.depth,
        "merged": chain.merged,
    }
    said = "the image store exists" if is_there else "an image store would be created"
    actions = [] if is_there else [{"action": "build", "store": seen}]
    diff = None if is_there else _difference([], [seen])
    return Step(said, is_there, not is_there, {"forecast": seen}, actions, diff)


def _absent(folder: BundleFolder, index: BundleIndex, clock: Clock, *, check_mode: bool) -> Step:
    gone = [str(store.digest) for store in index.stores]
    after = without_stores(index)
    if gone and not check_mode:
        with worked_in(folder, clock):
            publish_bundle(folder, after, NoProgress())
            folder.write_index_signature(None)
    said = f"the bundle of {index.version} has no image store"
    actions = [{"action": "remove", "stores": gone}] if gone else []
    diff = _difference(gone, []) if gone else None
    return Step(said, True, bool(gone), {"bundle": _bundle(folder, after)}, actions, diff)


def _difference(before: Sequence[t.Any], after: Sequence[t.Any]) -> dict[str, t.Any]:
    return {"before": {"stores": list(before)}, "after": {"stores": list(after)}}


def _bundle(folder: BundleFolder, index: BundleIndex) -> dict[str, t.Any]:
    names = {"path": str(folder.path), "index_digest": str(index.digest), "folder_name": index.folder_name}
    signed = folder.index_bytes() == index.as_bytes() and folder.index_signature() is not None
    return {**names, "version": index.version, "size": index.size, "signed": signed, "stores": stores_report(index)}


def _is_still(folder: BundleFolder, result: Mapping[str, t.Any]) -> bool:
    index = folder.last_index()
    if index is None or str(index.digest) != result.get("index_digest"):
        return False
    digest = Digest.parse(result["store"])
    return digest in index.blobs and folder.has(digest, index.blobs[digest].size)
