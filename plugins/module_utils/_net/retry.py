# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Whether to try again, and when: exponential back-off with full jitter, bounded by the deadline. Pure."""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass
from datetime import timezone
from email.utils import parsedate_to_datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

if t.TYPE_CHECKING:
    import random
    from datetime import datetime

IDEMPOTENT_METHODS: t.Final = frozenset({"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"})
TRANSIENT_STATUSES: t.Final = frozenset({408, 429, 500, 502, 503, 504})

_SECONDS = re.compile(r"[0-9]{1,9}")
_LARGEST_EXPONENT = 32


@dataclass(frozen=True)
class Outcome:
    """How an attempt ended: with an HTTP ``status``, or with None when the connection failed on the way.

    ``retry_after`` is in seconds, as ``parse_retry_after`` returns it.
    """

    method: str
    status: int | None
    retry_after: float | None = None

    @property
    def transient(self) -> bool:
        """Whether the same request may succeed later without anyone changing anything."""
        return self.status is None or self.status in TRANSIENT_STATUSES


@dataclass(frozen=True)
class RetryPolicy:
    """At most ``attempts`` in all, with pauses of up to ``base`` seconds, which doubles until it is ``cap``.

    Full jitter (a pause drawn evenly between nothing and the bound) keeps many nodes from returning at once.
    Source: AWS Architecture Blog, "Exponential Backoff And Jitter".
    """

    attempts: int = 5
    base: float = 0.5
    cap: float = 30.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or not 0 <= self.base <= self.cap:
            raise InvalidInputError(
                "set up retries",
                on="retry policy",
                seen=f"attempts is {self.attempts}, base {self.base} s, cap {self.cap} s",
                advice="Give at least one attempt and 0 <= base <= cap.",
            )

    def pause_before_next(
        self, attempt: int, outcome: Outcome, *, remaining: float, rng: random.Random
    ) -> float | None:
        """Return the seconds to wait after the ``attempt``-th attempt (from 1), or None to stop.

        Only idempotent methods are tried again. A Retry-After is waited for in full, plus the jitter; if it, or the
        pause, does not fit into the ``remaining`` seconds, trying stops at once instead of sleeping in vain.
        """
        if attempt >= self.attempts or not outcome.transient or outcome.method not in IDEMPOTENT_METHODS:
            return None
        bound = min(self.cap, self.base * 2 ** min(attempt - 1, _LARGEST_EXPONENT))
        pause = rng.uniform(0.0, bound) + (outcome.retry_after or 0.0)
        return pause if pause < remaining else None


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Return a Retry-After in seconds from ``now`` (UTC), never below zero; None if absent or malformed.

    Source: RFC 9110, 10.2.3 (delay in seconds or an HTTP date).
    """
    if value is None:
        return None
    text = value.strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        until = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=timezone.utc)
    return max(0.0, (until - now).total_seconds())
