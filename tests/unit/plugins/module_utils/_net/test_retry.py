# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""When it is worth trying again, and after how long."""

from __future__ import annotations

import random
from datetime import datetime, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import (
    Outcome,
    RetryPolicy,
    parse_retry_after,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

NOW = datetime(2026, 11, 21, 22, 0, tzinfo=timezone.utc)


class Highest(random.Random):
    """Always the upper bound of what may be drawn."""

    def uniform(self, a: float, b: float) -> float:
        return max(a, b)


def pause(outcome: Outcome, *, attempt: int = 1, remaining: float = 3600.0) -> float | None:
    return RetryPolicy(attempts=5, base=1.0, cap=4.0).pause_before_next(
        attempt, outcome, remaining=remaining, rng=Highest()
    )


@pytest.mark.parametrize(
    ("status", "again"),
    [(None, True), (408, True), (429, True), (500, True), (502, True), (503, True), (504, True)]
    + [(status, False) for status in (200, 206, 304, 400, 401, 403, 404, 407, 409, 416, 501, 505)],
)
def test_only_transient_outcomes_are_tried_again(status: int | None, again: bool) -> None:
    assert (pause(Outcome("GET", status)) is not None) is again


@pytest.mark.parametrize(
    ("method", "again"),
    [("GET", True), ("HEAD", True), ("PUT", True), ("DELETE", True), ("POST", False), ("PATCH", False)],
)
def test_only_idempotent_methods_are_tried_again(method: str, again: bool) -> None:
    assert (pause(Outcome(method, 503)) is not None) is again


def test_the_bound_doubles_up_to_the_cap_and_attempts_end() -> None:
    assert [pause(Outcome("GET", None), attempt=n) for n in (1, 2, 3, 4, 5, 6)] == [1.0, 2.0, 4.0, 4.0, None, None]


def test_a_late_attempt_does_not_overflow() -> None:
    policy = RetryPolicy(attempts=10**6, base=1.0, cap=4.0)
    assert policy.pause_before_next(10**5, Outcome("GET", None), remaining=10, rng=Highest()) == 4.0


def test_jitter_covers_everything_from_nothing_to_the_bound() -> None:
    rng = random.SystemRandom()
    policy = RetryPolicy(attempts=5, base=1.0, cap=4.0)
    drawn = [policy.pause_before_next(1, Outcome("GET", None), remaining=10, rng=rng) for _again in range(200)]
    pauses = [one for one in drawn if one is not None]
    assert len(pauses) == 200
    assert 0 <= min(pauses) < 0.1
    assert 0.9 < max(pauses) <= 1


def test_retry_after_is_waited_for_in_full_plus_jitter() -> None:
    assert pause(Outcome("GET", 429, retry_after=30.0)) == 31.0


@pytest.mark.parametrize(
    ("outcome", "remaining"),
    [
        pytest.param(Outcome("GET", 429, retry_after=30.0), 31.0, id="retry-after"),
        pytest.param(Outcome("GET", None), 1.0, id="backoff"),
        pytest.param(Outcome("GET", None), 0.0, id="no-time-left"),
    ],
)
def test_a_pause_that_outlasts_the_deadline_is_not_begun(outcome: Outcome, remaining: float) -> None:
    assert pause(outcome, remaining=remaining) is None


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        pytest.param(None, None, id="absent"),
        pytest.param("120", 120.0, id="seconds"),
        pytest.param(" 0 ", 0.0, id="zero"),
        pytest.param("Sat, 21 Nov 2026 22:01:30 GMT", 90.0, id="imf-fixdate"),
        pytest.param("Saturday, 21-Nov-26 22:01:30 GMT", 90.0, id="rfc850"),
        pytest.param("Sat Nov 21 22:01:30 2026", 90.0, id="asctime"),
        pytest.param("Sat, 21 Nov 2026 21:00:00 GMT", 0.0, id="in-the-past"),
        pytest.param("", None, id="empty"),
        pytest.param("-5", None, id="negative"),
        pytest.param("1.5", None, id="fraction"),
        pytest.param("soon", None, id="word"),
        pytest.param("9" * 5000, None, id="absurd-number"),
        pytest.param("Sat, 99 Nov 2026 22:01:30 GMT", None, id="no-such-day"),
        pytest.param("Sat, 21 Nov 2026 22:01:30 +9999999", None, id="no-such-zone"),
    ],
)
def test_retry_after_is_read(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW) == seconds


@pytest.mark.parametrize("settings", [{"attempts": 0}, {"base": -1.0}, {"base": 5.0, "cap": 4.0}])
def test_a_policy_without_sense_is_refused(settings: dict[str, float]) -> None:
    with pytest.raises(InvalidInputError):
        RetryPolicy(**settings)  # type: ignore[arg-type]
