# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One run of a job's work: with a time limit, with a status while it runs, and with a report for every end."""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import threading
import traceback
import typing as t
from collections.abc import Mapping
from dataclasses import replace
from types import FrameType, TracebackType

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import QUOTED
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import (
    LOG_LIMIT,
    STATUS_LIMIT,
    JobDirectory,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import (
    JobError,
    JobLostError,
    UnexpectedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.log import (
    CapturedOutput,
    MaskedLog,
    RotatingLog,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import JobRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import (
    JobProgress,
    JobState,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import ProcessIdentity
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    FieldOpsError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import Mask
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

REPORT_SECONDS = 0.25
"""Counters alone are not written more often than this."""


class Interruption(BaseException):
    """Raised in the work by a signal; not an Exception, so that no handler of the work takes it for a failure."""


class Attempt:
    """Records how the block ended, for any cause: the last resort of a process that must leave a report."""

    def __init__(self) -> None:
        self.is_active = False
        self.error: BaseException | None = None

    def __enter__(self) -> Attempt:
        self.is_active = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.is_active = False
        self.error = error
        return True


class JobRun:
    """One run of one job, and the only writer of its status while it lives."""

    def __init__(self, job: JobDirectory, request: JobRequest, secrets: Mapping[str, str], clock: Clock) -> None:
        self._job = job
        self._request = request
        self._secrets = secrets
        self._clock = clock
        self._mask = Mask(secrets.values())
        self._status = job.read_status()
        self._interrupted_by: int | None = None
        self._result: t.Any = None
        self._attempt = Attempt()
        self._writing = threading.Lock()
        self._written = clock.monotonic()

    def perform(self) -> None:
        """Do the work and leave a final status; nothing escapes but the inability to write that."""
        now = timestamp(self._clock.utcnow())
        self._write(state=JobState.RUNNING, sentence="Started.", started=now, process=ProcessIdentity.of(os.getpid()))
        log = RotatingLog(self._job.log, self._job.older_log, LOG_LIMIT)
        with CapturedOutput(MaskedLog(log, self._mask)):
            with self._attempt:
                self._listen()
                self._result = self._mask.document(_checked(self._work()))
            self._stop_listening()
            self._print_traceback()
        with self._writing:
            self._conclude()

    def report(
        self, sentence: str | None = None, *, done: int | None = None, total: int | None = None, unit: str | None = None
    ) -> None:
        """Report the progress of the work; omitted values stay. Cheap enough to be called often, by any thread."""
        with self._writing:
            if not self._attempt.is_active:
                return
            known = self._status.progress
            progress = JobProgress(
                done=known.done if done is None else done,
                total=known.total if total is None else total,
                unit=known.unit if unit is None else unit,
            )
            text = self._status.sentence if sentence is None else self._mask.text(sentence)
            is_news = text != self._status.sentence or progress.done == progress.total
            if is_news or self._clock.monotonic() - self._written >= REPORT_SECONDS:
                self._write_progress(text, progress)
            else:
                self._status = replace(self._status, progress=progress)

    def _write_progress(self, sentence: str, progress: JobProgress) -> None:
        try:
            self._write(durable=False, sentence=sentence, progress=progress)
        except FileAccessError as error:
            # The work continues: it detects by itself whether it needs that disk.
            sys.stderr.write(f"{error}\n")

    def _write(self, *, durable: bool = True, **changes: t.Any) -> None:
        self._written = self._clock.monotonic()
        self._status = replace(self._status, updated=timestamp(self._clock.utcnow()), **changes)
        self._job.write_status(self._status, durable=durable)

    def _listen(self) -> None:
        for number in (signal.SIGTERM, signal.SIGALRM):
            signal.signal(number, self._interrupt)
        signal.setitimer(signal.ITIMER_REAL, self._request.max_seconds)

    def _stop_listening(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number in (signal.SIGTERM, signal.SIGALRM):
            signal.signal(number, signal.SIG_IGN)

    def _interrupt(self, number: int, _frame: FrameType | None) -> None:
        self._stop_listening()
        self._interrupted_by = number
        if self._attempt.is_active:
            raise Interruption

    def _work(self) -> t.Any:
        work = self._request.work
        module, _colon, name = work.function.partition(":")
        function: t.Any = importlib.import_module(module)
        for part in name.split("."):
            function = getattr(function, part)
        given = {"secrets": dict(self._secrets)} if self._request.secret_names else {}
        return function(**work.arguments, **given, progress=self)

    def _print_traceback(self) -> None:
        error = self._attempt.error
        if error is not None and self._interrupted_by is None and not isinstance(error, FieldOpsError):
            traceback.print_exception(type(error), error, error.__traceback__)

    def _conclude(self) -> None:
        error = self._attempt.error
        finished = timestamp(self._clock.utcnow())
        if error is None:
            self._write(state=JobState.SUCCEEDED, sentence="Finished.", finished=finished, result=self._result)
        elif self._interrupted_by == signal.SIGTERM and self._job.cancellation.exists():
            sentence = f"Cancelled on request; last status: {self._status.sentence}"
            self._write(state=JobState.CANCELLED, sentence=sentence, finished=finished)
        else:
            state = JobState.LOST if self._interrupted_by == signal.SIGTERM else JobState.FAILED
            document = self._mask.document(_document_of(self._explained(error)))
            self._write(state=state, sentence=document["seen"], finished=finished, error=document)

    def _explained(self, error: BaseException) -> FieldOpsError:
        if self._interrupted_by == signal.SIGTERM:
            return JobLostError(
                f"finish the job {self._request.job_id}",
                on="this host",
                seen=f"another process stopped it, as in a shutdown; last status: {self._status.sentence}",
                advice="Start the job again. It continues from what it has finished.",
            )
        if self._interrupted_by == signal.SIGALRM:
            return DeadlineExceededError(
                f"finish the job {self._request.job_id}",
                on="this host",
                seen=f"after {self._request.max_seconds:.0f} s it had not ended; last status: {self._status.sentence}",
                advice="Start the job again. Allow more time if it was still making progress.",
            )
        if isinstance(error, FieldOpsError):
            return error
        return UnexpectedError(
            f"finish the job {self._request.job_id}",
            on="this host",
            seen=f"{type(error).__name__}: {error}",
            advice=f"This is a bug. Report it with the traceback in {self._job.log}.",
        )


def _checked(result: t.Any) -> t.Any:
    try:
        text = json.dumps(result, allow_nan=False)
        seen = f"it has {len(text)} bytes" if len(text) > STATUS_LIMIT // 2 else ""
    except (TypeError, ValueError, RecursionError) as error:
        seen = str(error)
    if seen:
        raise JobError(
            "keep the result of the job",
            on="this host",
            seen=seen,
            advice=f"The work must return JSON of at most {STATUS_LIMIT // 2} bytes, and large content as a file.",
        )
    return json.loads(text)


def _document_of(error: FieldOpsError) -> dict[str, t.Any]:
    text = json.dumps(error.as_data(), default=str, skipkeys=True)
    document: dict[str, t.Any] = json.loads(text)
    if len(text) > STATUS_LIMIT // 2:
        document.update(seen=document["seen"][:QUOTED], partial={})
    return document
