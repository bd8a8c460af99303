# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
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
import typing as t
from pathlib import Path

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Resize = Callable[[int, int], None]
    Meanwhile = Callable[[str, Resize], None]

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


def undisturbed(_text: str, _resize: Resize) -> None:
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

    ``meanwhile`` is called with what was written so far, and with what changes the size.
    """
    ours, theirs = pty.openpty()
    resize = _resizer(theirs)
    resize(*size)
    process = subprocess.Popen(
        command, env=environment, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    text, until = "", time.monotonic() + seconds
    try:
        while process.poll() is None or select.select([ours], [], [], 0)[0]:
            assert time.monotonic() < until, text
            if select.select([ours], [], [], 0.2)[0]:
                with contextlib.suppress(UnicodeDecodeError):
                    text += os.read(ours, BYTES).decode()
                meanwhile(text, resize)
    finally:
        process.kill()
        os.close(ours)
        os.close(theirs)
    return process.returncode, text


def _resizer(terminal: int) -> Resize:
    def resize(columns: int, rows: int) -> None:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    return resize
