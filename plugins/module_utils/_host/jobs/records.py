# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What other processes write about a job: before it starts, and after an end without a report."""

from __future__ import annotations

from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.backends import Observation
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import (
    JobLostError,
    JobStatusError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import JobRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import (
    JobState,
    JobStatus,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import boot_id


def queued(request: JobRequest, unit: str | None, now: str) -> JobStatus:
    """Return the status of a run that is about to be started."""
    return JobStatus(
        job_id=request.job_id,
        run_id=request.run_id,
        state=JobState.QUEUED,
        sentence="Waiting for its process to start.",
        backend=request.backend,
        unit=unit,
        created=now,
        updated=now,
    )


def unreadable(job: JobDirectory, problem: JobStatusError, now: str) -> JobStatus:
    """Return what can be said of a job whose status file is absent or damaged, as of one that may still run."""
    try:
        request = job.read_request()
        run_id, backend = request.run_id, request.backend
    except JobStatusError:
        run_id, backend = "", "detached"
    return JobStatus(
        job_id=job.path.name,
        run_id=run_id,
        state=JobState.RUNNING,
        sentence=f"Its status cannot be read: {problem.seen}",
        backend=backend,
        created=now,
        updated=now,
    )


def concluded(job: JobDirectory, status: JobStatus, seen: Observation, now: str) -> JobStatus:
    """Return the final status of a run that has ended without a report: it is lost."""
    error = _loss(job, status, seen)
    return replace(status, state=JobState.LOST, sentence=error.seen, finished=now, updated=now, error=error.as_data())


def _loss(job: JobDirectory, status: JobStatus, seen: Observation) -> JobLostError:
    printed = job.log_end()
    return JobLostError(
        f"finish the job {status.job_id}",
        on="this host",
        seen=f"{_cause(status)}{f' ({seen.seen})' if seen.seen else ''}; last status: {status.sentence}",
        advice="Check its output for details, then start the job again. It continues from what it has finished.",
        partial={"job_progress": vars(status.progress), "output": printed},
    )


def _cause(status: JobStatus) -> str:
    process = status.process
    if status.started is None:
        return "it ended before its work started"
    if process is None:
        return "its process ended without a report"
    if process.boot_id != boot_id():
        return "the host was restarted while it ran"
    return f"its process {process.pid} ended without a report (killed, out of memory or disk full)"
