# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Header fields received and sent."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.headers import Headers, checked_headers
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


def test_names_are_found_in_any_case() -> None:
    headers = Headers([("Content-Type", " text/plain ")])
    assert headers["content-TYPE"] == "text/plain"
    assert "CONTENT-TYPE" in headers
    assert "Accept" not in headers
    assert list(headers) == ["content-type"]


def test_repeated_fields_are_one_list() -> None:
    headers = Headers([("WWW-Authenticate", "Bearer a"), ("www-authenticate", "Basic b")])
    assert headers["WWW-Authenticate"] == "Bearer a, Basic b"
    assert headers.get_all("WWW-Authenticate") == ("Bearer a", "Basic b")
    assert headers.get_all("Missing") == ()


def test_the_representation_shows_names_only() -> None:
    assert repr(Headers([("Set-Cookie", "geheim")])) == "Headers(names=['set-cookie'])"


@pytest.mark.parametrize(
    ("name", "value", "on"),
    [
        pytest.param("Authorization", "Bearer geheim\n", "Authorization", id="token-file-with-line-break"),
        pytest.param("X", "geheim\r\nEvil: 1", "X", id="injection"),
        pytest.param("X", "gehéim", "X", id="non-ascii"),
        pytest.param("X: geheim", "y", "a header name", id="bad-name"),
        pytest.param("", "geheim", "a header name", id="empty-name"),
        pytest.param("Content-Length", "5", "Content-Length", id="framing-is-the-clients"),
        pytest.param("Host", "other", "Host", id="host-is-the-clients"),
        pytest.param("Proxy-Authorization", "geheim", "Proxy-Authorization", id="proxy-credentials-are-the-clients"),
    ],
)
def test_a_header_that_cannot_be_sent_is_refused_without_its_value(name: str, value: str, on: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        checked_headers({name: value})
    assert caught.value.on == on
    assert "geheim" not in str(caught.value)


def test_good_headers_pass_unchanged() -> None:
    assert checked_headers({"Accept": "a/b, c/d;q=0.5"}) == (("Accept", "a/b, c/d;q=0.5"),)
