# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What may be tried again, and how often."""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.backoff import Backoff
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

IDEMPOTENT_METHODS: t.Final = frozenset({"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"})
TRANSIENT_STATUSES: t.Final = frozenset({408, 429, 500, 502, 503, 504})

_SECONDS = re.compile(r"[0-9]{1,9}")

BACKOFF: t.Final = Backoff()


@dataclass(frozen=True)
class RetryPolicy:
    """At most ``attempts`` in all, with the pauses of ``backoff`` between them.

    A server that asks to wait for more than ``longest_asked`` seconds is not waited for.
    """

    attempts: int = 5
    backoff: Backoff = BACKOFF
    longest_asked: float = 300.0

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise InvalidInputError(
                "set up retries",
                on="retry policy",
                seen=f"attempts is {self.attempts}",
                advice="Allow at least one attempt.",
            )

    def allows(self, attempt: int, method: str, status: int | None, asked: float | None = None) -> bool:
        """Whether there may be another attempt after the ``attempt``-th, from 1, of an idempotent ``method``.

        ``asked`` are the seconds that the server asked to wait.
        """
        bearable = (asked or 0.0) <= self.longest_asked
        return attempt < self.attempts and is_transient(status) and method in IDEMPOTENT_METHODS and bearable


def is_transient(status: int | None) -> bool:
    """Whether the same request may succeed later without anyone changing anything.

    ``status`` is that of HTTP, None when the connection failed.
    """
    return status is None or status in TRANSIENT_STATUSES


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
