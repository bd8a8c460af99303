# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The job that downloads the blobs of a bundle to a node."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_proofs import (
    read_proofs,
    write_proofs,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.connected_volumes import ConnectedVolumes
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.receive_blobs import (
    PATIENCE,
    BlobReceiver,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_names import link_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import LONGEST
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.probe_sources import answering_first
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    STAGED_MODE,
    staged_folders,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.etcd_gate import (
    GatedProgress,
    etcd_gate,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_bundle import (
    Staging,
    look_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.staging_order import (
    StagingOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import NotStagedError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.missing_blobs import StagingState
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import select_staged
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter

_ASKING = 10.0
"""Seconds in which a relay says which drive it lacks."""


def stage_blobs(
    *,
    host_root: str,
    order: Mapping[str, t.Any],
    patience: float = PATIENCE,
    etcd_limit: float = 0.0,
    progress: ProgressReporter,
    secrets: Mapping[str, str] | None = None,
) -> dict[str, t.Any]:
    """Fetch what is missing of a bundle whose folder and index are there: the work of the job.

    It pauses while flushes of the node's etcd take more than ``etcd_limit`` seconds. Returns counts and sizes. Raises
    what ``BlobReceiver`` and ``look_at`` raise; all that was received is kept.
    """
    host = Host(SystemClock(), Path(host_root))
    wanted = StagingOrder.of(order, secrets or {})
    deadline = Deadline(LONGEST, host.clock)
    staging = look_at(host, wanted, deadline)
    shared = _link_from_others(host, staging, wanted.images)
    state = look_at(host, wanted, deadline).state
    _require_reachable(state, staging)
    shown = GatedProgress(progress, host.clock, f"bundle {staging.index.folder_name}: staged", state.size)
    shown.gate = gate = etcd_gate(host, etcd_limit, shown.say)
    shown.there(state.size - sum(blob.size for blob in state.missing))
    receiver = _received(host, wanted, staging, state, shown, deadline, patience)
    _record_proofs(host, staging, [blob.digest for blob in state.missing])
    return {
        "linked_blobs": shared,
        "received_blobs": len(state.missing),
        "received_size": receiver.received,
        "by_source": dict(receiver.by_source),
        "seconds": round(deadline.elapsed, 1),
        **gate.as_result(),
    }


def _received(
    host: Host,
    wanted: StagingOrder,
    staging: Staging,
    state: StagingState,
    shown: GatedProgress,
    deadline: Deadline,
    patience: float,
) -> BlobReceiver:
    """Download what is missing and return the receiver."""
    sources = wanted.open_sources(host)
    connected = ConnectedVolumes.of(wanted.folders(host), staging.index)
    try:
        receiver = BlobReceiver(
            staging.folder,
            answering_first(sources, wanted.digest, host.clock),
            deadline,
            shown,
            patience=patience,
            mode=STAGED_MODE,
            owner=staging.index.owner_of,
            fallbacks=[connected.parity_sources([staging.folder])] if connected is not None else (),
        )
        receiver.receive(state.missing)
    except NoSourceError as error:
        connected = connected or ConnectedVolumes.elsewhere_by(sources, staging.index, deadline.within(_ASKING))
        if connected is None:
            raise
        lacking = staging.folder.lacking(state.blobs)
        raise connected.explained(error, lacking, state.size, staging.index.folder_name) from error
    finally:
        for source in sources:
            source.close()
    return receiver


def _link_from_others(host: Host, staging: Staging, images: Sequence[str]) -> int:
    """Link blobs of other staged bundles on this node into this one; return how many.

    A delta gets those of its base as well: it serves and restores its images alone then, also when the base is gone.
    """
    own = staging.folder.sizes()[0]
    wanted: dict[str, int | None] = {blob.digest.hex: blob.size for blob in staging.state.missing}
    for image in select_staged(staging.index, images):
        for digest in image.blobs():
            if digest not in staging.index.blobs and digest.hex not in own:
                wanted[digest.hex] = None
    linked = 0
    for other in staged_folders(host):
        named = other.sizes()[0] if other.path != staging.folder.path else {}
        for name, size in wanted.items():
            if name in named and size in (None, named[name]):
                linked += link_file(other.blobs / name, staging.folder.blobs / name)
    return linked


def _record_proofs(host: Host, staging: Staging, received: Sequence[Digest]) -> None:
    """Record the blobs that were verified here, and what other bundles have recorded of linked blobs."""
    known: dict[str, tuple[int, ...]] = {}
    for folder in staged_folders(host):
        known.update(read_proofs(folder))
    write_proofs(staging.folder, received, known)


def _require_reachable(state: StagingState, staging: Staging) -> None:
    if not state.unreachable:
        return
    raise NotStagedError(
        "complete the bundle",
        on=staging.index.folder_name,
        seen=f"it is a delta, and {len(state.unreachable)} blobs of its base {staging.index.base} are not on this node",
        advice="Stage the base bundle first, or use a full bundle.",
        partial={"unreachable_blobs": [str(digest) for digest in state.unreachable]},
    )
