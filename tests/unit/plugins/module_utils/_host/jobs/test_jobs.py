# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Jobs as real detached processes: started once, told of, cancelled, lost and collected."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import typing as t
import uuid
import venv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs import jobs as jobs_module
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.backends import wait_until
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.errors import (
    JobConflictError,
    JobFailedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import (
    JobProgress,
    JobState,
    JobStatus,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import FileLock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import (
    ProcessIdentity,
    marked_processes,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    InvalidInputError,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs import sample_work
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._host.jobs.conftest import Pipe

Seconds = Callable[[float], Deadline]

ADD = FunctionWork.of(sample_work.add, a=2, b=3)


def finished(jobs: Jobs, seconds: Seconds, job_id: str = "job") -> JobStatus:
    status = jobs.wait(job_id, deadline=seconds(20))
    assert status is not None
    assert status.is_finished
    return status


def done(jobs: Jobs, seconds: Seconds, work: FunctionWork, **given: t.Any) -> JobStatus:
    jobs.start("job", work, deadline=seconds(20), **given)
    return finished(jobs, seconds)


def waiting(jobs: Jobs, seconds: Seconds, pipe: Pipe) -> JobStatus:
    """Start a job that waits at the pipe, and return its status once it does."""
    jobs.start("job", FunctionWork.of(sample_work.wait_for, pipe=pipe.path), deadline=seconds(20))
    return when(jobs, seconds, lambda status: status.sentence == "Waiting at pipe")


def when(jobs: Jobs, seconds: Seconds, condition: Callable[[JobStatus], bool]) -> JobStatus:
    seen: list[JobStatus] = []

    def is_so() -> bool:
        status = jobs.poll("job", deadline=seconds(20))
        assert status is not None
        seen[:] = [status]
        return condition(status)

    assert wait_until(is_so, seconds(20)), seen
    return seen[0]


def printed(base: Path) -> str:
    return JobDirectory.below(base, "job").log_end()


def pid_of(status: JobStatus) -> int:
    assert status.process is not None
    return status.process.pid


class TestAFunction:
    def test_its_result_arrives(self, jobs: Jobs, seconds: Seconds) -> None:
        status = done(jobs, seconds, ADD)
        assert (status.state, status.result, status.error) == (JobState.SUCCEEDED, {"sum": 5}, None)
        assert status.require_success() == {"sum": 5}
        assert status.progress == JobProgress(done=2, total=2, unit="numbers")

    def test_times_are_told_in_order(self, jobs: Jobs, seconds: Seconds) -> None:
        status = done(jobs, seconds, ADD)
        times = [status.created, status.started or "", status.finished or ""]
        assert times == sorted(times)
        assert all(time.endswith("Z") for time in times)

    def test_it_is_told_of_while_it_runs(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        status = waiting(jobs, seconds, pipe)
        assert (status.state, status.progress) == (JobState.RUNNING, JobProgress(1, 3, "steps"))
        assert ProcessIdentity.of(pid_of(status)) == status.process
        pipe.release("hello")
        assert finished(jobs, seconds).result == "hello"

    def test_an_error_on_purpose_arrives_word_for_word(self, jobs: Jobs, seconds: Seconds) -> None:
        status = done(jobs, seconds, FunctionWork.of(sample_work.fail))
        assert status.state is JobState.FAILED
        assert status.error == {
            "kind": "blob",
            "attempted": "fetch",
            "on": "sha256:ab",
            "seen": "404",
            "advice": "Build again.",
            "partial": {"blobs": 1},
            "transient": True,
        }
        with pytest.raises(JobFailedError, match=r"Could not fetch on sha256:ab: 404\. Build again\.") as caught:
            status.require_success()
        assert (caught.value.kind, caught.value.partial, caught.value.transient) == (
            "blob",
            {"blobs": 1},
            True,
        )

    def test_an_error_of_any_length_and_with_any_names_can_be_told(self, jobs: Jobs, seconds: Seconds) -> None:
        status = done(jobs, seconds, FunctionWork.of(sample_work.fail_at_length))
        assert status.error is not None
        assert (status.state, status.error["kind"]) == (JobState.FAILED, "blob")
        assert status.error["on"] == os.fsdecode(b"caf\xe9")

    def test_it_is_over_with_its_report_whatever_threads_it_left(
        self, jobs: Jobs, seconds: Seconds, pipe: Pipe
    ) -> None:
        status = done(jobs, seconds, FunctionWork.of(sample_work.leave_a_thread, pipe=pipe.path))
        assert status.process is not None
        process = status.process
        assert wait_until(lambda: not process.is_alive, seconds(20))
        assert finished(jobs, seconds) == status

    def test_an_unexpected_exception_leaves_its_traceback_in_the_log_only(
        self, jobs: Jobs, seconds: Seconds, base: Path
    ) -> None:
        status = done(jobs, seconds, FunctionWork.of(sample_work.crash))
        assert status.error is not None
        assert (status.error["kind"], status.error["seen"]) == ("unexpected", "ValueError: surprise")
        assert "Traceback" not in json.dumps(status.to_document())
        assert "in crash" in printed(base)

    def test_leaving_the_interpreter_is_unexpected_too(self, jobs: Jobs, seconds: Seconds) -> None:
        status = done(jobs, seconds, FunctionWork.of(sample_work.leave))
        assert status.error is not None
        assert (status.state, status.error["seen"]) == (JobState.FAILED, "SystemExit: 7")

    @pytest.mark.parametrize(
        ("kind", "seen"), [("set", "not JSON serializable"), ("nan", "not JSON compliant"), ("large", "3000002 bytes")]
    )
    def test_a_result_that_cannot_be_kept_is_a_failure(
        self, jobs: Jobs, seconds: Seconds, kind: str, seen: str
    ) -> None:
        status = done(jobs, seconds, FunctionWork.of(sample_work.give, kind=kind))
        assert status.state is JobState.FAILED
        assert seen in status.sentence

    def test_its_time_is_bounded(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        work = FunctionWork.of(sample_work.wait_for, pipe=pipe.path)
        status = done(jobs, seconds, work, max_seconds=0.5)
        assert status.error is not None
        assert (status.state, status.error["kind"]) == (JobState.FAILED, "deadline_exceeded")
        assert "last status: Waiting at pipe" in status.sentence

    def test_what_it_prints_is_bounded_and_ends_with_the_end(self, jobs: Jobs, seconds: Seconds, base: Path) -> None:
        done(jobs, seconds, FunctionWork.of(sample_work.print_much, lines=30_000))
        assert sum(path.stat().st_size for path in (base / "job").glob("output.log*")) <= 1024 * 1024
        assert printed(base).endswith("the last line\n")

    def test_another_package_of_the_name_of_ours_does_not_hide_it(
        self, jobs: Jobs, seconds: Seconds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The ansible distribution brings a regular package, which Python prefers to directories."""
        venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
        (site,) = (tmp_path / "venv").glob("lib/python3*/site-packages")
        (site / "ansible_collections").mkdir()
        (site / "ansible_collections/__init__.py").write_text("")
        monkeypatch.setattr(sys, "executable", str(tmp_path / "venv/bin/python"))
        assert done(jobs, seconds, ADD).state is JobState.SUCCEEDED


class TestStart:
    def test_the_same_running_request_is_found_again(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        first = waiting(jobs, seconds, pipe)
        again = jobs.start(
            "job", FunctionWork.of(sample_work.wait_for, pipe=pipe.path), deadline=seconds(20), restart=True
        )
        assert (again.run_id, again.state) == (first.run_id, JobState.RUNNING)

    def test_the_same_finished_request_gives_its_result(self, jobs: Jobs, seconds: Seconds) -> None:
        first = done(jobs, seconds, ADD)
        assert jobs.start("job", ADD, deadline=seconds(20)) == first

    def test_a_failure_is_a_result_too(self, jobs: Jobs, seconds: Seconds) -> None:
        first = done(jobs, seconds, FunctionWork.of(sample_work.fail))
        assert jobs.start("job", FunctionWork.of(sample_work.fail), deadline=seconds(20)) == first

    def test_a_restart_is_another_run(self, jobs: Jobs, seconds: Seconds) -> None:
        first = done(jobs, seconds, ADD)
        second = done(jobs, seconds, ADD, restart=True)
        assert first.run_id != second.run_id
        assert second.state is JobState.SUCCEEDED

    def test_another_request_does_not_disturb_a_running_one(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        first = waiting(jobs, seconds, pipe)
        with pytest.raises(JobConflictError, match=r"it is running since .*: Waiting at pipe") as caught:
            jobs.start("job", ADD, deadline=seconds(20))
        assert caught.value.partial["job"]["runId"] == first.run_id
        pipe.release()
        assert finished(jobs, seconds).run_id == first.run_id

    def test_another_request_follows_a_finished_one(self, jobs: Jobs, seconds: Seconds) -> None:
        done(jobs, seconds, FunctionWork.of(sample_work.fail))
        assert done(jobs, seconds, ADD).result == {"sum": 5}

    def test_of_many_starters_exactly_one_starts(
        self, jobs: Jobs, seconds: Seconds, base: Path, tmp_path: Path, pipe: Pipe
    ) -> None:
        program = f"""
import sys
from pathlib import Path
from {sample_work.__name__} import Deadline, Host, SystemClock, note_and_wait
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
clock = SystemClock()
jobs = Jobs(Host(clock), Path(sys.argv[1]), systemd=False)
work = FunctionWork.of(note_and_wait, notes=sys.argv[2], pipe=sys.argv[3])
print("ready", flush=True)
input()
print(jobs.start("job", work, deadline=Deadline(30, clock)).run_id)
"""
        argv = [sys.executable, "-c", program, str(base), str(tmp_path / "notes"), pipe.path]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        starters = [
            subprocess.Popen(argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _again in range(8)
        ]
        for starter in starters:
            assert starter.stdout
            assert starter.stdout.readline() == "ready\n"
        for starter in starters:
            assert starter.stdin
            starter.stdin.write("\n")
            starter.stdin.flush()
        run_ids = {starter.communicate()[0] for starter in starters}
        assert len(run_ids) == 1
        pipe.release()
        assert finished(jobs, seconds).state is JobState.SUCCEEDED
        assert (tmp_path / "notes").read_text() == "ran\n"

    def test_what_a_killed_starter_left_is_begun_again(self, jobs: Jobs, seconds: Seconds, base: Path) -> None:
        (base / "job").mkdir(parents=True, mode=0o700)
        base.chmod(0o700)
        (base / "job/request.json").write_text("{")
        assert done(jobs, seconds, ADD).state is JobState.SUCCEEDED

    def test_a_process_that_cannot_begin_is_lost_and_says_why(
        self, jobs: Jobs, seconds: Seconds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        broken = tmp_path / "python"
        broken.write_text("#!/bin/sh\necho 'libpython is missing' >&2\nexit 127\n")
        broken.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(broken))
        status = jobs.start("job", ADD, deadline=seconds(20))
        assert (status.state, status.never_ran) == (JobState.LOST, True)
        assert status.error is not None
        assert "libpython is missing" in status.error["partial"]["output"]
        monkeypatch.undo()
        assert done(jobs, seconds, ADD).state is JobState.SUCCEEDED

    def test_a_base_that_others_may_write_is_refused(self, jobs: Jobs, seconds: Seconds, base: Path) -> None:
        base.mkdir()
        base.chmod(0o777)
        with pytest.raises(FileAccessError, match="other users can write"):
            jobs.start("job", ADD, deadline=seconds(20))

    @pytest.mark.parametrize("job_id", ["", "..", "a/b", ".hidden", "a..b", "-x", "A", "x" * 101, "a\n", "%i", "a b"])
    def test_an_id_that_is_no_name_is_refused(self, jobs: Jobs, seconds: Seconds, job_id: str) -> None:
        with pytest.raises(InvalidInputError, match="not a valid id"):
            jobs.start(job_id, ADD, deadline=seconds(20))


class TestOutliving:
    def test_it_goes_on_when_its_starter_is_killed_with_its_group(
        self, jobs: Jobs, seconds: Seconds, base: Path, pipe: Pipe
    ) -> None:
        program = f"""
import sys
from pathlib import Path
from {sample_work.__name__} import Deadline, Host, SystemClock, wait_for
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
clock = SystemClock()
jobs = Jobs(Host(clock), Path(sys.argv[1]), systemd=False)
jobs.start("job", FunctionWork.of(wait_for, pipe=sys.argv[2]), deadline=Deadline(30, clock))
print("started", flush=True)
input()
"""
        starter = subprocess.Popen(
            [sys.executable, "-c", program, str(base), pipe.path],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        with starter:
            assert starter.stdout
            starter.stdout.readline()
            os.killpg(starter.pid, signal.SIGKILL)
        when(jobs, seconds, lambda status: status.state is JobState.RUNNING)
        pipe.release("after the kill")
        assert finished(jobs, seconds).result == "after the kill"

    def test_it_leads_a_session_and_can_be_found_by_its_mark(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        status = waiting(jobs, seconds, pipe)
        assert os.getsid(pid_of(status)) == os.getpgid(pid_of(status)) == pid_of(status)
        assert marked_processes(status.run_id) == (pid_of(status),)

    def test_it_holds_nothing_of_its_starter(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        """An open descriptor would keep a connection waiting; the life lock is the only one that is inherited."""
        reading, writing = os.pipe()
        os.set_inheritable(writing, True)
        waiting(jobs, seconds, pipe)
        os.close(writing)
        with os.fdopen(reading, "rb") as stream:
            assert stream.read() == b""


class TestLoss:
    def test_a_killed_process_is_lost_with_what_is_known(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        running = waiting(jobs, seconds, pipe)
        os.kill(pid_of(running), signal.SIGKILL)
        status = finished(jobs, seconds)
        assert status.state is JobState.LOST
        assert status.sentence.startswith(f"its process {pid_of(running)} ended without a report")
        assert "last status: Waiting at pipe" in status.sentence
        assert status.error is not None
        assert status.error["partial"]["job_progress"] == {"done": 1, "total": 3, "unit": "steps"}
        assert not status.never_ran

    def test_its_children_do_not_live_for_it(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        jobs.start("job", FunctionWork.of(sample_work.leave_a_child, pipe=pipe.path), deadline=seconds(20))
        running = when(jobs, seconds, lambda status: status.sentence == "Waiting at pipe")
        os.kill(pid_of(running), signal.SIGKILL)
        assert finished(jobs, seconds).state is JobState.LOST
        jobs.collect("job", deadline=seconds(20))
        assert marked_processes(running.run_id) == ()

    def test_told_to_end_by_somebody_else_it_is_lost_not_cancelled(
        self, jobs: Jobs, seconds: Seconds, pipe: Pipe
    ) -> None:
        """A shutdown sends SIGTERM; the job must be found unfinished after it."""
        os.kill(pid_of(waiting(jobs, seconds, pipe)), signal.SIGTERM)
        status = finished(jobs, seconds)
        assert (status.state, status.never_ran) == (JobState.LOST, False)
        assert status.sentence == "another process stopped it, as in a shutdown; last status: Waiting at pipe"

    def test_a_lost_job_stays_lost_until_it_is_restarted(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        os.kill(pid_of(waiting(jobs, seconds, pipe)), signal.SIGKILL)
        lost = finished(jobs, seconds)
        work = FunctionWork.of(sample_work.wait_for, pipe=pipe.path)
        assert jobs.start("job", work, deadline=seconds(20)) == lost
        assert jobs.start("job", work, deadline=seconds(20), restart=True).run_id != lost.run_id
        pipe.release("again")
        assert finished(jobs, seconds).result == "again"

    def test_after_a_restart_of_the_host_it_is_lost(self, jobs: Jobs, seconds: Seconds, base: Path, pipe: Pipe) -> None:
        """A power cut is played by the status of another boot, which nobody's lock belongs to."""
        running = waiting(jobs, seconds, pipe)
        os.kill(pid_of(running), signal.SIGKILL)
        job = JobDirectory.below(base, "job")
        assert wait_until(lambda: not FileLock.is_held(job.life), seconds(20))
        assert running.process is not None
        job.write_status(replace(running, process=replace(running.process, boot_id="another")))
        status = finished(jobs, seconds)
        assert status.sentence.startswith("the host was restarted while it ran")

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b'{"id": "jo',
            b"\0" * 4096,
            b"[]",
            b"{}",
            b'{"schemaVersion": 99}',
            b'"\xff"',
        ],
        ids=["empty", "torn", "zeros", "list", "nothing", "newer-schema", "not-utf8"],
    )
    def test_a_damaged_status_is_lost_and_says_so(
        self, jobs: Jobs, seconds: Seconds, base: Path, content: bytes
    ) -> None:
        done(jobs, seconds, ADD)
        (base / "job/status.json").write_bytes(content)
        status = finished(jobs, seconds)
        assert status.state is JobState.LOST
        assert "Its status cannot be read" in status.sentence
        assert finished(jobs, seconds) == status
        assert done(jobs, seconds, ADD).state is JobState.SUCCEEDED

    def test_a_living_job_with_a_damaged_status_still_runs(
        self, jobs: Jobs, seconds: Seconds, base: Path, pipe: Pipe
    ) -> None:
        run_id = waiting(jobs, seconds, pipe).run_id
        (base / "job/status.json").write_bytes(b"{")
        status = jobs.poll("job", deadline=seconds(20))
        assert status is not None
        assert (status.state, status.run_id) == (JobState.RUNNING, run_id)
        pipe.release("done")
        assert finished(jobs, seconds).result == "done"

    def test_what_a_lost_job_left_behind_is_ended_before_the_next_run(
        self, jobs: Jobs, seconds: Seconds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(jobs_module, "GRACE", 0.3)
        work = FunctionWork.of(sample_work.run_command_for_ever, pid_file=str(tmp_path / "pid"))
        jobs.start("job", work, deadline=seconds(20))
        orphan = grandchild(tmp_path / "pid", seconds)
        running = jobs.poll("job", deadline=seconds(20))
        assert running is not None
        os.kill(pid_of(running), signal.SIGKILL)
        assert finished(jobs, seconds).state is JobState.LOST
        assert ProcessIdentity.of(orphan).is_alive
        done(jobs, seconds, ADD)
        assert not ProcessIdentity.of(orphan).is_alive


def grandchild(pid_file: Path, seconds: Seconds) -> int:
    """Return the number of the grandchild of ``run_command_for_ever`` once it has told it."""
    assert wait_until(lambda: pid_file.exists() and pid_file.read_text().endswith("\n"), seconds(20))
    return int(pid_file.read_text())


class TestCancel:
    def test_all_its_processes_end_whatever_they_ignore(self, jobs: Jobs, seconds: Seconds, tmp_path: Path) -> None:
        work = FunctionWork.of(sample_work.run_command_for_ever, pid_file=str(tmp_path / "pid"))
        started = jobs.start("job", work, deadline=seconds(20))
        child = grandchild(tmp_path / "pid", seconds)
        status = jobs.cancel("job", deadline=seconds(20), grace=0.5)
        assert status is not None
        assert status.state is JobState.CANCELLED
        assert not ProcessIdentity.of(child).is_alive
        assert marked_processes(started.run_id) == ()

    def test_the_work_may_clean_up_but_not_go_on(
        self, jobs: Jobs, seconds: Seconds, tmp_path: Path, pipe: Pipe
    ) -> None:
        traces = tmp_path / "traces"
        jobs.start(
            "job", FunctionWork.of(sample_work.clean_up, pipe=pipe.path, traces=str(traces)), deadline=seconds(20)
        )
        when(jobs, seconds, lambda status: status.sentence == "Waiting at pipe")
        status = jobs.cancel("job", deadline=seconds(20))
        assert status is not None
        assert status.sentence == "Cancelled on request; last status: Waiting at pipe"
        assert traces.read_text() == "cleaned up"

    def test_who_does_not_listen_is_killed_after_the_grace(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        jobs.start("job", FunctionWork.of(sample_work.ignore_everything, pipe=pipe.path), deadline=seconds(20))
        running = when(jobs, seconds, lambda status: status.sentence == "Waiting at pipe")
        status = jobs.cancel("job", deadline=seconds(20), grace=0.3)
        assert status is not None
        assert status.state is JobState.CANCELLED
        assert running.process is not None
        assert not running.process.is_alive

    def test_a_finished_job_stays_as_it_is(self, jobs: Jobs, seconds: Seconds) -> None:
        status = done(jobs, seconds, ADD)
        assert jobs.cancel("job", deadline=seconds(20)) == status

    def test_a_cancelled_job_stays_so_until_it_is_restarted(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        waiting(jobs, seconds, pipe)
        cancelled = jobs.cancel("job", deadline=seconds(20))
        assert (
            jobs.start("job", FunctionWork.of(sample_work.wait_for, pipe=pipe.path), deadline=seconds(20)) == cancelled
        )


class TestCollect:
    def test_it_returns_the_result_once_and_leaves_nothing(self, jobs: Jobs, seconds: Seconds, base: Path) -> None:
        status = done(jobs, seconds, ADD)
        assert jobs.collect("job", deadline=seconds(20)) == status
        assert jobs.collect("job", deadline=seconds(20)) is None
        assert list(base.iterdir()) == []

    def test_a_running_job_is_not_collected(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        waiting(jobs, seconds, pipe)
        with pytest.raises(JobConflictError, match="Wait until it ends, or cancel it"):
            jobs.collect("job", deadline=seconds(20))


@pytest.mark.parametrize("method", ["poll", "wait", "cancel", "collect"])
def test_a_job_that_never_was_is_none(jobs: Jobs, seconds: Seconds, base: Path, method: str) -> None:
    assert getattr(jobs, method)("job", deadline=seconds(20)) is None
    assert not base.exists()


def test_a_step_ends_at_its_deadline_while_another_is_at_it(jobs: Jobs, seconds: Seconds, base: Path) -> None:
    base.mkdir(mode=0o700)
    gate = FileLock.acquire(JobDirectory.below(base, "job").gate, seconds(20))
    with pytest.raises(DeadlineExceededError, match="another process still held it"):
        jobs.start("job", ADD, deadline=seconds(0.2))
    gate.release()


class TestSecrets:
    CANARY = f"canary-pässword-{uuid.uuid4().hex}"

    def places(self, base: Path) -> list[str]:
        """Everywhere that the canary could be written: files of the job, arguments and environments of processes."""
        kernel = [*Path("/proc").glob("[0-9]*/cmdline"), *Path("/proc").glob("[0-9]*/environ")]
        found = []
        for path in [*base.rglob("*"), *kernel]:
            try:
                content = path.read_bytes() if not path.is_dir() else b""
            except OSError:
                continue
            if self.CANARY.encode() in content or self.CANARY[-32:].encode() in content:
                found.append(str(path))
        return found

    @pytest.mark.parametrize("failing", [False, True], ids=["succeeding", "failing"])
    def test_they_arrive_and_are_written_nowhere(
        self, jobs: Jobs, seconds: Seconds, base: Path, pipe: Pipe, failing: bool
    ) -> None:
        work = FunctionWork.of(sample_work.use_secret, pipe=pipe.path, failing=failing)
        jobs.start("job", work, deadline=seconds(20), secrets={"password": self.CANARY})
        when(jobs, seconds, lambda status: status.sentence == "Logging in with ********")
        assert self.places(base) == []
        pipe.release()
        status = finished(jobs, seconds)
        assert self.places(base) == []
        log = printed(base)
        assert "the password is ********" in log
        assert "and again ********" in log
        if failing:
            assert status.error is not None
            assert status.error["partial"] == {"********": ["********"]}
        else:
            assert status.result == hashlib.sha256(self.CANARY.encode()).hexdigest() + "********"

    def test_their_values_are_not_part_of_the_request(self, jobs: Jobs, seconds: Seconds, pipe: Pipe) -> None:
        work = FunctionWork.of(sample_work.use_secret, pipe=pipe.path, failing=False)
        first = jobs.start("job", work, deadline=seconds(20), secrets={"password": "canary-old"})
        again = jobs.start("job", work, deadline=seconds(20), secrets={"password": "canary-new"})
        assert again.run_id == first.run_id
        pipe.release()
