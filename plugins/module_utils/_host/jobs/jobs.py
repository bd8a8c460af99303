# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Long work that outlives the module that requested it: started, polled, cancelled and collected in bounded steps."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import (
    ensure_private_directory,
    remove_tree,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.backends import watch
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import (
    JobConflictError,
    JobStatusError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.io_limits import IoLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.launcher import JobLauncher
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.records import concluded, unreadable
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork, JobRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobState, JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.systemd import is_in_charge
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import FileLock, locked
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

LONGEST = 24 * 3600.0
"""Seconds that a job may take by default."""

GRACE = 10.0
"""Seconds between SIGTERM and SIGKILL for the processes of a job."""


class Jobs:
    """The jobs whose directories are below ``base`` on ``host``.

    Every method is one bounded step. A job is alive exactly as long as its process holds the lock in its directory,
    or, where systemd keeps a command, as long as its unit is active; nothing is concluded from the age of a file.
    A caller that starts, ends or removes a job holds its gate, so any number of callers may do so at the same time. No
    process of a job outlives its cancellation, restart or collection; work must leave daemons to systemd.
    """

    def __init__(self, host: Host, base: Path, *, systemd: bool | None = None) -> None:
        """``systemd`` says whether to use the host's; by default it is used where it is in charge and we are root."""
        self._clock = host.clock
        self._base = base
        self._launcher = JobLauncher(host, os.geteuid() == 0 and is_in_charge(host) if systemd is None else systemd)

    def start(
        self,
        job_id: str,
        work: FunctionWork,
        *,
        deadline: Deadline,
        restart: bool = False,
        secrets: Mapping[str, str] | None = None,
        max_seconds: float = LONGEST,
        limits: IoLimits | None = None,
    ) -> JobStatus:
        """Make sure that ``work`` is being done, or was done, under ``job_id`` and return its status.

        The same request (work and names of secrets) is not done twice: a running job is returned as it is, and so is
        a finished one unless ``restart``. A job that was lost before it began, or whose records are damaged, is started
        again. Another request takes the place of a finished job; that of a running one is a JobConflictError. A
        deadline that ends before the job has started returns it as "queued". ``secrets`` reach the function
        as its argument ``secrets`` and are written nowhere. ``limits`` bound its disk.

        Raises JobError, InvalidInputError, FileAccessError, MissingRequirementError, DeadlineExceededError.
        """
        job = JobDirectory.below(self._base, job_id)
        request = self._launcher.request(job, work, max_seconds, secrets or {})
        ensure_private_directory(self._base)
        with self._gate(job, deadline):
            known = self._current(job, deadline)
            if known is not None and _stays(job, known, request, restart=restart):
                return known
            if known is not None:
                self._remove(job, known, deadline)
            self._launcher.launch(job, request, secrets or {}, deadline, limits)
        return self._begun(job, deadline)

    def poll(self, job_id: str, *, deadline: Deadline) -> JobStatus | None:
        """Return what is known of the job now, None when there is no such job.

        A job whose process is gone without a report (killed, power cut) is "lost" from then on.
        """
        job = JobDirectory.below(self._base, job_id)
        is_held = FileLock.is_held(job.life)
        with contextlib.suppress(JobStatusError):
            status = job.read_status()
            if is_held or status.is_finished:
                return status
        if not job.exists:
            return None
        with self._gate(job, deadline):
            return self._current(job, deadline)

    def wait(self, job_id: str, *, deadline: Deadline) -> JobStatus | None:
        """Return the status once the job has finished, or the latest one at the deadline."""
        return watch(
            lambda: self.poll(job_id, deadline=deadline),
            lambda status: status is None or status.is_finished,
            deadline,
        )

    def cancel(self, job_id: str, *, deadline: Deadline, grace: float = GRACE) -> JobStatus | None:
        """End the job with all its processes and return its status; a finished one is returned as it is.

        The work gets SIGTERM (an exception that it may clean up after) and ``grace`` seconds later SIGKILL. Raises
        JobConflictError when processes of it still live at the deadline.
        """
        job = JobDirectory.below(self._base, job_id)
        if not job.exists:
            return None
        with self._gate(job, deadline):
            status = self._current(job, deadline)
            if status is None or status.is_finished:
                return status
            write_file(job.cancellation, "", mode=0o600)
            self._stop(job, status, grace, deadline)
            return self._cancelled(job, status, deadline)

    def collect(self, job_id: str, *, deadline: Deadline) -> JobStatus | None:
        """Remove a finished job with all that is kept of it and return its last status; None when there is none.

        Raises JobConflictError while it runs.
        """
        job = JobDirectory.below(self._base, job_id)
        if not self._base.is_dir():
            return None
        with self._gate(job, deadline):
            status = self._current(job, deadline)
            if status is not None and not status.is_finished:
                raise _still_running(status, "collect the job")
            if status is not None:
                self._remove(job, status, deadline)
        return status

    @contextlib.contextmanager
    def _gate(self, job: JobDirectory, deadline: Deadline) -> Iterator[None]:
        with locked(job.gate, deadline):
            yield
            if not job.exists:
                remove_file(job.gate)

    def _begun(self, job: JobDirectory, deadline: Deadline) -> JobStatus:
        status = watch(
            lambda: self.poll(job.path.name, deadline=deadline),
            lambda status: status is None or status.state is not JobState.QUEUED,
            deadline,
        )
        if status is None:
            raise JobConflictError(
                "start the job",
                on=str(job.path),
                seen="it was removed immediately",
                advice="Check what else uses the same job id at the same time.",
            )
        return status

    def _current(self, job: JobDirectory, deadline: Deadline) -> JobStatus | None:
        """Return what is known, having concluded what can be; the caller holds the gate."""
        if not job.exists:
            return None
        is_held = FileLock.is_held(job.life)
        try:
            status = job.read_status()
        except JobStatusError as error:
            status = unreadable(job, error, self._now())
        if status.is_finished or is_held:
            return status
        backend = self._launcher.backend(status.backend)
        seen = backend.observe(job, status, deadline=deadline)
        if seen.is_alive:
            return status
        ended = concluded(job, status, seen, self._now())
        job.write_status(ended)
        backend.forget(status, deadline=deadline)
        return ended

    def _stop(self, job: JobDirectory, status: JobStatus, grace: float, deadline: Deadline) -> None:
        if not self._launcher.backend(status.backend).stop(job, status, grace=grace, deadline=deadline):
            raise _still_running(status, "stop the job")

    def _cancelled(self, job: JobDirectory, status: JobStatus, deadline: Deadline) -> JobStatus:
        with contextlib.suppress(JobStatusError):
            status = job.read_status()
        if not status.is_finished:
            now, sentence = self._now(), f"Cancelled on request; last status: {status.sentence}"
            status = replace(status, state=JobState.CANCELLED, sentence=sentence, finished=now, updated=now)
            job.write_status(status)
        self._launcher.backend(status.backend).forget(status, deadline=deadline)
        return status

    def _remove(self, job: JobDirectory, status: JobStatus, deadline: Deadline) -> None:
        # A lost or crashed run may have left processes behind that would disturb the next one.
        self._stop(job, status, GRACE, deadline)
        self._launcher.backend(status.backend).forget(status, deadline=deadline)
        remove_tree(job.path)

    def _now(self) -> str:
        return timestamp(self._clock.utcnow())


def _stays(job: JobDirectory, known: JobStatus, request: JobRequest, *, restart: bool) -> bool:
    """Whether ``known`` answers ``request``; raises JobConflictError when it prevents it instead."""
    try:
        is_same = job.read_request().is_same_as(request)
    except JobStatusError:
        is_same = False
    if known.is_finished:
        return is_same and not restart and not known.never_ran
    if not is_same:
        raise _still_running(known, "start another job under the same id")
    return True


def _still_running(status: JobStatus, attempted: str) -> JobConflictError:
    return JobConflictError(
        attempted,
        on=f"job {status.job_id}",
        seen=f"it is {status.state.value} since {status.started or status.created}: {status.sentence}",
        advice="Wait until it ends, or cancel it first.",
        partial={"job": status.to_document()},
    )
