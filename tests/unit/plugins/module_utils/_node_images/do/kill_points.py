# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The points at which a process changes something, counted by Python itself, so that new code has its points.

A point is an audit event of a change of a file, a write, or a program that changes something.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import typing as t
import warnings
from collections.abc import Callable, Iterator

KILLED = 137
EVENTS = frozenset({"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"})
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Points:
    """Counts what changes something, and kills the process before the point of number ``kill_at``."""

    def __init__(self, kill_at: int) -> None:
        self._kill_at = kill_at
        self._thread = threading.local()
        self.count = 0

    def install(self) -> None:
        """Count from now on, until this process ends."""
        _installed.append(self)
        sys.addaudithook(self._audit)
        write = os.write

        def counted(descriptor: int, content: t.Any) -> int:
            self._pass()
            return write(descriptor, content)

        os.write = counted

    def end(self, told: int, status: int) -> t.NoReturn:
        """End the process, after it has told how many points it passed."""
        passed = self.count
        self._kill_at = -1
        os.write(told, str(passed).encode())
        os._exit(status)

    @contextlib.contextmanager
    def program(self) -> Iterator[None]:
        """Count a program as one point, whatever it changes: it goes on when the process that started it is killed."""
        self._pass()
        self._thread.is_program = True
        yield
        self._thread.is_program = False

    def _audit(self, event: str, arguments: tuple[t.Any, ...]) -> None:
        if event in EVENTS or (event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING):
            self._pass()

    def _pass(self) -> None:
        if getattr(self._thread, "is_program", False):
            return
        if self.count == self._kill_at:
            os._exit(KILLED)
        self.count += 1


_installed: list[Points] = []


def program() -> contextlib.AbstractContextManager[None]:
    """Return the context in which a stand-in of a program changes something."""
    return _installed[0].program() if _installed else contextlib.nullcontext()


def run(change: Callable[[], object], kill_at: int = -1) -> tuple[int, int]:
    """Make the change in a process of its own; return its status and how many points it has passed."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of the test runner are not in the child
        child = os.fork()
    if child == 0:
        points = Points(kill_at)
        status = 1
        try:
            points.install()
            change()
            status = 0
        finally:
            points.end(writing, status)
    os.close(writing)
    with open(reading, "rb") as told:  # noqa: PTH123 - a descriptor
        passed = int(told.read() or b"0")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), passed
