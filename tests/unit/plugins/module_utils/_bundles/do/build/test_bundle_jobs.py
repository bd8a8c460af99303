# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a step is told of the job that an earlier one has begun."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.bundle_jobs import (
    BundleJobs,
    JobStep,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import JobFailedError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter


def read_disk(*, mark: str, progress: ProgressReporter) -> str:
    """Fail, unless the disk was put right."""
    progress.report("at work")
    if not Path(mark).exists():
        raise InvalidInputError("read", on=mark, seen="the disk is away", advice="Bring it back.")
    return "read"


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "disk"


def step(disk: Path, patience: float = 20.0) -> JobStep:
    work = FunctionWork.of(read_disk, mark=str(disk))
    return BundleJobs(SystemClock()).step("read", disk, work, is_current=lambda _result: True, patience=patience)


def test_a_failure_of_now_is_an_error_once(disk: Path) -> None:
    with pytest.raises(JobFailedError, match="the disk is away"):
        step(disk)
    disk.touch()
    ended = step(disk)
    assert (ended.result, ended.warnings) == ("read", ())


def test_an_older_failure_is_a_warning_once_while_it_is_tried_again(
    disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as unseen:
        # The play that began it has been killed: nothing has collected it.
        unseen.setattr(
            "ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs.Jobs.collect",
            lambda *_words, **_options: None,
        )
        with pytest.raises(JobFailedError):
            step(disk)
    (path,) = (disk.parent / "state").rglob("status.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), "finished": "2020-01-01T00:00:00Z"}))
    disk.touch()
    ended = step(disk)
    assert ended.result == "read"
    assert "failed at 2020-01-01T00:00:00Z" in ended.warnings[0]
    assert "the disk is away" in ended.warnings[0]
    assert step(disk).warnings == ()
