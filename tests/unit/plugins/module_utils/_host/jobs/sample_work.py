# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Work for the jobs of the tests. Named pipes are the events: whoever opens one waits until the other side does."""

from __future__ import annotations

import hashlib
import importlib
import os
import signal
import subprocess
import sys
import threading
import typing as t
from collections.abc import Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter


class BlobError(FieldOpsError):
    """An error of some other room."""

    kind = "blob"


def add(*, a: int, b: int, progress: ProgressReporter) -> dict[str, int]:
    progress.report("Adding", done=0, total=2, unit="numbers")
    progress.report(done=2)
    return {"sum": a + b}


def wait_for(*, pipe: str, progress: ProgressReporter) -> str:
    """Return what somebody writes into ``pipe``."""
    progress.report(f"Waiting at {Path(pipe).name}", done=1, total=3, unit="steps")
    return Path(pipe).read_text()


def note_and_wait(*, notes: str, pipe: str, progress: ProgressReporter) -> str:
    with Path(notes).open("a") as stream:
        stream.write("ran\n")
    return wait_for(pipe=pipe, progress=progress)


def wait_and_import(*, pipe: str, module: str, progress: ProgressReporter) -> str:
    """Import ``module`` only after the event."""
    assert module not in sys.modules
    wait_for(pipe=pipe, progress=progress)
    return importlib.import_module(module).__file__ or ""


def fail(*, progress: ProgressReporter) -> t.NoReturn:
    progress.report("Fetching blob 2")
    raise BlobError("fetch", on="sha256:ab", seen="404", advice="Build again.", partial={"blobs": 1}, transient=True)


def fail_at_length(*, progress: ProgressReporter) -> t.NoReturn:
    progress.report("Filling the report")
    partial = {"much": "x" * 3_000_000, "strange": {1, 2}}
    raise BlobError("fetch", on=os.fsdecode(b"caf\xe9"), seen="404" * 1_000_000, advice="Build again.", partial=partial)


def leave_a_thread(*, pipe: str, progress: ProgressReporter) -> str:
    """Return while a thread that nobody ends still waits, and would go on reporting."""

    def wait() -> None:
        Path(pipe).read_text()
        progress.report("Still here")

    progress.report("Leaving a thread")
    threading.Thread(target=wait).start()
    return "done"


def leave_a_child(*, pipe: str, progress: ProgressReporter) -> str:
    """Start a process that gets every descriptor that can be inherited, and wait."""
    subprocess.Popen(["sleep", "60"], close_fds=False)
    return wait_for(pipe=pipe, progress=progress)


def crash(*, progress: ProgressReporter) -> t.NoReturn:
    progress.report("Stumbling")
    raise ValueError("surprise")


def leave(*, progress: ProgressReporter) -> t.NoReturn:
    progress.report("Leaving")
    sys.exit(7)


def give(*, kind: str, progress: ProgressReporter) -> t.Any:
    progress.report("Giving")
    return {"set": {1}, "nan": float("nan"), "large": "x" * 3_000_000, "none": None}[kind]


def use_secret(*, pipe: str, failing: bool, progress: ProgressReporter, secrets: Mapping[str, str]) -> str:
    """Tell everybody the secret, and prove by its digest that it arrived."""
    password = secrets["password"]
    print("the password is", password)
    print("and again", password, file=sys.stderr)
    progress.report(f"Logging in with {password}")
    Path(pipe).read_text()
    if failing:
        raise BlobError("log in", on="registry", seen=f"no: {password}", advice="Ask.", partial={password: [password]})
    print("the digest is", hashlib.sha256(password.encode()).hexdigest())
    return hashlib.sha256(password.encode()).hexdigest() + password


STUBBORN = "trap '' TERM; echo $$ > \"$0\"; while :; do sleep 1; done"


def run_command_for_ever(*, pid_file: str, progress: ProgressReporter) -> None:
    """Run a command, in a session of its own like every command, whose child ignores SIGTERM in yet another one."""
    progress.report("Running")
    clock = SystemClock()
    argv = ["sh", "-c", 'setsid sh -c "$0" "$1" & wait', STUBBORN, pid_file]
    Host(clock).run(argv, deadline=Deadline(60, clock))


def ignore_everything(*, pipe: str, progress: ProgressReporter) -> str:
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
    return wait_for(pipe=pipe, progress=progress)


def clean_up(*, pipe: str, traces: str, progress: ProgressReporter) -> None:
    try:
        wait_for(pipe=pipe, progress=progress)
    except Exception:
        Path(traces).write_text("an except clause took the cancellation for a failure")
    finally:
        with Path(traces).open("a") as stream:
            stream.write("cleaned up")


def print_much(*, lines: int, progress: ProgressReporter) -> None:
    progress.report("Printing")
    for number in range(lines):
        print(f"line {number}".ljust(99))
    print("the last line")
