# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Painting of a few lines at the bottom of a terminal, over and over, without any mode that someone must undo.

Every line ends with a line break, so that the cursor always stands below the area: whatever ends the process, the
prompt of the shell follows on a line of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

UP_AND_CLEAR = "\r\x1b[{rows}A\x1b[J"
"""ECMA-48: cursor up, and erase to the end of the display."""


class LiveArea:
    """Lines that are painted by ``write``; ``columns`` returns how wide the terminal is at the moment."""

    def __init__(self, write: Callable[[str], object], columns: Callable[[], int]) -> None:
        self._write = write
        self._columns = columns
        self._widths: list[int] = []
        self._painted: list[str] = []

    def paint(self, painted: Sequence[str], widths: Sequence[int]) -> None:
        """Replace the area by lines, of which ``widths`` says how many columns each of them takes."""
        if [*painted] == self._painted:
            return
        self.clear()
        if painted:
            self._write("".join(f"{line}\n" for line in painted))
        self._painted, self._widths = [*painted], [*widths]

    def clear(self) -> None:
        """Remove the area.

        In a terminal that has become narrower than a line it is not known how many rows the area takes: it is left
        behind, because what stands above it must not be lost.
        """
        if self._widths and max(self._widths) < self._columns():
            self._write(UP_AND_CLEAR.format(rows=len(self._widths)))
        self._painted, self._widths = [], []
