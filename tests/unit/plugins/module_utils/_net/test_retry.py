# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""When it is worth trying again, and after how long."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import (
    RetryPolicy,
    parse_retry_after,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

NOW = datetime(2026, 11, 21, 22, 0, tzinfo=timezone.utc)


POLICY = RetryPolicy(attempts=5)


@pytest.mark.parametrize(
    ("status", "again"),
    [(None, True), (408, True), (429, True), (500, True), (502, True), (503, True), (504, True)]
    + [(status, False) for status in (200, 206, 304, 400, 401, 403, 404, 407, 409, 416, 501, 505)],
)
def test_only_transient_outcomes_are_tried_again(status: int | None, again: bool) -> None:
    assert POLICY.allows(1, "GET", status) is again


@pytest.mark.parametrize(
    ("method", "again"),
    [("GET", True), ("HEAD", True), ("PUT", True), ("DELETE", True), ("POST", False), ("PATCH", False)],
)
def test_only_idempotent_methods_are_tried_again(method: str, again: bool) -> None:
    assert POLICY.allows(1, method, 503) is again


def test_attempts_end() -> None:
    assert [POLICY.allows(attempt, "GET", None) for attempt in (1, 4, 5, 6)] == [True, True, False, False]


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


def test_a_policy_without_an_attempt_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        RetryPolicy(attempts=0)
