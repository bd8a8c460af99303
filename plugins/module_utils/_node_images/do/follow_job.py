# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One bounded step with a job: start it, start it again, or return its progress."""

from __future__ import annotations

import contextlib
import re
import typing as t
from collections.abc import Iterator, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_private_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import JobConflictError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.io_limits import IoLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.single_job import (
    JOBS,
    is_fresh,
    jobs_of,
    warning_of,
    was_asked_for,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobState, JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import locked
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import OtherBundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

_BUNDLE_JOB = re.compile(r"(stage|load|store)-[0-9a-f]+")


def running(host: Host, job_id: str, deadline: Deadline) -> JobStatus | None:
    """Return the job if it runs, with any arguments: it does the same."""
    status = jobs_of(host).poll(job_id, deadline=deadline)
    return status if status is not None and not status.is_finished else None


def report_failure(host: Host, job_id: str, work: FunctionWork, deadline: Deadline) -> tuple[str, ...]:
    """Raise JobFailedError once if the last run of this very ``work`` has just failed.

    Another failure, which may be that of an earlier play, or of this one while it followed other nodes, is returned
    once as a warning. In either case its records are removed, so that the next step starts again. A run that was lost
    (power cut, reboot) has not failed.
    """
    jobs = jobs_of(host)
    known = jobs.poll(job_id, deadline=deadline)
    if known is None or known.state is not JobState.FAILED:
        return ()
    counts = is_fresh(host, known) and was_asked_for(host, job_id, work)
    jobs.collect(job_id, deadline=deadline)
    if counts:
        known.require_success()
    return (warning_of(known),)


def start_job(
    host: Host,
    job_id: str,
    work: FunctionWork,
    *,
    deadline: Deadline,
    secrets: Mapping[str, str] | None = None,
    limits: IoLimits | None = None,
) -> bool:
    """Start the job again and return whether it is done already.

    Raises JobFailedError if it has failed already, and OtherBundleError, which is transient, while a job works on
    another bundle: both would count on the same free space.
    """
    jobs = jobs_of(host)
    ensure_private_directory(host.path(JOBS))
    with _one_by_one(host, deadline):
        _refuse_other_bundle(host, job_id, deadline)
        try:
            begun = jobs.start(job_id, work, deadline=deadline, restart=True, secrets=secrets, limits=limits)
        except JobConflictError:
            # Another play was quicker. Its job does the same to the same thing, if with other sources.
            return False
    report_failure(host, job_id, work, deadline)
    return begun.state is JobState.SUCCEEDED


def forget_job(host: Host, job_id: str, deadline: Deadline) -> t.Any:
    """Remove the records of a finished job and return its result, None if there is none."""
    status = jobs_of(host).collect(job_id, deadline=deadline)
    return status.result if status is not None else None


@contextlib.contextmanager
def _one_by_one(host: Host, deadline: Deadline) -> t.Iterator[None]:
    path = host.path(JOBS) / ".start.lock"
    with locked(path, deadline):
        yield
        remove_file(path)


def bundle_jobs(host: Host, deadline: Deadline) -> Iterator[JobStatus]:
    """Yield the running jobs that process a bundle."""
    with contextlib.suppress(FileNotFoundError):
        for path in sorted(host.path(JOBS).iterdir()):
            job = running(host, path.name, deadline) if _BUNDLE_JOB.fullmatch(path.name) else None
            if job is not None:
                yield job


def _refuse_other_bundle(host: Host, job_id: str, deadline: Deadline) -> None:
    bundle = job_id.rpartition("-")[2]
    for job in bundle_jobs(host, deadline):
        if job.job_id.rpartition("-")[2] != bundle:
            raise OtherBundleError(
                f"start the job {job_id}",
                on="this node",
                seen=f"the job {job.job_id} of another bundle runs since {job.started or job.created}: {job.sentence}",
                advice="It is tried again until the deadline. Stage one bundle at a time on a node.",
                transient=True,
            )
