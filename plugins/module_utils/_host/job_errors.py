# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""What can go wrong with a job, and the form in which errors travel between processes."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

if t.TYPE_CHECKING:
    from collections.abc import Mapping


class JobError(FieldOpsError):
    """A job cannot be started, read or stopped."""

    kind = "job"


class JobConflictError(JobError):
    """Another request holds the id of a job that still runs, or a job still runs that should have ended."""

    kind = "job_conflict"


class JobStatusError(JobError):
    """A status file holds no status of this schema."""

    kind = "job_status"


class UnexpectedError(JobError):
    """An exception that nobody raised on purpose ended the work; its traceback is in the job's log."""

    kind = "unexpected"


class JobFailedError(JobError):
    """A job ended without success; ``cause`` is its error document, whose ``kind`` says of which sort it was."""

    kind = "job_failed"

    def __init__(self, cause: Mapping[str, t.Any], **words: t.Any) -> None:
        self.cause = dict(cause)
        super().__init__(**words)


class JobLostError(JobError):
    """A job ended without a report."""

    kind = "job_lost"


def error_document(error: FieldOpsError) -> dict[str, t.Any]:
    """Return ``error`` as the JSON document that results and status files carry."""
    return {
        "kind": error.kind,
        "attempted": error.attempted,
        "on": error.on,
        "seen": error.seen,
        "advice": error.advice,
        "partial": error.partial,
        "transient": error.transient,
    }
