# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The one job of a kind that a host has: watched for a while, and collected when it has ended."""

from __future__ import annotations

import threading
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs import single_job
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.single_job import SingleJob
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs import sample_work

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
    from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
    from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs.conftest import Pipe


@pytest.fixture
def waiting(
    host: Host,
    jobs: Jobs,
    base: Path,
    pipe: Pipe,
    seconds: Callable[[float], Deadline],
    monkeypatch: pytest.MonkeyPatch,
) -> SingleJob:
    """A job that waits for an event."""
    monkeypatch.setattr(single_job, "JOBS", str(base))
    monkeypatch.setattr(single_job, "jobs_of", lambda _host: jobs)
    work = FunctionWork.of(sample_work.wait_for, pipe=pipe.path)
    made = SingleJob(host, "job", work, "wait", seconds(20))
    made.start()
    return made


def test_a_job_that_ends_while_it_is_watched_is_collected_at_once(waiting: SingleJob, pipe: Pipe) -> None:
    assert waiting.running() is not None
    threading.Timer(0.2, pipe.release).start()
    assert (waiting.running(10.0), waiting.collect()) == (None, "go")


def test_a_job_is_watched_no_longer_than_asked_for(waiting: SingleJob, pipe: Pipe) -> None:
    assert waiting.running(0.2) is not None
    pipe.release()
