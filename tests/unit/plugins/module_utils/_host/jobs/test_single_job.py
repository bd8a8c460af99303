# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The one job of a kind that a host has: watched for a while, and its end told to the step that comes next."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import JobFailedError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.single_job import JOBS, SingleJob, jobs_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs import sample_work
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs.conftest import Pipe


def refuse(*, what: str, progress: ProgressReporter) -> None:
    progress.report("at work")
    raise InvalidInputError("begin", on=what, seen="it is away", advice="Bring it back.")


def work(what: str) -> FunctionWork:
    return FunctionWork.of(refuse, what=what)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(SystemClock(), tmp_path)


def ended(host: Host, seconds: Callable[[float], Deadline], finished: str = "") -> SingleJob:
    """Return the job after its work on "this" has failed, at ``finished`` where that is given."""
    jobs = jobs_of(host)
    jobs.start("only", work("this"), deadline=seconds(30))
    jobs.wait("only", deadline=seconds(30))
    path = host.path(JOBS) / "only/status.json"
    if finished:
        path.write_text(json.dumps({**json.loads(path.read_text()), "finished": finished}))
    return SingleJob(host, "only", work("this"), "begin", seconds(30))


def test_a_failure_of_now_is_an_error_once(host: Host, seconds: Callable[[float], Deadline]) -> None:
    job = ended(host, seconds)
    with pytest.raises(JobFailedError, match="it is away"):
        job.collect()
    assert (job.collect(), job.warnings) == (None, ())


def test_an_older_failure_is_a_warning_once(host: Host, seconds: Callable[[float], Deadline]) -> None:
    job = ended(host, seconds, "2020-01-01T00:00:00Z")
    assert job.collect() is None
    assert "failed at 2020-01-01T00:00:00Z" in job.warnings[0]
    assert "it is away" in job.warnings[0]
    again = SingleJob(host, "only", work("this"), "begin", seconds(30))
    assert (again.collect(), again.warnings) == (None, ())


def test_the_failure_of_another_request_is_a_warning(host: Host, seconds: Callable[[float], Deadline]) -> None:
    ended(host, seconds)
    other = SingleJob(host, "only", work("that"), "begin", seconds(30))
    assert other.collect() is None
    assert "it is away" in other.warnings[0]


@pytest.fixture
def waiting(host: Host, pipe: Pipe, seconds: Callable[[float], Deadline]) -> SingleJob:
    """A job that waits for an event."""
    made = SingleJob(host, "only", FunctionWork.of(sample_work.wait_for, pipe=pipe.path), "wait", seconds(20))
    made.start()
    return made


def test_a_job_that_ends_while_it_is_watched_is_collected_at_once(waiting: SingleJob, pipe: Pipe) -> None:
    assert waiting.running() is not None
    threading.Timer(0.2, pipe.release).start()
    assert (waiting.running(10.0), waiting.collect()) == (None, "go")


def test_a_job_is_watched_no_longer_than_asked_for(waiting: SingleJob, pipe: Pipe) -> None:
    assert waiting.running(0.2) is not None
    pipe.release()
