# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Staging a bundle on a node: what is missing, and whether it fits."""

from __future__ import annotations

import contextlib
import os
import typing as t
from collections.abc import Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import IndexSource
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import (
    BundleFolder,
    verified_index,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_storage import (
    SPOOL,
    Storage,
    judge_space,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    folder_for,
    held_by_others,
    staged_folder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.staging_order import (
    StagingOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import NotStagedError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.forecast import (
    Verdict,
    bundle_need,
    spool_need,
    storage_need,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.missing_blobs import (
    StagingState,
    staging_state,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.reclaim import (
    NOTHING_LEAVES,
    ReclaimPlan,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import (
    select_images,
    select_staged,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError, InvalidInputError


@dataclass(frozen=True)
class Staging:
    """A bundle that is being staged on a node: its index, its folder and its state."""

    index: BundleIndex
    content: bytes = field(repr=False)
    folder: BundleFolder
    state: StagingState


def look_at(host: Host, order: StagingOrder, deadline: Deadline) -> Staging:
    """Return the state of the bundle on this host; the index comes from the first source if it is not here yet.

    Raises NoSourceError with the error of each source, WrongContentError, InvalidInputError for a bundle for other
    machines, and what reading raises.
    """
    content = _index_here(host, order)
    if content is None:
        content = _index_from_sources(host, order, deadline)
    index = verified_index(content, order.digest, "the bundle")
    _require_machine(index, os.uname().machine)
    folder = folder_for(host, index)
    state = staging_state(index, select_staged(index, order.images), *folder.sizes())
    return Staging(index, content, folder, state)


def _require_machine(index: BundleIndex, machine: str) -> None:
    names = [one.release for one in index.architectures]
    if machine not in names:
        raise InvalidInputError(
            "stage the bundle",
            on=index.folder_name,
            seen=f"its images are for {', '.join(names)}, and this node is {machine}",
            advice=f"Use a bundle for {machine}, or one for all architectures of the site.",
        )


def forecast(
    host: Host,
    staging: Staging,
    images: Sequence[str],
    keep_free_percent: int | None,
    leaving: ReclaimPlan = NOTHING_LEAVES,
) -> tuple[Verdict, ...]:
    """Return whether bundle and images will fit, for each file system that they go to, once ``leaving`` is gone."""
    storage = Storage.of(host)
    chosen = select_images(staging.index, images)
    stored = leaving.after(storage.read(host))
    folder = host.as_seen_by_host(staging.folder.path)
    held = held_by_others(host, staging.folder, [one.folder for one in leaving.bundles])
    needs = [
        *leaving.gains(storage.root, folder),
        bundle_need(staging.state.without(held), folder),
        storage_need(staging.index, chosen, stored, storage.root),
        spool_need(staging.index, chosen, stored, SPOOL),
    ]
    return judge_space(host, needs, keep_free_percent)


def bundle_document(host: Host, staging: Staging) -> dict[str, t.Any]:
    """Return the bundle as results show it."""
    index = staging.index
    return {
        "version": index.version,
        "architecture": index.architecture.release,
        "index_digest": str(index.digest),
        "release": str(index.release),
        "base": str(index.base) if index.base else None,
        "folder": host.as_seen_by_host(staging.folder.path),
        "images": sum(image.is_image for image in index.images),
        "files": sum(not image.is_image for image in index.images),
        **staging.state.as_document(),
    }


def _index_here(host: Host, order: StagingOrder) -> bytes | None:
    try:
        content = staged_folder(host, order.digest).index_bytes()
    except NotStagedError:
        return None
    if content is None:
        return None
    try:
        verified_index(content, order.digest, "the staged bundle")
    except FieldOpsError:
        # A damaged index is fetched again; its blobs are judged by the new one.
        return None
    return content


def _index_from_sources(host: Host, order: StagingOrder, deadline: Deadline) -> bytes:
    reasons = []
    for source in order.open_sources(host):
        with contextlib.closing(source):
            found = _asked_for_index(source, order, deadline)
        if isinstance(found, bytes):
            return found
        reasons.append(found)
    if len(reasons) == 1:
        raise reasons[0]
    raise NoSourceError(
        "fetch the index of the bundle",
        on=str(order.digest),
        seen="; ".join(f"{error.on}: {error.seen}" for error in reasons) or "no source is set",
        advice="Set a source of this bundle in sources or src, and check that the node can reach it.",
        transient=any(error.transient for error in reasons),
    )


def _asked_for_index(source: IndexSource, order: StagingOrder, deadline: Deadline) -> bytes | FieldOpsError:
    try:
        content = source.index_content(deadline)
        verified_index(content, order.digest, source.name)
    except FieldOpsError as error:
        return error
    return content
