# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Long work on a bundle as jobs of this machine: started, observed, and collected with their result."""

from __future__ import annotations

import hashlib
import os
import tempfile
import typing as t
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_private_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.single_job import warning_of
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobState, JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

STEP_SECONDS = 30.0
STALE_SECONDS = 3600.0
"""A failure that no play has collected in this time is a warning then: the work is tried again."""


@dataclass(frozen=True)
class JobStep:
    """One check of a job: ``result`` is what its work returned, None while it is in progress.

    ``warnings`` are about an older failure, after which it was started again.
    """

    sentence: str
    result: t.Any = None
    next_delay: float = 1.0
    warnings: tuple[str, ...] = ()


class BundleJobs:
    """The jobs of this user that concern bundles, one for each kind of work and folder."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # On the controller a job is a process of the user, whatever manages the machine's services.
        self._jobs = Jobs(Host(clock), _jobs_directory(), systemd=False)

    def step(
        self,
        kind: str,
        path: Path,
        work: FunctionWork,
        *,
        is_current: Callable[[t.Any], bool],
        secrets: Mapping[str, str] | None = None,
        patience: float = 0.0,
    ) -> JobStep:
        """See to it that ``work`` is being done on the folder ``path``, and return how far it is.

        Work that is no older than ``patience`` seconds is waited for as long: what is short needs one step.
        A finished job is collected, so that the next call starts again. ``is_current`` is whether a result still
        fits what is on the disk. Raises JobFailedError for a failed job, and what ``Jobs.start`` raises.
        """
        job_id = f"{kind}-{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"
        deadline = Deadline(STEP_SECONDS, self._clock)
        status = self._jobs.start(job_id, work, deadline=deadline.within(5), secrets=secrets)
        warnings: tuple[str, ...] = ()
        if status.is_finished and self._is_stale(status, is_current):
            warnings = (warning_of(status),) if status.state is JobState.FAILED else ()
            status = self._jobs.start(job_id, work, deadline=deadline.within(5), secrets=secrets, restart=True)
        if not status.is_finished and self._age(status.started) < patience:
            status = self._jobs.wait(job_id, deadline=deadline.within(patience)) or status
        if not status.is_finished:
            return JobStep(status.sentence, next_delay=self._delay(status), warnings=warnings)
        self._jobs.collect(job_id, deadline=deadline)
        return JobStep(status.sentence, result=status.require_success(), warnings=warnings)

    def _is_stale(self, status: JobStatus, is_current: Callable[[t.Any], bool]) -> bool:
        if status.error is None and status.result is not None:
            return not is_current(status.result)
        return self._age(status.finished) > STALE_SECONDS

    def _delay(self, status: JobStatus) -> float:
        # Short work is not held up by the pauses that long work can afford.
        return min(10.0, max(0.5, self._age(status.started) / 4))

    def _age(self, moment: str | None) -> float:
        if moment is None:
            return 0.0
        then = datetime.strptime(moment, "%Y-%m-%dT%H:%M:%S%z")
        return (self._clock.utcnow() - then).total_seconds()


def _jobs_directory() -> Path:
    """Return where this user's jobs are kept; a home that cannot be written, as in some containers, is passed over."""
    home = os.environ.get("XDG_STATE_HOME") or str(Path("~/.local/state").expanduser())
    directory = Path(home) / "fieldops-openshift" / "jobs"
    try:
        ensure_private_directory(directory)
    except FileAccessError:
        directory = Path(tempfile.gettempdir()) / f"fieldops-openshift-{os.geteuid()}"
        ensure_private_directory(directory)
    return directory
