# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Jobs as services: how systemd is asked, and what becomes of its answers. The actor is played_systemd.py."""

from __future__ import annotations

import os
import signal
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import JobConflictError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.io_limits import IoLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.launcher import JobLauncher
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import (
    CommandWork,
    FunctionWork,
    JobRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobState, JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.systemd import (
    SHARES,
    SystemdBackend,
    is_in_charge,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.systemd_command import ending_of
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.unit_state import parse_unit
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs import sample_work
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs.played_systemd import SystemdHost

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
    from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs.conftest import Pipe

    Seconds = Callable[[float], Deadline]

ADD = FunctionWork.of(sample_work.add, a=2, b=3)
SLEEP = CommandWork.of(["sleep", "60"])


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
    request = JobRequest("switch", "0123456789abcdef", SLEEP, 3600.0, "systemd")
    argv = SystemdBackend(Host(SystemClock())).argv(
        request, ["sh", "-c", "echo $HOME"], {"StandardInput": "file:/run/x"}, {"A": "1"}, collect=True
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
        "--setenv=A=1",
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


@pytest.mark.parametrize("work", [ADD, CommandWork.of(["true"])], ids=["function", "command"])
def test_all_jobs_have_one_small_share_beside_pods(
    services: Jobs, systemd: SystemdHost, seconds: Seconds, work: FunctionWork | CommandWork
) -> None:
    services.start("job", work, deadline=seconds(20))
    finished(services, seconds)
    asked = systemd.calls.index(["systemctl", "set-property", "--runtime", "fieldops.slice", *SHARES])
    assert systemd.calls[asked + 1][0] == "systemd-run"


@pytest.mark.parametrize(
    ("systemd", "root", "work", "backend"),
    [
        pytest.param(True, "/", ADD, "systemd", id="function-on-a-host-with-python"),
        pytest.param(True, "/", SLEEP, "systemd-command", id="command-on-a-host"),
        pytest.param(True, "/host", SLEEP, "systemd-command", id="command-from-a-pod"),
        pytest.param(True, "/host", ADD, "detached", id="function-in-a-pod-whose-python-the-host-lacks"),
        pytest.param(False, "/", ADD, "detached", id="function-on-a-laptop"),
        pytest.param(False, "/", SLEEP, "detached", id="command-on-a-laptop"),
    ],
)
def test_who_runs_what(
    systemd: bool, root: str, work: FunctionWork | CommandWork, backend: str, tmp_path: Path
) -> None:
    launcher = JobLauncher(Host(SystemClock(), Path(root)), systemd)
    assert launcher.request(JobDirectory.below(tmp_path, "job"), work, 1.0, {}).backend == backend


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


class TestACommand:
    def test_its_unit_tells_how_it_ended_and_goes(self, services: Jobs, seconds: Seconds, systemd: SystemdHost) -> None:
        services.start("job", CommandWork.of(["sh", "-c", 'echo "$X $$"; exec true'], X="a b"), deadline=seconds(20))
        status = finished(services, seconds)
        assert status.state is JobState.SUCCEEDED
        assert status.result["rc"] == 0
        assert status.result["output"].startswith("a b ")
        assert "not-found" in systemd.units[status.unit or ""].shown()
        assert services.poll("job", deadline=seconds(20)) == status

    def test_it_runs_with_the_process_of_its_unit(self, services: Jobs, seconds: Seconds, systemd: SystemdHost) -> None:
        status = services.start("job", SLEEP, deadline=seconds(20))
        assert (status.state, status.backend) == (JobState.RUNNING, "systemd-command")
        assert status.process is not None
        assert status.process.pid == systemd.units[status.unit or ""].process.pid
        assert services.start("job", SLEEP, deadline=seconds(20)) == status
        with pytest.raises(JobConflictError):
            services.collect("job", deadline=seconds(20))

    def test_a_failed_one_is_told_with_its_last_words(self, services: Jobs, seconds: Seconds) -> None:
        services.start("job", CommandWork.of(["sh", "-c", "echo no space >&2; exit 3"]), deadline=seconds(20))
        status = finished(services, seconds)
        assert status.error is not None
        assert (status.error["kind"], status.error["partial"]["rc"]) == ("command_failed", 3)
        assert "with the output: no space" in status.sentence

    def test_a_missing_program_is_named_at_once(self, services: Jobs, seconds: Seconds) -> None:
        with pytest.raises(MissingRequirementError, match="Install fieldops-none on the host"):
            services.start("job", CommandWork.of(["fieldops-none"]), deadline=seconds(20))
        assert finished(services, seconds).never_ran

    def test_it_is_cancelled(self, services: Jobs, seconds: Seconds, systemd: SystemdHost) -> None:
        started = services.start("job", SLEEP, deadline=seconds(20))
        status = services.cancel("job", deadline=seconds(20))
        assert status is not None
        assert (status.state, status.run_id) == (JobState.CANCELLED, started.run_id)
        assert systemd.units[started.unit or ""].process.poll() == -signal.SIGTERM

    def test_one_that_somebody_else_stopped_is_lost(
        self, services: Jobs, seconds: Seconds, systemd: SystemdHost
    ) -> None:
        started = services.start("job", SLEEP, deadline=seconds(20))
        systemd.run(["systemctl", "stop", started.unit or ""])
        assert finished(services, seconds).state is JobState.LOST

    def test_its_unit_is_found_again_though_its_status_is_damaged(
        self, services: Jobs, seconds: Seconds, base: Path
    ) -> None:
        started = services.start("job", SLEEP, deadline=seconds(20))
        (base / "job/status.json").write_text("{")
        status = services.poll("job", deadline=seconds(20))
        assert status is not None
        assert (status.state, status.run_id) == (JobState.RUNNING, started.run_id)


ENDED = "LoadState=loaded\nActiveState=failed\nSubState=failed\nExecMainCode=1\nMainPID=0\n"


@pytest.mark.parametrize(
    ("shown", "kind", "words"),
    [
        (
            "Result=exit-code\nExecMainStatus=1\n",
            "command_failed",
            "result exit-code and status 1, with the output: said",
        ),
        ("Result=exit-code\nExecMainStatus=203\n", "missing_requirement", "could not execute its program"),
        ("Result=timeout\nExecMainStatus=15\n", "deadline_exceeded", "its time limit was reached. Its output: said"),
        ("Result=oom-kill\nExecMainStatus=9\n", "command_failed", "result oom-kill"),
    ],
    ids=["status", "not-executable", "timeout", "out-of-memory"],
)
def test_how_a_unit_failed(shown: str, kind: str, words: str) -> None:
    status = JobStatus("job", "0123456789", JobState.RUNNING, "Started.", "systemd-command", "t", "t")
    ending = ending_of(parse_unit(ENDED + shown), status, "said")
    assert ending.error is not None
    assert (ending.state, ending.error["kind"]) == (JobState.FAILED, kind)
    assert words in ending.sentence


def content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def pause_until_waiting(jobs: Jobs, seconds: Seconds) -> None:
    deadline = seconds(20)
    while "Waiting" not in getattr(jobs.poll("job", deadline=deadline), "sentence", ""):
        assert not deadline.expired
        deadline.pause(0.02)
