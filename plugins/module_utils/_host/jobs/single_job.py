# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The jobs of this collection on a host, and one the job of which a host has at most one: started and collected."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import (
    JobConflictError,
    JobFailedError,
    JobStatusError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import LONGEST, Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobState, JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

JOBS = "/var/lib/fieldops/jobs"

FRESH_SECONDS = 60.0
"""An end longer ago than this may belong to another run of the play: a failure is a warning then, and tried again."""


def jobs_of(host: Host) -> Jobs:
    """Return the jobs of this collection on ``host``."""
    return Jobs(host, host.path(JOBS))


def was_asked_for(host: Host, job_id: str, work: FunctionWork) -> bool:
    """Whether the last run of the job did this very ``work``."""
    try:
        return JobDirectory.below(host.path(JOBS), job_id).read_request().work == work
    except JobStatusError:
        return False


def is_fresh(host: Host, status: JobStatus) -> bool:
    """Whether the job has ended so recently that its end belongs to this run of the play."""
    finished = datetime.strptime(status.finished or status.updated, "%Y-%m-%dT%H:%M:%SZ")
    return abs((host.clock.utcnow() - finished.replace(tzinfo=timezone.utc)).total_seconds()) <= FRESH_SECONDS


def warning_of(failed: JobStatus) -> str:
    """Return the warning about a failure that no play has reported and that does not end this one."""
    try:
        failed.require_success()
    except JobFailedError as error:
        return f"The job {failed.job_id} failed at {failed.finished or failed.updated}, and is started again: {error}"
    return ""


class SingleJob:
    """The job ``job_id`` on ``host``; ``attempted`` describes its work, for the error that another one runs already.

    ``warnings`` are about a failure that ``collect`` has found and not raised.
    """

    def __init__(self, host: Host, job_id: str, work: FunctionWork, attempted: str, deadline: Deadline) -> None:
        self._host = host
        self._id = job_id
        self._work = work
        self._attempted = attempted
        self._deadline = deadline
        self._jobs = jobs_of(host)
        self.warnings: tuple[str, ...] = ()

    def running(self, patience: float = 0.0) -> JobStatus | None:
        """Return the job if it runs now, for whichever request, and still does after ``patience`` seconds.

        Raises JobConflictError when that is another request than this one.
        """
        status = self._jobs.poll(self._id, deadline=self._deadline)
        if status is None or status.is_finished:
            return None
        if not self._is_ours():
            raise JobConflictError(
                self._attempted,
                on=str(self._host),
                seen=f"a job with another request has been running since {status.started}: {status.sentence}",
                advice="Wait until it ends, or check who started it.",
                partial={"job": status.to_document()},
                transient=True,
            )
        watched = self._jobs.wait(self._id, deadline=self._deadline.within(patience))
        return None if watched is None or watched.is_finished else watched

    def collect(self) -> t.Any:
        """Return the result of a run of this very work that has just succeeded, None without one.

        Raises JobFailedError once if it has just failed. An older failure is reported once in ``warnings``.
        """
        status = self._jobs.poll(self._id, deadline=self._deadline)
        if status is None or status.state not in (JobState.SUCCEEDED, JobState.FAILED):
            return None
        counts = self._is_ours() and is_fresh(self._host, status)
        if counts or status.state is JobState.FAILED:
            self._jobs.collect(self._id, deadline=self._deadline)
        if counts:
            return status.require_success()
        self.warnings = (warning_of(status),) if status.state is JobState.FAILED else ()
        return None

    def start(self, secrets: Mapping[str, str] | None = None, max_seconds: float = LONGEST) -> None:
        """Start the work once more; after a kill or a power cut it continues from the state of the host."""
        self._jobs.start(
            self._id, self._work, deadline=self._deadline, restart=True, secrets=secrets, max_seconds=max_seconds
        )

    def _is_ours(self) -> bool:
        return was_asked_for(self._host, self._id, self._work)
