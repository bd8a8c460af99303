# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Commands run to their end or to a deadline: a list of words, never a shell, and no process left behind."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_pipes import CommandPipes
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import (
    QUOTED,
    CommandResult,
    displayed,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    FieldOpsError,
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.masking import Mask

OUTPUT_LIMIT = 1024 * 1024
"""Bytes kept of each output stream unless the caller asks for another bound."""

TERMINATION_GRACE = 3.0
"""Seconds between SIGTERM and SIGKILL for a command that outlived its deadline."""

LINGERING = 1.0
"""Seconds to continue reading after the command ended while a process that it left behind holds its output open."""


def run_command(
    argv: Sequence[str],
    *,
    deadline: Deadline,
    environment: Mapping[str, str],
    stdin: bytes = b"",
    limit: int = OUTPUT_LIMIT,
    tee: t.Callable[[bytes], object] | None = None,
    mask: Mask | None = None,
) -> CommandResult:
    """Run ``argv`` with exactly ``environment`` and return how it ended, with any exit status.

    The command leads a session of its own. At the deadline, or when this call is interrupted, its whole process group
    gets SIGTERM and ``TERMINATION_GRACE`` seconds later SIGKILL. ``stdin`` is all of its input. ``tee`` gets every
    chunk of both streams as it arrives; ``mask`` is applied to what an error quotes. Most callers want ``Host.run``,
    which adds environment, root and checks.

    Raises MissingRequirementError when the program cannot be started, DeadlineExceededError at the deadline.
    """
    _refuse_unusable(argv)
    started = deadline.elapsed
    process = _spawn(argv, environment, piped=bool(stdin))
    pipes = CommandPipes(process, stdin, limit, tee)
    try:
        in_time = _converse(process, pipes, deadline)
    except BaseException:
        kill_group(process)
        raise
    finally:
        pipes.close()
    result = _result(argv, process, pipes, deadline.elapsed - started)
    if not in_time:
        raise _too_late(result, deadline, mask or Mask())
    return result


def _refuse_unusable(argv: Sequence[str]) -> None:
    if isinstance(argv, str) or not argv or not all(isinstance(word, str) and "\0" not in word for word in argv):
        raise InvalidInputError(
            "run a command",
            on="argv",
            seen=f"{argv!r:.200}",
            advice="Use a non-empty list of strings without NUL characters.",
        )


def _spawn(argv: Sequence[str], environment: Mapping[str, str], *, piped: bool) -> subprocess.Popen[bytes]:
    try:
        # AnsibleModule.run_command knows no deadline and no process groups, and there is no AnsibleModule here.
        return subprocess.Popen(  # pylint: disable=ansible-bad-function
            list(argv),
            stdin=subprocess.PIPE if piped else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd="/",
            start_new_session=True,
            bufsize=0,
        )
    except OSError as error:
        raise cannot_start(argv, error) from error


def cannot_start(argv: Sequence[str], error: OSError) -> FieldOpsError:
    """Return the error for a program that the system would not start."""
    # For a bare name, one directory of PATH that we may not enter turns "not found" into "permission denied".
    is_hidden = error.errno == errno.EACCES and "/" not in argv[0]
    number = errno.ENOENT if is_hidden else error.errno or 0
    attempted, on, seen = f"start {argv[0]}", "this host", os.strerror(number)
    cure = {
        errno.ENOENT: f"Install the package that provides {argv[0]}.",
        errno.EACCES: f"Make {argv[0]} executable, and mount its file system without noexec.",
        errno.ENOEXEC: f"Install the build of {argv[0]} for the architecture of this machine.",
    }
    if number in cure:
        return MissingRequirementError(attempted, on=on, seen=seen, advice=cure[number])
    advice = "Check the length of the command, and the memory and process limits of this host."
    return FieldOpsError(attempted, on=on, seen=seen, advice=advice)


def _converse(process: subprocess.Popen[bytes], pipes: CommandPipes, deadline: Deadline) -> bool:
    """Serve the pipes until the command ends, and return whether it did so in time."""
    while process.poll() is None:
        if deadline.expired:
            kill_group(process)
            pipes.step(0)
            return False
        if pipes.open:
            pipes.step(min(deadline.remaining, 0.2))
        else:
            deadline.pause(0.01)
    # What an ended command has written is read even when that was its last moment.
    rest = Deadline(LINGERING, deadline.clock)
    while pipes.open and not rest.expired:
        pipes.step(min(rest.remaining, 0.2))
    return True


def _result(
    argv: Sequence[str], process: subprocess.Popen[bytes], pipes: CommandPipes, seconds: float
) -> CommandResult:
    return CommandResult(
        argv=tuple(argv),
        rc=process.returncode,
        stdout=pipes.stdout.text(),
        stderr=pipes.stderr.text(),
        seconds=seconds,
        stdout_cut=pipes.stdout.cut,
        stderr_cut=pipes.stderr.cut,
    )


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End ``process`` and everything in its process group."""
    # SIGKILL also after a clean end of the leader: members of its group may have ignored SIGTERM. A leader that
    # sleeps in the kernel can survive even that; it is left to the kernel then.
    for number in (signal.SIGTERM, signal.SIGKILL):
        _signal_group(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(TERMINATION_GRACE)


def _signal_group(group: int, number: int) -> None:
    # No process may be left, or on some systems only a zombie, which refuses signals.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _too_late(result: CommandResult, deadline: Deadline, mask: Mask) -> DeadlineExceededError:
    stdout, stderr = (mask.text(text)[-QUOTED:].strip() for text in (result.stdout, result.stderr))
    output = stderr or stdout or "none"
    return DeadlineExceededError(
        f"run {displayed(result.argv)}",
        on="this host",
        seen=f"after {deadline.seconds:.0f} s it was still running and was stopped. Its output: {output}",
        advice="Allow more time, or check on that host what the command is waiting for.",
        partial={"argv": list(result.argv), "stdout": stdout, "stderr": stderr},
    )
