# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Responses become answers: statuses, causes, waiting times and hostile bodies."""

from __future__ import annotations

import json
import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import (
    UNREADABLE,
    Answer,
    Cause,
    answer_of_response,
)

# As kube-apiserver 1.33 answers.
ABSENT = {
    "kind": "Status",
    "apiVersion": "v1",
    "status": "Failure",
    "message": 'nodes "x" not found',
    "reason": "NotFound",
    "details": {"name": "x", "kind": "nodes"},
    "code": 404,
}
HELD_BY_BUDGET = {
    "kind": "Status",
    "message": "Cannot evict pod as it would violate the pod's disruption budget.",
    "reason": "TooManyRequests",
    "details": {
        "causes": [
            {"reason": "DisruptionBudget", "message": "The disruption budget db needs 1 healthy pods and has 1"}
        ],
        "retryAfterSeconds": 10,
    },
    "code": 429,
}


def answer(status: int, body: object, headers: dict[str, str] | None = None) -> Answer:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return answer_of_response(status, content, headers or {})


def test_an_object() -> None:
    granted = answer(200, {"kind": "Node", "metadata": {"name": "x"}})
    assert granted.ok
    assert granted.body == {"kind": "Node", "metadata": {"name": "x"}}
    assert (granted.reason, granted.message, granted.transient) == ("", "", False)


def test_a_missing_object() -> None:
    absent = answer(404, ABSENT)
    assert absent.absent
    assert not absent.ok
    assert absent.words == '404 NotFound: nodes "x" not found'


@pytest.mark.parametrize(
    "body",
    [
        b"404 page not found\n",
        {**ABSENT, "details": {}, "message": "the server could not find the requested resource"},
        {**ABSENT, "details": None},
    ],
    ids=["no such path", "no such resource", "no details"],
)
def test_a_missing_path_is_not_a_missing_object(body: object) -> None:
    assert not answer(404, body).absent


def test_a_budget_that_holds_a_pod() -> None:
    held = answer(429, HELD_BY_BUDGET)
    assert held.causes == (Cause("DisruptionBudget", "The disruption budget db needs 1 healthy pods and has 1"),)
    assert held.retry_after == 10
    assert held.transient


@pytest.mark.parametrize(
    ("status", "transient"),
    [
        *((status, False) for status in (302, 400, 401, 403, 404, 409, 410, 422)),
        *((status, True) for status in (429, 500, 502, 503, 504)),
    ],
)
def test_which_statuses_may_pass(status: int, transient: bool) -> None:
    assert answer(status, {"kind": "Status"}).transient is transient


@pytest.mark.parametrize(
    "message",
    [
        "failed to create typed patch object (ns/a; /v1, Kind=ConfigMap): .data.nested: expected string, got map",
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    ],
)
def test_failures_that_never_pass(message: str) -> None:
    assert not answer(500, {"kind": "Status", "message": message}).transient


@pytest.mark.parametrize(
    ("header", "detail", "seconds"),
    [
        ("3", None, 3),
        (None, 10, 10),
        ("2", 10, 2),
        ("soon", 7, 7),
        ("-1", None, None),
        ("1e3", None, None),
        ("Fri, 21 Nov 2026 22:00:00 GMT", None, None),
        ("99999", None, 3600),
        ("9" * 400, None, None),
        ("\u00b2", 4, 4),
    ],
)
def test_retry_after(header: str | None, detail: int | None, seconds: float | None) -> None:
    body = {"kind": "Status", "details": {"retryAfterSeconds": detail}}
    assert answer(503, body, {"Retry-After": header} if header else {}).retry_after == seconds


@pytest.mark.parametrize("body", [b"", b"<html>log in first</html>", b"[]", b"7", b"\xff\xfe", b"[" * 100_000])
def test_a_granted_answer_that_is_no_object_is_none(body: bytes) -> None:
    strange = answer(200, body)
    assert not strange.ok
    assert strange.reason == UNREADABLE
    assert strange.message


def test_pages_of_a_load_balancer_are_quoted_in_short_on_one_line() -> None:
    page = answer(503, b"<html>\n<h1>503 Service\x1b[31m Unavailable</h1>\n" + b"x" * 10**6)
    assert page.message.startswith("<html> <h1>503 Service [31m Unavailable</h1> xxx")
    assert len(page.message) < 1010
    assert page.message.isprintable()


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "Status", "details": "text"},
        {"kind": "Status", "details": {"causes": {"a": 1}}},
        {"kind": "Status", "details": {"causes": [None, 3, {"field": 5}]}},
        {"kind": "Status", "message": {"a": 1}, "reason": [1]},
    ],
)
def test_a_malformed_status_is_read_as_far_as_it_goes(body: dict[str, t.Any]) -> None:
    assert answer(422, body).status == 422


def test_secrets_are_taken_out_of_what_the_server_says() -> None:
    body = {
        "kind": "Status",
        "message": "bad header: Bearer canary-token",
        "details": {"causes": [{"message": "canary-token", "field": "canary-token"}]},
    }
    hidden = answer_of_response(400, json.dumps(body).encode(), {}, secrets={"canary-token"})
    assert "canary" not in repr(hidden)
    assert hidden.message == "bad header: Bearer ********"


def test_the_body_is_not_shown() -> None:
    assert "canary" not in repr(answer(200, {"data": "canary"}))


@given(status=st.integers(100, 599), content=st.binary(), header=st.text())
def test_any_response_becomes_an_answer(status: int, content: bytes, header: str) -> None:
    got = answer_of_response(status, content, {"Retry-After": header})
    assert got.status == status
    assert got.message.isprintable()
