# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The document of a job's status: exact for its writer, and no trap for its reader."""

from __future__ import annotations

import json
import typing as t
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import (
    JobFailedError,
    JobStatusError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import (
    JobProgress,
    JobState,
    JobStatus,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import ProcessIdentity
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError

RUNNING = JobStatus(
    job_id="stage-4.18.9",
    run_id="0af1",
    state=JobState.RUNNING,
    sentence="Copying blob 3 of 9",
    backend="systemd",
    created="2026-11-21T22:00:00Z",
    updated="2026-11-21T22:01:00Z",
    started="2026-11-21T22:00:01Z",
    unit="fieldops-stage-4.18.9-0af1.service",
    progress=JobProgress(done=3_000_000_000, total=9_000_000_000, unit="bytes"),
    process=ProcessIdentity(pid=4711, start_ticks=123456, boot_id="b-1"),
)
DOCUMENT: dict[str, t.Any] = {
    "schemaVersion": 1,
    "id": "stage-4.18.9",
    "runId": "0af1",
    "state": "running",
    "sentence": "Copying blob 3 of 9",
    "backend": "systemd",
    "unit": "fieldops-stage-4.18.9-0af1.service",
    "created": "2026-11-21T22:00:00Z",
    "updated": "2026-11-21T22:01:00Z",
    "started": "2026-11-21T22:00:01Z",
    "finished": None,
    "progress": {"done": 3_000_000_000, "total": 9_000_000_000, "unit": "bytes"},
    "pid": 4711,
    "pidStartTicks": 123456,
    "bootId": "b-1",
    "result": None,
    "error": None,
}
ERROR = DeadlineExceededError("finish", on="job", seen="slow", advice="Wait.", partial={"n": 1}).as_data()


def test_the_document_is_this_one() -> None:
    assert RUNNING.to_document() == DOCUMENT


@pytest.mark.parametrize(
    "status",
    [
        RUNNING,
        replace(RUNNING, state=JobState.QUEUED, started=None, process=None, unit=None, progress=JobProgress()),
        replace(RUNNING, state=JobState.SUCCEEDED, finished="2026-11-21T22:09:00Z", result={"blobs": [1, None]}),
        replace(RUNNING, state=JobState.FAILED, finished="2026-11-21T22:09:00Z", error=ERROR),
        replace(RUNNING, process=ProcessIdentity(pid=1)),
    ],
    ids=["running", "queued", "succeeded", "failed", "without-proc"],
)
def test_what_is_written_is_read(status: JobStatus) -> None:
    assert JobStatus.from_document(json.loads(json.dumps(status.to_document()))) == status


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        ({"schemaVersion": 2}, "schemaVersion is 2, and only 1 is supported"),
        ({"schemaVersion": None}, "schemaVersion is None"),
        ({"id": 7}, "id is not a string"),
        ({"state": "done"}, "state is 'done'"),
        ({"created": None}, "created is not a string"),
        ({"pid": "4711"}, "pid is missing or of the wrong type"),
        ({"error": "slow"}, "error is missing or of the wrong type"),
        ({"progress": None}, "exactly done, total and unit"),
        ({"progress": {"done": 1}}, "exactly done, total and unit"),
        ({"progress": {"done": "1", "total": None, "unit": ""}}, "progress.done is of the wrong type"),
        ({"progress": {"done": 1, "total": None, "unit": "", "x": 1}}, "exactly done, total and unit"),
    ],
    ids=lambda value: None if isinstance(value, str) else json.dumps(value),
)
def test_a_document_of_another_shape_is_refused(change: dict[str, t.Any], seen: str) -> None:
    with pytest.raises(JobStatusError) as caught:
        JobStatus.from_document({**DOCUMENT, **change})
    assert seen in caught.value.seen


@pytest.mark.parametrize("name", sorted(DOCUMENT))
def test_no_field_may_be_missing(name: str) -> None:
    with pytest.raises(JobStatusError):
        JobStatus.from_document({key: value for key, value in DOCUMENT.items() if key != name})


DOCUMENTS = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(DOCUMENT)), inner, max_size=5),
    max_leaves=5,
)


@given(DOCUMENTS)
def test_no_document_whatever_breaks_the_reader(document: t.Any) -> None:
    with pytest.raises(JobStatusError):
        JobStatus.from_document(document)


@pytest.mark.parametrize("state", list(JobState))
def test_only_what_waits_or_runs_is_not_finished(state: JobState) -> None:
    assert replace(RUNNING, state=state).is_finished is (state.value not in ("queued", "running"))


class TestRequireSuccess:
    def test_of_a_success_is_its_result(self) -> None:
        assert replace(RUNNING, state=JobState.SUCCEEDED, result=7).require_success() == 7

    def test_of_a_failure_is_its_own_error(self) -> None:
        with pytest.raises(JobFailedError, match=r"Could not finish on job: slow\. Wait\.") as caught:
            replace(RUNNING, state=JobState.FAILED, error=ERROR).require_success()
        assert (caught.value.kind, caught.value.partial) == ("deadline_exceeded", {"n": 1})

    def test_without_an_error_the_sentence_speaks(self) -> None:
        with pytest.raises(JobFailedError, match="it is cancelled: On request") as caught:
            replace(RUNNING, state=JobState.CANCELLED, sentence="On request").require_success()
        assert caught.value.kind == "job_failed"
