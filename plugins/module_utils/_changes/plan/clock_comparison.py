# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Two clocks, ours and the API server's: how far they are apart, and when that is too far."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import write_instant


@dataclass(frozen=True)
class ClockComparison:
    """``asked`` and ``answered`` are our instants around a request, ``server`` the one that the server put into it.

    All are whole seconds, cut off, so that a second's difference may be none.
    """

    asked: int
    answered: int
    server: int
    limit: int

    @property
    def skew(self) -> int:
        """Return how many seconds the server is ahead at least; negative when it is behind."""
        ahead = self.server - self.answered - 1
        return ahead if ahead > 0 else min(0, self.server + 1 - self.asked)

    @property
    def is_too_far(self) -> bool:
        """Whether no window can be trusted."""
        return abs(self.skew) > self.limit

    @property
    def complaint(self) -> str:
        """Say how far the clocks are apart."""
        return (
            f"the clocks of this machine and of the API server differ by {abs(self.skew)} s, more than {self.limit} s"
        )

    def moments(self) -> tuple[int, ...]:
        """Return the instants at which change has to be permitted: by our clock, and by the server's."""
        return (self.answered,) if self.skew == 0 else (self.answered, self.answered + self.skew)

    def as_data(self) -> dict[str, t.Any]:
        """Return the comparison as the module shows it."""
        return {
            "controller": write_instant(self.answered),
            "server": write_instant(self.server),
            "skew": self.skew,
            "limit": self.limit,
        }
