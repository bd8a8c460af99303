# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a change may start now: the decision of change management, and its parameters."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

RESTRICTED = "restricted"
"""Outcome of what change management does not permit."""


@dataclass(frozen=True)
class Estimate:
    """How many seconds a change takes, and in plain words where that is known from; 0 where it is not known."""

    seconds: float = 0.0
    words: str = ""


@dataclass(frozen=True)
class Permission:
    """The answer for one resource: ``next_permitted`` is an instant, empty where none is known or none is needed.

    ``hopeless`` says why no window is ever long enough, an error of configuration; it is empty where one is.
    """

    permitted: bool
    resource: str
    sentence: str
    next_permitted: str = ""
    hopeless: str = ""

    def as_data(self) -> dict[str, t.Any]:
        """Return the permission as module results show it."""
        return {
            "permitted": self.permitted,
            "resource": self.resource,
            "sentence": self.sentence,
            "next_permitted": self.next_permitted,
        }

    @property
    def ended(self) -> dict[str, str] | None:
        """Return the end of what may not start, as module results show it; None where it may."""
        if self.permitted:
            return None
        return {"outcome": RESTRICTED, "reason": self.sentence, "next_permitted": self.next_permitted}


class Guard(t.Protocol):
    """The guard that is evaluated before a change starts."""

    def ask(self, pool: str, estimate: Estimate) -> Permission:
        """Return whether a change of the nodes of ``pool`` may start; without a pool, of the cluster as a whole."""
