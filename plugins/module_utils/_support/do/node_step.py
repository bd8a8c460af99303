# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One bounded step towards the archive of a node: start the job, follow it, and say where the archive is."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import JobStatusError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.single_job import JOBS, jobs_of
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobState, JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._host.regular_file import regular_size
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.node_archive import (
    ARCHIVE,
    make_node_archive,
    remove_node_archive,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size

STEP_SECONDS = 60.0
JOB_ID = "support-data"
MADE = {"before": {"archive": ""}, "after": {"archive": ARCHIVE}}
BOUNDS = {"hours": 24 * 366, "limit_mib": 1024, "timeout": 24 * 3600}


def node_support_step(host: Host, params: Mapping[str, t.Any], *, check_mode: bool) -> Step:
    """Take one step towards what the module's ``params`` ask for.

    The job of a run is done once, however long ago: nodes are followed one after another. That of another run is
    waited for. Raises JobFailedError once, FileAccessError, DiskFullError, InvalidInputError.
    """
    require_bounds(params, BOUNDS)
    deadline = Deadline(STEP_SECONDS, host.clock)
    jobs = jobs_of(host)
    job = jobs.poll(JOB_ID, deadline=deadline)
    is_ours = job is not None and _run_of_job(host) == params["run"]
    if params["state"] == "absent":
        return _removed(host, job if is_ours else None, deadline, check_mode=check_mode)
    if job is not None and not job.is_finished:
        return _running(job)
    is_there = regular_size(host.path(ARCHIVE)) is not None
    if job is not None and is_ours and is_there and job.state is JobState.SUCCEEDED:
        return _collected(job.result)
    if check_mode:
        return Step("Would collect support data", done=False, changed=True, actions=(), diff=MADE)
    if job is not None and is_ours:
        jobs.collect(JOB_ID, deadline=deadline)
        job.require_success()
    given = {name: params[name] for name in ("run", "hours", "limit_mib")}
    work = FunctionWork.of(make_node_archive, host_root=str(host.root), **given)
    jobs.start(JOB_ID, work, deadline=deadline, restart=True, max_seconds=params["timeout"])
    sentence, objects = "Started to collect support data", {"job": {"id": JOB_ID}}
    return Step(sentence, done=False, changed=True, objects=objects, actions=(), diff=MADE, next_delay=1.0)


def _run_of_job(host: Host) -> str:
    """Return the run that the job belongs to, nothing where that cannot be read."""
    try:
        work = JobDirectory.below(host.path(JOBS), JOB_ID).read_request().work
    except JobStatusError:
        return ""
    return str(work.arguments.get("run")) if isinstance(work, FunctionWork) else ""


def require_bounds(params: Mapping[str, t.Any], bounds: Mapping[str, int]) -> None:
    """Raise InvalidInputError unless each of the ``bounds`` holds for the option of its name."""
    for name, most in bounds.items():
        if not 1 <= params[name] <= most:
            raise InvalidInputError(
                "collect support data", on=name, seen=f"it is {params[name]}", advice=f"Set 1 to {most}."
            )


def _removed(host: Host, job: JobStatus | None, deadline: Deadline, *, check_mode: bool) -> Step:
    """Remove the archive of the run that ``job`` did or does; that of another one is not ours to remove."""
    is_there = job is not None and (not job.is_finished or regular_size(host.path(ARCHIVE)) is not None)
    if job is not None and not check_mode:
        jobs = jobs_of(host)
        jobs.cancel(JOB_ID, deadline=deadline)
        jobs.collect(JOB_ID, deadline=deadline)
        remove_node_archive(host)
    sentence = "The archive was removed" if is_there else "This run has no archive"
    diff = {"before": MADE["after"], "after": MADE["before"]} if is_there else None
    return Step(sentence, done=True, changed=is_there, actions=(), diff=diff)


def _collected(ended: Mapping[str, t.Any]) -> Step:
    archive = {name: ended[name] for name in ("path", "size", "parts")}
    missing = ended["missing"]
    lacking = f", {len(missing)} of them are missing" if missing else ""
    return Step(
        f"Collected {archive['parts']} parts{lacking}, {format_size(archive['size'])} in total",
        done=True,
        objects={"archive": archive, "missing": missing},
        actions=(),
    )


def _running(job: JobStatus) -> Step:
    document = {"id": job.job_id, "state": job.state.value, "unit": job.unit, "started": job.started}
    return Step(job.sentence, done=False, objects={"job": document}, actions=(), next_delay=2.0)
