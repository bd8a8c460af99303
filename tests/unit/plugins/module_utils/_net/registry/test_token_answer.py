# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is made of the answers of token services, hostile ones among them."""

from __future__ import annotations

import base64
import json
import time
import typing as t
from datetime import datetime, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.token_answer import (
    DEFAULT_LIFETIME,
    LARGEST_TOKEN,
    LONGEST_LIFETIME,
    TokenAnswer,
)

NOW = datetime(2026, 11, 21, 22, 0, tzinfo=timezone.utc)
SECOND = NOW.timestamp()


def jwt(claims: object) -> str:
    def part(content: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")

    return f"{part({'alg': 'RS256'})}.{part(claims)}.c2lnbmF0dXJl"


def read(**document: t.Any) -> TokenAnswer | None:
    return TokenAnswer.read(json.dumps(document).encode(), NOW)


def seconds(**document: t.Any) -> float:
    answer = read(**{"token": "opaque", **document})
    assert answer is not None
    return answer.seconds


@pytest.mark.parametrize(
    ("stated", "believed"),
    [
        pytest.param(300, 300.0, id="as-stated"),
        pytest.param(30, 30.0, id="shorter-than-the-specification-allows"),
        pytest.param("300", 300.0, id="number-in-a-string"),
        pytest.param(0, DEFAULT_LIFETIME, id="zero"),
        pytest.param(-300, DEFAULT_LIFETIME, id="negative"),
        pytest.param(float("nan"), DEFAULT_LIFETIME, id="nan"),
        pytest.param(float("inf"), DEFAULT_LIFETIME, id="infinite"),
        pytest.param(10**400, DEFAULT_LIFETIME, id="larger-than-any-float"),
        pytest.param(10**12, LONGEST_LIFETIME, id="thirty-thousand-years"),
        pytest.param("soon", DEFAULT_LIFETIME, id="word"),
        pytest.param(True, DEFAULT_LIFETIME, id="boolean"),
        pytest.param([300], DEFAULT_LIFETIME, id="list"),
        pytest.param(None, DEFAULT_LIFETIME, id="null"),
    ],
)
def test_a_stated_lifetime_is_believed_where_it_is_one(stated: object, believed: float) -> None:
    assert seconds(expires_in=stated) == believed


def test_sixty_seconds_are_assumed_where_nothing_is_said() -> None:
    assert seconds() == 60.0


@pytest.mark.parametrize(
    ("issued", "left"),
    [
        pytest.param("2026-11-21T21:58:20Z", 200.0, id="from-the-service's-store"),
        pytest.param("2026-11-21T22:58:20.123456789+01:00", 200.0, id="other-zone-and-nanoseconds"),
        pytest.param("2026-11-21T22:05:00Z", 300.0, id="in-the-future"),
        pytest.param("2009-11-10T23:00:00Z", 300.0, id="long-over"),
        pytest.param("2026-99-99T99:99:99Z", 300.0, id="no-such-day"),
        pytest.param("0001-01-01T00:00:00+14:00", 300.0, id="before-time-began"),
        pytest.param("yesterday", 300.0, id="word"),
        pytest.param(17, 300.0, id="number"),
    ],
)
def test_a_lifetime_begins_when_the_token_was_issued_if_that_can_be(issued: object, left: float) -> None:
    assert seconds(expires_in=300, issued_at=issued) == left


@pytest.mark.parametrize(
    ("claims", "left"),
    [
        pytest.param({"iat": SECOND, "exp": SECOND + 3600}, 3600.0, id="as-quay-gives-it"),
        pytest.param({"iat": SECOND - 600, "exp": SECOND + 3000}, 3000.0, id="issued-earlier"),
        pytest.param({"iat": SECOND + 9000, "exp": SECOND + 9300}, 300.0, id="a-clock-ahead"),
        pytest.param({"iat": SECOND - 9000, "exp": SECOND - 8700}, 300.0, id="a-clock-behind"),
        pytest.param({"exp": SECOND + 900}, 900.0, id="end-only"),
        pytest.param({"exp": SECOND - 900}, DEFAULT_LIFETIME, id="end-only-and-over"),
        pytest.param({"iat": SECOND, "exp": SECOND - 5}, DEFAULT_LIFETIME, id="ends-before-it-began"),
        pytest.param({"exp": "never"}, DEFAULT_LIFETIME, id="word"),
        pytest.param({"exp": 1e300}, LONGEST_LIFETIME, id="never-ends"),
        pytest.param({}, DEFAULT_LIFETIME, id="no-claims"),
        pytest.param(["exp"], DEFAULT_LIFETIME, id="not-a-mapping"),
    ],
)
def test_a_token_that_is_a_jwt_says_itself_how_long_it_is_good(claims: object, left: float) -> None:
    assert seconds(token=jwt(claims)) == left


@pytest.mark.parametrize(
    "token", ["a.b", "a.b.c.d", "a.!!!.c", "a..c", f"a.{base64.urlsafe_b64encode(b'[' * 9000).decode()}.c"]
)
def test_a_token_that_only_looks_like_a_jwt_is_opaque(token: str) -> None:
    assert seconds(token=token) == DEFAULT_LIFETIME


def test_what_is_stated_comes_before_what_the_token_claims() -> None:
    assert seconds(token=jwt({"iat": SECOND, "exp": SECOND + 3600}), expires_in=120) == 120.0


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"<html>", id="html"),
        pytest.param(b"[]", id="list"),
        pytest.param(b"{}", id="no-token"),
        pytest.param(b'{"token":17}', id="number"),
        pytest.param(b'{"token":""}', id="empty"),
        pytest.param(b'{"token":"a\\r\\nHost: evil"}', id="line-break"),
        pytest.param(b'{"token":"a b"}', id="space"),
        pytest.param('{"token":"ü"}'.encode(), id="not-ascii"),
        pytest.param(b'{"token":"\\u0000"}', id="nul"),
        pytest.param(b'{"token":"' + b"x" * (LARGEST_TOKEN + 1) + b'"}', id="too-large"),
        pytest.param(b'{"token":' * 100_000, id="deeply-nested"),
        pytest.param(b"\xff\xfe", id="not-utf-8"),
    ],
)
def test_an_answer_without_a_usable_token_is_none(body: bytes) -> None:
    begun = time.monotonic()
    assert TokenAnswer.read(body, NOW) is None
    assert time.monotonic() - begun < 2


def test_either_name_of_the_token_will_do_and_a_new_refresh_token_is_kept() -> None:
    answer = read(access_token="geheim-1", refresh_token="geheim-2")
    assert answer == TokenAnswer("geheim-1", DEFAULT_LIFETIME, "geheim-2")
    assert "geheim" not in repr(answer)
