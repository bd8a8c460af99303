# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong with a job."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class JobError(FieldOpsError):
    """A job cannot be started, read or stopped."""

    kind = "job"


class JobConflictError(JobError):
    """Another request uses the id of a job that still runs, or a job still runs that should have ended."""

    kind = "job_conflict"


class JobStatusError(JobError):
    """A status file is missing, damaged or of an unknown schema."""

    kind = "job_status"


class UnexpectedError(JobError):
    """An unexpected exception ended the work; its traceback is in the job's log."""

    kind = "unexpected"


class JobFailedError(JobError):
    """A job failed. If its work reported an error, this error has its message and its ``kind``.

    Action: Fix the cause in the message, then start the job again. It continues from what it has finished.
    """

    kind = "job_failed"


class JobLostError(JobError):
    """A job ended without a report: it was killed, or the host was restarted."""

    kind = "job_lost"
