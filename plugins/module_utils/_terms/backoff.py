# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long to wait before trying again: exponential back-off, a server's Retry-After, never beyond a deadline."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_LARGEST_EXPONENT = 32


@dataclass(frozen=True)
class Backoff:
    """Pauses of ``first`` seconds, which double with each failure in a row until they are ``longest``."""

    first: float = 0.5
    longest: float = 30.0

    def __post_init__(self) -> None:
        if not 0 <= self.first <= self.longest:
            raise InvalidInputError(
                "set up retries",
                on="the back-off",
                seen=f"the first pause is {self.first} s, the longest {self.longest} s",
                advice="Use 0 <= first <= longest.",
            )

    def pause(self, failures: int, *, asked: float | None = None, rng: random.Random | None = None) -> float:
        """Return the seconds to wait after the ``failures``-th failure in a row, the first being 1.

        With ``rng`` the pause is drawn evenly between nothing and its bound, which keeps many nodes from returning at
        once ("full jitter" in "Exponential Backoff And Jitter", AWS Architecture Blog). A Retry-After of ``asked``
        seconds is waited for in full before that.
        """
        bound = min(self.longest, self.first * 2 ** min(failures - 1, _LARGEST_EXPONENT))
        return (asked or 0.0) + (bound if rng is None else rng.uniform(0.0, bound))

    def wait(
        self, failures: int, deadline: Deadline, *, asked: float | None = None, rng: random.Random | None = None
    ) -> bool:
        """Wait for ``pause``; when no time would be left after it, return False at once instead of waiting."""
        seconds = self.pause(failures, asked=asked, rng=rng)
        if seconds >= deadline.remaining:
            return False
        deadline.pause(seconds)
        return True
