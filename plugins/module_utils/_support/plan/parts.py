# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The parts of an archive for support: what each is, whether it was collected, and why not."""

from __future__ import annotations

import re
import typing as t
from collections.abc import Container, Iterable
from dataclasses import dataclass

COLLECTED: t.Final = "collected"
CUT: t.Final = "cut"
ABSENT: t.Final = "absent"
FAILED: t.Final = "failed"
REFUSED: t.Final = "refused"
AWAY: t.Final = "away"
LEFT_OUT: t.Final = "left_out"

STATES: t.Final = (COLLECTED, CUT, ABSENT, FAILED, REFUSED, AWAY, LEFT_OUT)
_COMPLETE = (COLLECTED, CUT, ABSENT)

LONGEST_NAME, DEEPEST = 120, 20
_FORBIDDEN = re.compile(r"[^A-Za-z0-9._+=@-]+")


@dataclass(frozen=True)
class Part:
    """A part that was requested: its ``name`` in the archive, from which ``source``, and what came of it."""

    name: str
    source: str
    state: str = COLLECTED
    size: int = 0
    reason: str = ""

    def as_document(self) -> dict[str, t.Any]:
        """Return it as plain data."""
        return {
            "name": self.name,
            "source": self.source,
            "state": self.state,
            "size": self.size,
            "reason": self.reason,
        }


def missing_of(parts: Iterable[Part]) -> list[Part]:
    """Return the parts that there are and that could not be had whole; what a site does not have is not missing."""
    return [part for part in parts if part.state not in _COMPLETE]


def member_name(name: str, taken: Container[str] = ()) -> str:
    """Return a path that is safe to unpack below any folder, for every ``name``, and is not among ``taken``."""
    words = [_FORBIDDEN.sub("_", word)[:LONGEST_NAME] for word in name.split("/")]
    words = [f"_{word}" if word.startswith((".", "-")) else word for word in words if word]
    safe = "/".join(words[:DEEPEST]) or "_"
    counted, number = safe, 1
    while counted in taken:
        number += 1
        counted = f"{safe}+{number}"
    return counted
