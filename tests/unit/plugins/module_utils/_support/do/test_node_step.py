# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a step does without a job: what it would collect, what is to be removed, and options without sense."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import JobFailedError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork, JobRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.single_job import JOBS
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobState, JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.node_archive import (
    ARCHIVE,
    PLACE,
    make_node_archive,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.node_step import JOB_ID, node_support_step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

PARAMS = {"state": "present", "run": "one", "hours": 24, "limit_mib": 64, "timeout": 60}
ENDED = {"run": "one", "path": ARCHIVE, "size": 2 * 1024 * 1024, "parts": 70, "missing": []}
AT = "2026-11-21T20:00:00Z"


@pytest.fixture
def node(tmp_path: Path) -> Host:
    return Host(SystemClock(), tmp_path)


def worked(node: Host, run: str = "one", state: JobState = JobState.SUCCEEDED) -> Path:
    """Let the node have a job that ended long ago, and its archive."""
    work = FunctionWork.of(make_node_archive, host_root="/", run=run, hours=24, limit_mib=64)
    directory = JobDirectory.below(node.path(JOBS), JOB_ID)
    directory.path.mkdir(parents=True)
    directory.path.parent.chmod(0o700)
    directory.write_request(JobRequest(JOB_ID, "1", work, 60, "detached"))
    directory.write_status(JobStatus(JOB_ID, "1", state, "it stopped", "detached", AT, AT, AT, AT, result=ENDED))
    node.path(PLACE).mkdir(parents=True)
    path = node.path(ARCHIVE)
    path.write_bytes(b"archive")
    return path


def look(node: Host, *, check_mode: bool = True, **options: t.Any) -> Step:
    return node_support_step(node, {**PARAMS, **options}, check_mode=check_mode)


def test_check_mode_says_what_would_be_made_and_makes_nothing(node: Host) -> None:
    step = look(node)
    assert (step.done, step.changed, step.actions) == (False, True, ())
    assert step.diff == {"before": {"archive": ""}, "after": {"archive": ARCHIVE}}
    assert list(node.root.iterdir()) == []


def test_what_a_run_has_collected_is_returned_however_long_ago(node: Host) -> None:
    worked(node)
    for _once_more in range(2):
        step = look(node, check_mode=False)
        assert (step.done, step.changed, step.objects["archive"]["parts"]) == (True, False, 70)
        assert step.sentence == "Collected 70 parts, 2.0 MiB in total"


@pytest.mark.parametrize("why", ["of another run", "gone"])
def test_an_archive_that_is_of_no_use_is_made_anew(node: Host, why: str) -> None:
    path = worked(node, run="two" if why == "of another run" else "one")
    if why == "gone":
        path.unlink()
    assert (look(node).done, look(node).changed) == (False, True)


def test_a_failure_is_told_once(node: Host) -> None:
    worked(node, state=JobState.LOST)
    with pytest.raises(JobFailedError, match="it is lost: it stopped"):
        look(node, check_mode=False)
    assert (look(node).done, look(node).changed) == (False, True)


@pytest.mark.parametrize("check_mode", [True, False])
def test_what_was_collected_is_removed(node: Host, check_mode: bool) -> None:
    path = worked(node)
    step = look(node, state="absent", check_mode=check_mode)
    assert (step.done, step.changed, path.exists()) == (True, True, check_mode)
    assert step.diff == {"before": {"archive": ARCHIVE}, "after": {"archive": ""}}
    again = look(node, state="absent", check_mode=False)
    assert (again.done, again.changed) == (True, check_mode)
    assert not node.path(PLACE).exists()
    assert not node.path(JOBS).joinpath(JOB_ID).exists()


def test_what_another_run_has_collected_stays(node: Host) -> None:
    path = worked(node, run="two")
    step = look(node, state="absent", check_mode=False)
    assert (step.done, step.changed, path.exists()) == (True, False, True)


@pytest.mark.parametrize(
    "option", [{"hours": 0}, {"hours": 10_000}, {"limit_mib": 0}, {"limit_mib": 2000}, {"timeout": 0}]
)
def test_options_without_sense_are_refused(node: Host, option: dict[str, t.Any]) -> None:
    with pytest.raises(InvalidInputError):
        look(node, **option)
