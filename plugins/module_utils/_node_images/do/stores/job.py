# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The job that brings the file of a store to a node, and mounts and proves it there: so all nodes do so at once."""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.receive_blobs import BlobReceiver
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.transfer_progress import TransferProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import LONGEST
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.follow_job import (
    forget_job,
    report_failure,
    start_job,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_storage import (
    judge_space,
    require_space,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.probe_sources import answering_first
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    STAGED_MODE,
    create_folder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_bundle import look_at
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.files import StoreFiles, job_id
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.proof import StoreProof
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.request import StoreRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.forecast import Need, Verdict
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import StoreRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size


@dataclass(frozen=True)
class Receiving:
    """A file that is transferred to this node and fits according to ``verdicts``."""

    sentence: str
    verdicts: tuple[Verdict, ...] = ()
    warnings: tuple[str, ...] = ()


def ensure_received(
    files: StoreFiles, request: StoreRequest, record: StoreRecord, deadline: Deadline
) -> Receiving | None:
    """Let a job bring the file, which no job does yet; return where it stands, None once the file has its name.

    Raises NotEnoughSpaceError, JobFailedError, and ImageStoreError where no source is set.
    """
    host, order, name = files.host, request.order, job_id(request.order.digest)
    work = FunctionWork.of(bring_store, host_root=str(host.root), store=str(record.store.digest), **request.arguments())
    earlier = report_failure(host, name, work, deadline)
    if not order.src and not order.sources:
        raise ImageStoreError(
            "find the file of the image store",
            on=str(record.store.digest),
            seen="it is not staged on this node, and neither src nor sources are set",
            advice="Set a bundle folder or a relay that contains it, or load the images.",
        )
    need = Need("the image store", host.as_seen_by_host(files.folder.path), record.size)
    verdicts = judge_space(host, [need], request.keep_free_percent)
    require_space(verdicts)
    create_folder(files.folder, files.content)
    if start_job(host, name, work, deadline=deadline, secrets=order.secrets()) and files.place(record):
        forget_job(host, name, deadline)
        return None
    warnings = (*earlier, *(one for verdict in verdicts for one in verdict.warnings))
    return Receiving(f"receiving the image store, {format_size(record.size)}", verdicts, warnings)


def bring_store(
    *,
    host_root: str,
    order: Mapping[str, t.Any],
    proof: Mapping[str, t.Any],
    store: str,
    progress: ProgressReporter,
    secrets: Mapping[str, str] | None = None,
) -> dict[str, t.Any]:
    """Receive one store of a bundle whose folder and index are there, verified, then mount it: the work of the job.

    What to report of a node that cannot use it is left to the step that follows, which tries once more.
    """
    host = Host(SystemClock(), Path(host_root))
    request, deadline = StoreRequest.read(order, proof, secrets or {}), Deadline(LONGEST, host.clock)
    staging = look_at(host, request.order, deadline)
    blob = staging.index.blobs[Digest.parse(store)]
    sources = request.order.open_sources(host)
    try:
        nearest = answering_first(sources, request.order.digest, host.clock)
        receiver = BlobReceiver(
            staging.folder,
            nearest,
            deadline,
            TransferProgress(progress, host.clock, "image store: received", blob.size),
            mode=STAGED_MODE,
        )
        receiver.receive([blob])
    finally:
        for source in sources:
            source.close()
    received = {"received": receiver.received, "seconds": round(deadline.elapsed, 1)}
    files = StoreFiles(host, staging.index, staging.content, staging.folder)
    record = next(StoreRecord.of(files.index, one) for one in files.index.stores if one.digest == blob.digest)
    progress.report("the image store was received, and is being verified, mounted and tested")
    with contextlib.suppress(ImageStoreError):
        _mount(files, request, record, deadline)
    return received


def _mount(files: StoreFiles, request: StoreRequest, record: StoreRecord, deadline: Deadline) -> None:
    files.place(record)
    state = StoreProof(files, request, deadline).step(record)
    while not state.done:
        deadline.pause(state.next_delay)
        state = StoreProof(files, request, deadline).step(record)
