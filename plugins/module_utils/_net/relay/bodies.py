# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a relay sends behind the head of an answer: bytes in memory or in open files."""

from __future__ import annotations

import os
import typing as t
from dataclasses import dataclass


class Body(t.Protocol):
    """Bytes that can be read at any offset."""

    def read_into(self, view: memoryview, offset: int) -> int:
        """Fill the beginning of ``view`` with what is at ``offset``; return how much that was, 0 at the end."""


@dataclass(frozen=True)
class Document:
    """A small document that is made for an answer."""

    content: bytes

    def read_into(self, view: memoryview, offset: int) -> int:
        """Copy from ``offset``."""
        part = self.content[offset : offset + len(view)]
        view[: len(part)] = part
        return len(part)


@dataclass(frozen=True)
class PartedBody:
    """The content of open files, each with its size, one after another."""

    files: tuple[tuple[int, int], ...]

    def read_into(self, view: memoryview, offset: int) -> int:
        """Read at ``offset``, from one of the files at a time."""
        descriptor, place, count = self.piece(offset, offset + len(view))
        return os.preadv(descriptor, [view[:count]], place) if count else 0

    def piece(self, first: int, stop: int) -> tuple[int, int, int]:
        """Return the file that holds the byte ``first``, its place there, and how many bytes up to ``stop`` follow."""
        for descriptor, size in self.files:
            if first < size:
                return descriptor, first, min(stop, size) - first
            first, stop = first - size, stop - size
        return -1, 0, 0
