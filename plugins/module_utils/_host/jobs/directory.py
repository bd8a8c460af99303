# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The private directory in which one job lives: request, status, log, code and the lock that proves its life."""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_end, read_json, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import JobStatusError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import JobRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

STATUS_LIMIT = 4 * 1024 * 1024
"""Bytes of a status file; a result that does not fit belongs into a file of its own."""

LOG_LIMIT = 1024 * 1024
"""Bytes of ``output.log`` and its predecessor together."""

LOG_END = 4096
"""Bytes of these that the error for a lost job contains."""

_ID = re.compile(r"[a-z0-9]([a-z0-9._-]{0,98}[a-z0-9])?")


@dataclass(frozen=True)
class JobDirectory:
    """The files of the job that lives in ``path``."""

    path: Path

    @classmethod
    def below(cls, base: Path, job_id: str) -> JobDirectory:
        """Return the directory of the job ``job_id``; raises InvalidInputError unless the id suits files and units."""
        if not _ID.fullmatch(job_id) or ".." in job_id:
            raise InvalidInputError(
                "find a job",
                on=f"job id {job_id!r:.120}",
                seen="it is not a valid id",
                advice="Use at most 100 of a-z, 0-9, '-', '_' and single '.', with a letter or digit at both ends.",
            )
        return cls(base / job_id)

    @property
    def gate(self) -> Path:
        """The lock of a caller that starts, ends or removes this job, next to the directory, which may not exist."""
        return self.path.parent / f".{self.path.name}.lock"

    @property
    def life(self) -> Path:
        """The lock that the job's process holds as long as it lives."""
        return self.path / "lock"

    @property
    def code(self) -> Path:
        """The directory of copied program code."""
        return self.path / "code"

    @property
    def log(self) -> Path:
        """What the job wrote to standard output and error."""
        return self.path / "output.log"

    @property
    def cancellation(self) -> Path:
        """The file by which the job's process knows that SIGTERM is a cancellation."""
        return self.path / "cancelled"

    @property
    def exists(self) -> bool:
        """Whether there is such a job, in whatever state."""
        return self.path.is_dir()

    def write_request(self, request: JobRequest) -> None:
        """Keep ``request``."""
        write_json(self.path / "request.json", request.to_document(), mode=0o600)

    def read_request(self) -> JobRequest:
        """Return the request; raises JobStatusError when it is absent or damaged."""
        return JobRequest.from_document(self._document("request.json"))

    def write_status(self, status: JobStatus, *, durable: bool = True) -> None:
        """Keep ``status``: only the job's process may write it while it lives, then the holder of the gate."""
        write_json(self.path / "status.json", status.to_document(), mode=0o600, durable=durable)

    def read_status(self) -> JobStatus:
        """Return the status last written; raises JobStatusError when it is absent or damaged."""
        return JobStatus.from_document(self._document("status.json"))

    def log_end(self) -> str:
        """Return about the last LOG_END bytes that the job printed."""
        ends = b"".join(read_end(path, LOG_END) for path in (self.older_log, self.log))
        return ends[-LOG_END:].decode("utf-8", "replace")

    @property
    def older_log(self) -> Path:
        """What came before ``log`` and is kept until ``log`` is full in its turn."""
        return self.path / "output.log.1"

    def _document(self, name: str) -> t.Any:
        seen = "there is no such file"
        try:
            document = read_json(self.path / name, limit=STATUS_LIMIT)
        except FileContentError as error:
            document, seen = None, error.seen
        if document is None:
            raise JobStatusError(
                "read the records of a job",
                on=str(self.path / name),
                seen=seen,
                advice="Start the job again. It continues from what it has finished.",
            )
        return document
