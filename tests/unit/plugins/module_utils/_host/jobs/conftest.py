# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Jobs of this machine, and the event that they wait for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "jobs"


@pytest.fixture
def jobs(host: Host, base: Path, seconds: Callable[[float], Deadline]) -> Iterator[Jobs]:
    """Jobs as detached processes, none of which survives the test."""
    jobs = Jobs(host, base, systemd=False)
    yield jobs
    for directory in base.glob("[a-z]*"):
        jobs.cancel(directory.name, deadline=seconds(20), grace=0)


class Pipe:
    """A named pipe as an event that a job waits for."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = str(path)

    def release(self, text: str = "go") -> None:
        """Let the job go on; returns when it does."""
        Path(self.path).write_text(text)


@pytest.fixture
def pipe(tmp_path: Path) -> Pipe:
    return Pipe(tmp_path / "pipe")
