# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The output of a command kept within a bound: its beginning, its end, and how much is missing between them."""

from __future__ import annotations


class BoundedOutput:
    """Takes bytes in any number of chunks and keeps at most ``limit`` of them, half from each end."""

    def __init__(self, limit: int) -> None:
        self._head_limit = limit - limit // 2
        self._tail_limit = limit // 2
        self._head = bytearray()
        self._tail = bytearray()
        self._total = 0

    def add(self, chunk: bytes) -> None:
        """Take the next ``chunk`` of the stream."""
        self._total += len(chunk)
        room = self._head_limit - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        if len(self._tail) > 2 * self._tail_limit:
            self._shorten()

    @property
    def cut(self) -> int:
        """How many bytes were dropped from the middle."""
        return max(0, self._total - self._head_limit - self._tail_limit)

    def text(self) -> str:
        """Return what was kept, undecodable bytes as U+FFFD, with a note where something was cut."""
        self._shorten()
        if not self.cut:
            return (self._head + self._tail).decode("utf-8", "replace")
        head, tail = (part.decode("utf-8", "replace") for part in (self._head, self._tail))
        return f"{head}\n[{self.cut} bytes cut]\n{tail}"

    def _shorten(self) -> None:
        del self._tail[: max(0, len(self._tail) - self._tail_limit)]
