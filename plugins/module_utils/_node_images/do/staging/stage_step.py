# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One step towards a bundle that is, or is not, on a node."""

from __future__ import annotations

import typing as t
from collections.abc import Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.receive_blobs import PATIENCE
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.follow_job import (
    forget_job,
    report_failure,
    running,
    start_job,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.leftovers import (
    Leftovers,
    ReclaimOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media.media_mounts import keep_media
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_storage import require_space
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import (
    create_folder,
    record_selection,
    recorded_selection,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.pace import UNLIMITED, Pace
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_bundle import (
    Staging,
    bundle_document,
    forecast,
    look_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_job import stage_blobs
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.staging_order import (
    StagingOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.forecast import Verdict
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size


def ensure_staged(
    host: Host,
    order: StagingOrder,
    *,
    keep_free_percent: int | None = None,
    reclaim: ReclaimOrder | None = None,
    check_mode: bool,
    deadline: Deadline,
    patience: float = PATIENCE,
    pace: Pace = UNLIMITED,
    start: bool = True,
) -> Step:
    """Take one step: check that the bundle is complete, return the progress of its job, or start it.

    In check mode what ``reclaim`` would remove counts as gone. Nothing is written unless everything fits, the images'
    own storage included. Without ``start`` no job is started: only the folder of the bundle is there afterwards, for a
    relay that serves what will be received. Raises NotEnoughSpaceError, NoSourceError, WrongContentError,
    JobFailedError and what the doors raise.
    """
    job = running(host, order.job_id, deadline)
    if job is not None:
        return _under_way(job)
    bounds = {"patience": patience, "etcd_limit": pace.etcd_limit}
    work = FunctionWork.of(stage_blobs, host_root=str(host.root), order=order.arguments(), **bounds)
    earlier = () if check_mode else report_failure(host, order.job_id, work, deadline)
    staging = _first_look(host, order, deadline, check_mode=check_mode)
    if staging.state.is_complete:
        ended = _complete(host, staging, None if check_mode else forget_job(host, order.job_id, deadline))
        return replace(_selected(ended, staging, order.images, check_mode=check_mode), warnings=earlier)
    leftovers = Leftovers.on(host, reclaim, staging.index, deadline, check_mode=check_mode)
    verdicts = forecast(host, staging, order.images, keep_free_percent, leftovers.leaving)
    require_space(verdicts, leftovers.staying)
    begun = _started(staging, verdicts, leftovers.objects, earlier)
    if check_mode:
        return begun
    create_folder(staging.folder, staging.content)
    record_selection(staging.folder, order.images)
    secrets, limits = order.secrets(), pace.limits
    if not start or not start_job(host, order.job_id, work, deadline=deadline, secrets=secrets, limits=limits):
        return begun
    ended = _complete(host, look_at(host, order, deadline), forget_job(host, order.job_id, deadline))
    objects = {**begun.objects, **ended.objects}
    return replace(
        ended, changed=True, objects=objects, actions=begun.actions, diff=begun.diff, warnings=begun.warnings
    )


def _first_look(host: Host, order: StagingOrder, deadline: Deadline, *, check_mode: bool) -> Staging:
    if not check_mode:
        keep_media(host, [one for one in (order.src, *order.parts) if one])
    return look_at(host, order, deadline)


def _selected(ended: Step, staging: Staging, images: Sequence[str], *, check_mode: bool) -> Step:
    """Record for which ``images`` a complete bundle is staged; return the step with that change, if it is one."""
    before, after = list(recorded_selection(staging.folder)), sorted(set(images))
    if before == after:
        return ended
    if not check_mode:
        record_selection(staging.folder, after)
    action = {"action": "select", "bundle": staging.index.folder_name, "images": len(after)}
    diff = {"before": {"selection": before}, "after": {"selection": after}}
    return replace(ended, changed=True, actions=(action,), diff=diff)


def _under_way(job: JobStatus) -> Step:
    return Step(job.sentence, done=False, objects={"job": _job_document(job)})


def _started(
    staging: Staging, verdicts: tuple[Verdict, ...], objects: dict[str, t.Any], earlier: tuple[str, ...]
) -> Step:
    state = staging.state
    action = {
        "action": "stage",
        "bundle": staging.index.folder_name,
        "blobs": len(state.missing),
        "size": state.missing_size,
    }
    sentence = f"bundle {staging.index.folder_name}: {format_size(state.missing_size)} are missing"
    return Step(
        sentence,
        done=False,
        changed=True,
        objects={**objects, "forecast": [verdict.as_document() for verdict in verdicts]},
        actions=(action,),
        diff={
            "before": {"staged_blobs": len(state.blobs) - len(state.missing)},
            "after": {"staged_blobs": len(state.blobs)},
        },
        next_delay=2.0,
        warnings=(*earlier, *(one for verdict in verdicts for one in verdict.warnings)),
    )


def _complete(host: Host, staging: Staging, received: t.Any) -> Step:
    state = staging.state
    sentence = f"bundle {staging.index.folder_name} is complete: {len(state.blobs)} blobs, {format_size(state.size)}"
    objects = {"bundle": bundle_document(host, staging), "received": received or {}}
    return Step(sentence, done=state.is_complete, objects=objects)


def _job_document(job: JobStatus) -> dict[str, t.Any]:
    return {
        "id": job.job_id,
        "state": job.state.value,
        "sentence": job.sentence,
        "unit": job.unit,
        "started": job.started,
        "progress": vars(job.progress),
    }
