# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Jobs as services: how systemd is asked, and what becomes of its answers. The actor is played_systemd.py."""

from __future__ import annotations

import os
import signal
import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.io_limits import IoLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.launcher import JobLauncher
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork, JobRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobState, JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.systemd import (
    SHARES,
    SystemdBackend,
    is_in_charge,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs import sample_work
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs.conftest import Pipe
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs.played_systemd import SystemdHost

Seconds = Callable[[float], Deadline]

ADD = FunctionWork.of(sample_work.add, a=2, b=3)


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[SystemdHost]:
    host = SystemdHost(SystemClock(), run_directory=tmp_path / "run")
    (tmp_path / "run/systemd/system").mkdir(parents=True)
    yield host
    host.end()


@pytest.fixture
def services(systemd: SystemdHost, base: Path) -> Jobs:
    return Jobs(systemd, base, systemd=True)


def finished(jobs: Jobs, seconds: Seconds) -> JobStatus:
    status = jobs.wait("job", deadline=seconds(20))
    assert status is not None
    assert status.is_finished
    return status


def test_the_command_that_starts_a_service() -> None:
    request = JobRequest("switch", "0123456789abcdef", ADD, 3600.0, "systemd")
    argv = SystemdBackend(Host(SystemClock())).argv(
        request, ["sh", "-c", "echo $HOME"], {"StandardInput": "file:/run/x"}
    )
    assert argv == [
        "systemd-run",
        "--quiet",
        "--no-ask-password",
        "--collect",
        "--unit=fieldops-switch-01234567.service",
        "--slice=fieldops.slice",
        "--description=fieldops.openshift job switch",
        "--property=RuntimeMaxSec=3630",
        "--property=TimeoutStopSec=30",
        "--property=IOSchedulingClass=best-effort",
        "--property=IOSchedulingPriority=7",
        "--property=StandardInput=file:/run/x",
        "--setenv=LC_ALL=C.UTF-8",
        "--setenv=FIELDOPS_JOB_RUN=0123456789abcdef",
        "--",
        "sh",
        "-c",
        "echo $$HOME",
    ]


@pytest.mark.parametrize(
    ("read", "write", "properties"),
    [
        (0, 0, {}),
        (50, 0, {"IOReadBandwidthMax": "/var/lib/fieldops 50000000"}),
        (0, 7, {"IOWriteBandwidthMax": "/var/lib/fieldops 7000000"}),
        (
            50,
            7,
            {
                "IOReadBandwidthMax": "/var/lib/fieldops 50000000",
                "IOWriteBandwidthMax": "/var/lib/fieldops 7000000",
            },
        ),
    ],
)
def test_limits_are_properties_of_the_unit(read: int, write: int, properties: dict[str, str]) -> None:
    assert IoLimits("/var/lib/fieldops", read, write).properties() == properties


def test_a_job_is_started_with_its_limits(services: Jobs, systemd: SystemdHost, seconds: Seconds) -> None:
    services.start("job", ADD, deadline=seconds(20), limits=IoLimits("/var/lib", write=7))
    finished(services, seconds)
    (started,) = [argv for argv in systemd.calls if argv[0] == "systemd-run"]
    assert "--property=IOWriteBandwidthMax=/var/lib 7000000" in started


def test_all_jobs_have_one_small_share_beside_pods(services: Jobs, systemd: SystemdHost, seconds: Seconds) -> None:
    services.start("job", ADD, deadline=seconds(20))
    finished(services, seconds)
    asked = systemd.calls.index(["systemctl", "set-property", "--runtime", "fieldops.slice", *SHARES])
    assert systemd.calls[asked + 1][0] == "systemd-run"


@pytest.mark.parametrize(
    ("systemd", "root", "backend"),
    [
        pytest.param(True, "/", "systemd", id="on-a-host-with-python"),
        pytest.param(True, "/host", "detached", id="in-a-pod-whose-python-the-host-lacks"),
        pytest.param(False, "/", "detached", id="on-a-laptop"),
    ],
)
def test_who_runs_what(systemd: bool, root: str, backend: str, tmp_path: Path) -> None:
    launcher = JobLauncher(Host(SystemClock(), Path(root)), systemd)
    assert launcher.request(JobDirectory.below(tmp_path, "job"), ADD, 1.0, {}).backend == backend


def test_systemd_is_in_charge_where_it_says_so(systemd: SystemdHost, tmp_path: Path) -> None:
    assert is_in_charge(systemd)
    assert not is_in_charge(Host(SystemClock(), tmp_path / "pod"))


class TestAFunction:
    def test_it_reports_by_itself_and_leaves_no_unit(
        self, services: Jobs, seconds: Seconds, systemd: SystemdHost
    ) -> None:
        started = services.start("job", ADD, deadline=seconds(20))
        status = finished(services, seconds)
        assert (status.state, status.result, status.backend) == (JobState.SUCCEEDED, {"sum": 5}, "systemd")
        assert status.unit == f"fieldops-job-{started.run_id[:8]}.service"
        assert list(systemd.units) == [status.unit]

    def test_its_secrets_pass_through_memory_only(
        self, services: Jobs, seconds: Seconds, systemd: SystemdHost, base: Path, tmp_path: Path, pipe: Pipe
    ) -> None:
        work = FunctionWork.of(sample_work.use_secret, pipe=pipe.path, failing=False)
        services.start("job", work, deadline=seconds(20), secrets={"password": "canary-pw"})
        assert "canary" not in str(systemd.calls)
        assert [path for path in [*base.rglob("*"), *tmp_path.rglob("*.json")] if b"canary" in content(path)] == []
        pipe.release()
        assert finished(services, seconds).result.endswith("********")

    def test_a_service_that_could_not_start_leaves_no_secret(
        self, services: Jobs, seconds: Seconds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("sys.executable", "/nonexistent/python")
        work = FunctionWork.of(sample_work.use_secret, pipe="/x", failing=False)
        with pytest.raises(Exception, match="Failed to find executable"):
            services.start("job", work, deadline=seconds(20), secrets={"password": "canary-pw"})
        assert list((tmp_path / "run/fieldops-openshift").iterdir()) == []

    def test_a_killed_one_is_lost(self, services: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        status = services.start("job", FunctionWork.of(sample_work.wait_for, pipe=pipe.path), deadline=seconds(20))
        assert status.process is not None
        os.kill(status.process.pid, signal.SIGKILL)
        lost = finished(services, seconds)
        assert lost.state is JobState.LOST
        assert f"(unit {status.unit} is inactive)" in lost.sentence

    @pytest.mark.parametrize(
        ("work", "sentence"),
        [
            (sample_work.wait_for, "last status: Waiting at pipe"),
            (sample_work.ignore_everything, "Cancelled on request"),
        ],
        ids=["listening", "deaf"],
    )
    def test_it_is_cancelled(
        self, services: Jobs, seconds: Seconds, pipe: Pipe, work: Callable[..., t.Any], sentence: str
    ) -> None:
        services.start("job", FunctionWork.of(work, pipe=pipe.path), deadline=seconds(20))
        pause_until_waiting(services, seconds)
        status = services.cancel("job", deadline=seconds(20), grace=0.5)
        assert status is not None
        assert status.state is JobState.CANCELLED
        assert sentence in status.sentence


def content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def pause_until_waiting(jobs: Jobs, seconds: Seconds) -> None:
    deadline = seconds(20)
    while "Waiting" not in getattr(jobs.poll("job", deadline=deadline), "sentence", ""):
        assert not deadline.expired
        deadline.pause(0.02)
