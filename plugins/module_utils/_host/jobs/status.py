# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is known of a job: the document that its process writes and all others read."""

from __future__ import annotations

import enum
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import JobFailedError, JobStatusError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import ProcessIdentity

SCHEMA_VERSION = 1


class JobState(str, enum.Enum):
    """The state of a job; LOST is a job that ended without a report."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    LOST = "lost"


@dataclass(frozen=True)
class JobProgress:
    """How far a job has come: ``done`` of ``total`` (None while unknown), counted in ``unit`` ("bytes", "images")."""

    done: int = 0
    total: int | None = None
    unit: str = ""


@dataclass(frozen=True)
class JobStatus:
    """One moment of a job. Times are RFC 3339 in UTC; ``result`` and ``error`` are JSON documents of a finished job."""

    job_id: str
    run_id: str
    state: JobState
    sentence: str
    backend: str
    created: str
    updated: str
    started: str | None = None
    finished: str | None = None
    unit: str | None = None
    progress: JobProgress = field(default_factory=JobProgress)
    process: ProcessIdentity | None = None
    result: t.Any = None
    error: Mapping[str, t.Any] | None = None

    @property
    def is_finished(self) -> bool:
        """Whether the job will not change any more."""
        return self.state not in (JobState.QUEUED, JobState.RUNNING)

    @property
    def never_ran(self) -> bool:
        """Whether the job was lost before any of its work began."""
        return self.state is JobState.LOST and self.started is None

    def require_success(self) -> t.Any:
        """Return the result of a succeeded job; raises JobFailedError with the job's own message for any other end."""
        if self.state is JobState.SUCCEEDED:
            return self.result
        words = {
            "attempted": f"finish the job {self.job_id}",
            "on": "this host",
            "seen": f"it is {self.state.value}: {self.sentence}",
            "advice": "Start the job again. It continues from what it has finished.",
        }
        raise JobFailedError.from_data({**words, **(self.error or {})})

    def to_document(self) -> dict[str, t.Any]:
        """Return the JSON document of this status."""
        process = self.process or ProcessIdentity(0)
        return {
            "schemaVersion": SCHEMA_VERSION,
            "id": self.job_id,
            "runId": self.run_id,
            "state": self.state.value,
            "sentence": self.sentence,
            "backend": self.backend,
            "unit": self.unit,
            "created": self.created,
            "updated": self.updated,
            "started": self.started,
            "finished": self.finished,
            "progress": vars(self.progress),
            "pid": process.pid or None,
            "pidStartTicks": process.start_ticks,
            "bootId": process.boot_id,
            "result": self.result,
            "error": None if self.error is None else dict(self.error),
        }

    @classmethod
    def from_document(cls, document: t.Any) -> JobStatus:
        """Return the status in ``document``; raises JobStatusError unless it is one of this schema."""
        _check(document)
        pid = document["pid"]
        return cls(
            job_id=document["id"],
            run_id=document["runId"],
            state=JobState(document["state"]),
            sentence=document["sentence"],
            backend=document["backend"],
            unit=document["unit"],
            created=document["created"],
            updated=document["updated"],
            started=document["started"],
            finished=document["finished"],
            progress=JobProgress(**document["progress"]),
            process=ProcessIdentity(pid, document["pidStartTicks"], document["bootId"]) if pid else None,
            result=document["result"],
            error=document["error"],
        )


_TEXTS = ("id", "runId", "state", "sentence", "backend", "created", "updated")
_OPTIONAL: Mapping[str, type] = {
    "unit": str,
    "started": str,
    "finished": str,
    "pid": int,
    "pidStartTicks": int,
    "bootId": str,
    "result": object,
    "error": dict,
}


def _check(document: t.Any) -> None:
    problem = _shape_problem(document)
    if problem:
        raise JobStatusError(
            "read the status of a job",
            on="status.json",
            seen=problem,
            advice="Start the job again. It continues from what it has finished.",
        )


def _shape_problem(document: t.Any) -> str:
    if not isinstance(document, dict):
        return f"it is a {type(document).__name__}, not an object"
    if document.get("schemaVersion") != SCHEMA_VERSION:
        return f"schemaVersion is {document.get('schemaVersion')!r:.50}, and only {SCHEMA_VERSION} is supported"
    for name in _TEXTS:
        if not isinstance(document.get(name), str):
            return f"{name} is not a string"
    if document["state"] not in [state.value for state in JobState]:
        return f"state is {document['state']!r:.50}"
    for name, kind in _OPTIONAL.items():
        if name not in document or not isinstance(document[name], (kind, type(None))):
            return f"{name} is missing or of the wrong type"
    return _progress_problem(document.get("progress"))


def _progress_problem(progress: t.Any) -> str:
    shape = {"done": (int,), "total": (int, type(None)), "unit": (str,)}
    if not isinstance(progress, dict) or set(progress) != set(shape):
        return "progress does not have exactly done, total and unit"
    wrong = [name for name, kinds in shape.items() if not isinstance(progress[name], kinds)]
    return f"progress.{wrong[0]} is of the wrong type" if wrong else ""
