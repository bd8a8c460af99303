# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A lab's temporary directory and the processes that live in it; both go when the owner does, however that ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
import time
import typing as t
from collections.abc import Mapping, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab import cgroups
from ansible_collections.fieldops.openshift.tests.lab.clock import VARIABLE, LabClock
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError, last_lines

LEASH = (sys.executable, "-I", "-S", str(Path(__file__).with_name("leash.py")))
SWEEP = Path(__file__).with_name("sweep.py")
PREFIX = "fieldops-lab-"
GRACE_SECONDS = 10.0
FREEZE_SECONDS = 10.0
LOCK = ".lock"
GO_MEMORY = {"GOGC": "400", "GOMEMLIMIT": "1GiB"}
"""A quarter of what an API server computes until it is ready is Go's collector: programs here keep more garbage."""


class LeashedProcess:
    """A process of a workspace: ends with its owner, and can be stopped, killed or frozen before."""

    def __init__(
        self, name: str, command: Sequence[str | Path], lock: Path, log: Path, environment: Mapping[str, str]
    ) -> None:
        self.name = name
        self.log = log
        arguments = [*LEASH, "--lock", str(lock), "--log", str(log), "--", *map(str, command)]
        with log.open("ab") as errors:  # not the owner's: whoever reads those would wait for the leash to end
            self._leash = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, **environment},
                start_new_session=True,
            )
        assert self._leash.stdout
        line = self._leash.stdout.readline()
        if not line:
            raise LabError("start", on=name, seen="the process did not start", advice=f"Look at {log}.")
        self.pid = int(line)

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._leash.poll() is None

    def require_running(self) -> None:
        """Raise LabError with the end of the log if the process has ended."""
        if not self.is_running:
            raise LabError(
                "keep running",
                on=self.name,
                seen=f"exit status {self._leash.returncode}: {last_lines(self.log)}",
                advice=f"Look at {self.log}.",
            )

    def wait(self, timeout: float) -> bool:
        """Wait for the process to end by itself; return whether it did."""
        try:
            self._leash.wait(timeout)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        """Ask the process to end, and after a grace kill it."""
        self._signal(signal.SIGTERM)
        self.wait(GRACE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the process as a crash does."""
        assert self._leash.stdin
        assert self._leash.stdout
        self._leash.stdin.close()
        self._leash.wait()
        self._leash.stdout.close()

    def freeze(self) -> None:
        """Let the process hang: its connections stay open and nothing answers.

        A thread goes on for a moment after the signal was sent, long enough to answer a request; that is waited for.
        """
        self._signal(signal.SIGSTOP)
        deadline = time.monotonic() + FREEZE_SECONDS
        while self.is_running and not _is_stopped(self.pid):
            if time.monotonic() > deadline:
                raise LabError("freeze", on=f"process {self.pid}", seen="it goes on", advice="Is it being traced?")
            time.sleep(0.001)

    def thaw(self) -> None:
        """Let a frozen process go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self.is_running:
            os.kill(self.pid, number)


def _is_stopped(pid: int) -> bool:
    """Whether every thread of a process is stopped (proc_pid_stat(5), ``state``)."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that ends while it is looked at
        states = [path.read_text().rpartition(")")[2].split()[0] for path in Path(f"/proc/{pid}/task").glob("*/stat")]
        return set(states) == {"T"}
    return False


class Workspace:
    """A private directory and its processes.

    ``close`` kills the processes in the reverse order of their start and removes the directory. When the owning process
    dies without calling it, the leashes and the broom do the same. A lock on ``.lock``, shared by the owner and all
    leashes, says that the directory is in use. All processes follow its ``clock``, as far as they can.
    """

    def __init__(self, name: str) -> None:
        self.directory, self._lock = _claim(name)
        self.clock = LabClock(self.directory)
        self._processes: list[LeashedProcess] = []
        arguments = [*LEASH, "--lock", self._lock.name, "--broom", "--", *_sweep_command(self.directory)]
        self._broom = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def start(self, name: str, command: Sequence[str | Path]) -> LeashedProcess:
        """Start a process whose output goes to ``NAME.log``."""
        environment = {VARIABLE: str(self.clock.file), **GO_MEMORY}
        log = self.directory / f"{name}.log"
        process = LeashedProcess(name, command, Path(self._lock.name), log, environment)
        self._processes.append(process)
        return process

    def close(self) -> None:
        """End everything and remove the directory; does nothing the second time."""
        while self._processes:
            self._processes.pop().kill()
        self._lock.close()
        assert self._broom.stdin
        self._broom.stdin.close()
        self._broom.wait()


def sweep_abandoned() -> list[Path]:
    """Remove workspaces whose owner, leashes and broom have all died, and return which those were."""
    swept = []
    for lock in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{LOCK}"):
        with lock.open("w") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            subprocess.run(_sweep_command(lock.parent), check=True)
            swept.append(lock.parent)
    return swept


def _claim(name: str) -> tuple[Path, t.TextIO]:
    """Make a directory and lock it; another one if a sweep took it for abandoned between the two."""
    while True:
        directory = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{name}-"))
        lock = (directory / LOCK).open("w")
        fcntl.flock(lock, fcntl.LOCK_SH)
        if Path(lock.name).exists():
            return directory, lock
        lock.close()


def _sweep_command(directory: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(SWEEP), str(directory), *map(str, cgroups.hierarchies())]


def write_private(path: Path, content: str) -> Path:
    """Write a file that only its owner may read, and return its path; a reader finds it whole at any time."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as handle:
        handle.write(content)
    return temporary.replace(path)
