# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A terminal for plays: a pseudo terminal with a size, and what stands on its screen after all that was written."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Meanwhile = Callable[[str, "Terminal"], None]

SEQUENCE = re.compile(r"\x1b\[(\d*)([A-Za-z])|\x1b\[[\d;?]*[A-Za-z]")
BYTES = 65536


class Screen:
    """Rows of endless length: what is written beyond ``columns`` is noted as ``overflows``."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.rows: list[str] = [""]
        self.overflows: list[str] = []
        self._row = self._column = 0

    def write(self, text: str) -> None:
        """Take what a program has written."""
        for part in re.split(r"(\x1b\[[\d;?]*[A-Za-z]|[\r\n])", text):
            if part == "\r":
                self._column = 0
            elif part == "\n":
                self._row += 1
                self.rows += [""] * (self._row + 1 - len(self.rows))
            elif part.startswith("\x1b"):
                self._obey(part)
            elif part:
                self._print(part)

    def _obey(self, sequence: str) -> None:
        found = SEQUENCE.fullmatch(sequence)
        assert found is not None, repr(sequence)
        if found[2] == "A":
            self._row -= int(found[1] or 1)
            assert self._row >= 0, "above the first row"
        elif found[2] == "J":
            assert self._column == 0
            self.rows[self._row :] = [""]
        else:
            assert sequence.endswith("m"), f"a mode that must be undone: {sequence!r}"

    def _print(self, text: str) -> None:
        row = self.rows[self._row]
        self.rows[self._row] = row[: self._column] + text + row[self._column + len(text) :]
        self._column += len(text)
        if self._column > self.columns:
            self.overflows.append(self.rows[self._row])


@dataclass(frozen=True)
class Terminal:
    """A pseudo terminal; ``ours`` is the end of the person, ``theirs`` that of the program."""

    ours: int
    theirs: int

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of its window."""
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text: str) -> None:
        """Type a text as a person does; the key to end a line is ``\\r``."""
        os.write(self.ours, text.encode())


def undisturbed(_text: str, _terminal: Terminal) -> None:
    """Leave a terminal as it is."""


def run_in_terminal(
    command: Sequence[str | Path],
    environment: Mapping[str, str],
    folder: Path,
    size: tuple[int, int],
    meanwhile: Meanwhile = undisturbed,
    seconds: float = 120,
) -> tuple[int, str]:
    """Run a command on a pseudo terminal of ``size`` (columns, rows); return its status and all that it wrote.

    ``meanwhile`` is called with what was written so far, and with the terminal.
    """
    ours, theirs = pty.openpty()
    terminal = Terminal(ours, theirs)
    terminal.resize(*size)
    # What asks a person looks whether it is in the foreground of its controlling terminal.
    controlled = ["setsid", "--ctty", "--wait", *command]
    process = subprocess.Popen(controlled, env=environment, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs)
    text, until = "", time.monotonic() + seconds
    try:
        while process.poll() is None or select.select([ours], [], [], 0)[0]:
            assert time.monotonic() < until, text
            if select.select([ours], [], [], 0.2)[0]:
                with contextlib.suppress(UnicodeDecodeError):
                    text += os.read(ours, BYTES).decode()
            meanwhile(text, terminal)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)
    return process.returncode, text
