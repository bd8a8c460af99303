# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The output of a command that is read while it runs, as far as the caller wants it."""

from __future__ import annotations

import contextlib
import io
import subprocess
import tempfile
import typing as t
from collections.abc import Iterator, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import (
    QUOTED,
    CommandError,
    CommandResult,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.commands import cannot_start, kill_group
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host

_CHUNK = 1024 * 1024


@contextlib.contextmanager
def streamed_output(argv: Sequence[str], source: t.IO[bytes] | io.FileIO) -> Iterator[t.BinaryIO]:
    """Run ``argv`` with the file ``source`` as its input and yield its output; stop what still runs at the end.

    Reading past the last byte raises CommandError unless the command succeeded. Raises MissingRequirementError when
    the program cannot be started. For filters of local files: there is no deadline.
    """
    clock = SystemClock()
    started = clock.monotonic()
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(  # pylint: disable=ansible-bad-function
                list(argv),
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=complaints,
                env=Host(clock).environment(),
                cwd="/",
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            raise cannot_start(argv, error) from error

        def ended(rc: int) -> CommandResult:
            complaints.seek(max(0, complaints.seek(0, io.SEEK_END) - QUOTED))
            stderr = complaints.read().decode("utf-8", "replace")
            return CommandResult(tuple(argv), rc, "", stderr, clock.monotonic() - started)

        try:
            yield t.cast("t.BinaryIO", io.BufferedReader(_Output(process, ended), _CHUNK))
        finally:
            if process.poll() is None:
                kill_group(process)
            t.cast("t.IO[bytes]", process.stdout).close()


class _Output(io.RawIOBase):
    """Standard output of ``process``; its end is an error unless the process ended well."""

    def __init__(self, process: subprocess.Popen[bytes], ended: t.Callable[[int], CommandResult]) -> None:
        super().__init__()
        self._process = process
        self._ended = ended

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: t.Any) -> int:
        count = t.cast("io.FileIO", self._process.stdout).readinto(buffer) or 0
        if not count and len(buffer) and self._process.wait():
            raise CommandError(self._ended(self._process.returncode))
        return count
