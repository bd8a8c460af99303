# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Requests, what a redirection makes of them, and answers whose status was not wanted."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.headers import Headers
from ansible_collections.fieldops.openshift.plugins.module_utils._net.messages import HttpRequest, Response
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

HEADERS = {"Authorization": "Bearer geheim", "X-Vault-Token": "geheim", "Accept": "text/plain"}


@pytest.mark.parametrize("method", ["", "get", "GET /\r\n", "CONNECT", "X" * 21])
def test_a_method_must_be_one(method: str) -> None:
    with pytest.raises(InvalidInputError):
        HttpRequest.build(method, "http://a/")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_reading_is_redirected(status: int, method: str) -> None:
    following = HttpRequest.build(method, "http://a/x").after_redirection(status, "/y?z=1")
    assert following is not None
    assert (following.method, following.url.full) == (method, "http://a/y?z=1")


@pytest.mark.parametrize(
    ("method", "status", "location"),
    [
        pytest.param("GET", 200, "/y", id="no-redirection"),
        pytest.param("GET", 300, "/y", id="choices"),
        pytest.param("GET", 304, "/y", id="not-modified"),
        pytest.param("GET", 302, None, id="without-location"),
        pytest.param("POST", 307, "/y", id="post-is-the-callers"),
        pytest.param("PUT", 301, "/y", id="put-is-the-callers"),
    ],
)
def test_other_answers_are_taken_as_they_are(method: str, status: int, location: str | None) -> None:
    assert HttpRequest.build(method, "http://a/x").after_redirection(status, location) is None


@pytest.mark.parametrize(
    ("location", "kept"),
    [
        pytest.param("/y", ["Authorization", "X-Vault-Token", "Accept"], id="same-origin"),
        pytest.param("https://A:443/y", ["Authorization", "X-Vault-Token", "Accept"], id="same-origin-spelt-out"),
        pytest.param("https://b/y", ["Accept"], id="other-host"),
        pytest.param("https://sub.a/y", ["Accept"], id="subdomain"),
        pytest.param("https://a:8443/y", ["Accept"], id="other-port"),
    ],
)
def test_sensitive_headers_stay_with_their_origin(location: str, kept: list[str]) -> None:
    request = HttpRequest.build("GET", "https://a/x", HEADERS, sensitive=["X-Vault-Token"])
    following = request.after_redirection(302, location)
    assert following is not None
    assert [name for name, _value in following.headers] == kept


def test_sensitive_headers_do_not_come_back_with_a_second_redirection() -> None:
    away = HttpRequest.build("GET", "https://a/x", HEADERS).after_redirection(302, "https://b/")
    assert away is not None
    back = away.after_redirection(302, "https://a/x")
    assert back is not None
    assert "Authorization" not in dict(back.headers)


def test_http_may_lead_to_https() -> None:
    following = HttpRequest.build("GET", "http://a/x", HEADERS).after_redirection(301, "https://a/x")
    assert following is not None
    assert "Authorization" not in dict(following.headers)


@pytest.mark.parametrize(
    ("location", "seen"),
    [
        pytest.param("http://a/x", "from https to unencrypted http", id="downgrade"),
        pytest.param("file:///etc/passwd", "neither http nor https", id="file"),
        pytest.param("https://u:geheim@b/", "user name or password", id="user-information"),
        pytest.param("", "empty", id="empty"),
    ],
)
def test_a_dangerous_redirection_is_refused(location: str, seen: str) -> None:
    with pytest.raises(TransferError) as caught:
        HttpRequest.build("GET", "https://a/x?q=geheim").after_redirection(302, location)
    assert seen in caught.value.seen
    assert caught.value.on == "https://a/x"
    assert (caught.value.status, caught.value.transient) == (302, False)
    assert "geheim" not in str(caught.value)


def response(status: int, retry_after: float | None = None) -> Response:
    return Response("GET", Url.parse("https://a/x?q=geheim"), status, Headers(), b"geheim", retry_after)


def test_a_wanted_status_passes() -> None:
    answer = response(204)
    assert answer.require(200, 204) is answer


@pytest.mark.parametrize(
    ("status", "transient", "advice"),
    [
        (401, False, "credentials"),
        (403, False, "permissions"),
        (404, False, "URL"),
        (407, False, "proxy"),
        (418, False, "reject it again"),
        (429, True, "limits the rate"),
        (500, True, "log of the server"),
        (501, False, "log of the server"),
        (503, True, "log of the server"),
    ],
)
def test_an_unwanted_status_says_what_to_do(status: int, transient: bool, advice: str) -> None:
    with pytest.raises(TransferError) as caught:
        response(status, retry_after=30.0).require(200)
    error = caught.value
    assert (error.kind, error.status, error.transient, error.retry_after) == ("transfer", status, transient, 30.0)
    assert f"the server answered with status {status} and requested a wait of 30 s" in error.seen
    assert advice in error.advice


def test_representations_show_no_values() -> None:
    request = HttpRequest.build("POST", "https://a/?q=geheim", HEADERS, b"geheim")
    assert "geheim" not in f"{request!r} {response(200)!r}"
