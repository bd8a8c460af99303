# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which URLs are accepted, what becomes of them, and what of them may be shown."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url, parse_authority, redact
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


@pytest.mark.parametrize(
    ("text", "full"),
    [
        pytest.param("https://quay.io/v2/", "https://quay.io/v2/", id="plain"),
        pytest.param("HTTPS://Quay.IO", "https://quay.io/", id="lower-case-and-root-path"),
        pytest.param("https://quay.io:443/v2", "https://quay.io/v2", id="own-port-dropped"),
        pytest.param("http://quay.io:443/v2", "http://quay.io:443/v2", id="foreign-port-kept"),
        pytest.param("http://node-1:/v2", "http://node-1/v2", id="empty-port"),
        pytest.param("http://[FD00::0001]:8080/x", "http://[fd00::1]:8080/x", id="ipv6"),
        pytest.param("http://192.0.2.7/x#part", "http://192.0.2.7/x", id="fragment-dropped"),
        pytest.param("http://a/x?", "http://a/x", id="empty-query-dropped"),
        pytest.param("https://a?b=c", "https://a/?b=c", id="query-without-path"),
        pytest.param(
            "https://r/v2/x@sha256:ab/?s=https://u:p@h/", "https://r/v2/x@sha256:ab/?s=https://u:p@h/", id="at"
        ),
    ],
)
def test_a_url_is_normalised(text: str, full: str) -> None:
    assert Url.parse(text).full == full


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        pytest.param("", "empty", id="empty"),
        pytest.param("quay.io/v2/", "scheme://host/path", id="no-scheme"),
        pytest.param("ftp://quay.io/", "neither http nor https", id="ftp"),
        pytest.param("file:///etc/shadow", "neither http nor https", id="file"),
        pytest.param("https://user:geheim@quay.io/", "user name or password", id="user-information"),
        pytest.param("https://geheim@quay.io/", "user name or password", id="token-as-user"),
        pytest.param("https:///v2/", "host or port", id="no-host"),
        pytest.param("https://a:0/", "host or port", id="port-0"),
        pytest.param("https://a:65536/", "host or port", id="port-too-large"),
        pytest.param("https://a:+80/", "host or port", id="port-with-sign"),
        pytest.param("https://a..b/", "host or port", id="empty-label"),
        pytest.param(f"https://{'a' * 64}.b/", "host or port", id="label-too-long"),
        pytest.param("https://127.1/", "host or port", id="short-ipv4"),
        pytest.param("https://2130706433/", "host or port", id="decimal-ipv4"),
        pytest.param("https://0x7f000001/", "host or port", id="hexadecimal-ipv4"),
        pytest.param("https://[::1/", "host or port", id="bracket-left-open"),
        pytest.param("https://[fe80::1%25eth0]/", "host or port", id="zone"),
        pytest.param("https://a/b c", "spaces", id="space"),
        pytest.param("https://a/\r\nX: y", "control characters", id="header-injection"),
        pytest.param("https://a\\@b/", "backslashes", id="backslash"),
        pytest.param("https://bücher.example/", "non-ASCII", id="non-ascii"),
        pytest.param("https://a/\u2028", "non-ASCII", id="line-separator"),
    ],
)
def test_an_unusable_url_is_refused_without_showing_secrets(text: str, seen: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        Url.parse(text, on="bundle_url")
    assert caught.value.on == "bundle_url"
    assert seen in caught.value.seen
    assert "geheim" not in str(caught.value)


def test_no_representation_shows_the_query() -> None:
    url = Url.parse("https://cdn.example/blob?X-Signature=geheim")
    assert "geheim" not in f"{url} {url!r} {url.redacted}"
    assert str(url) == "https://cdn.example/blob"
    assert url.target == "/blob?X-Signature=geheim"


@pytest.mark.parametrize(
    ("location", "full"),
    [
        pytest.param("https://b/c?d=e", "https://b/c?d=e", id="absolute"),
        pytest.param("//b/c", "http://b/c", id="scheme-relative"),
        pytest.param("/c", "http://a:8080/c", id="path"),
        pytest.param("c", "http://a:8080/x/c", id="sibling"),
        pytest.param("../../c", "http://a:8080/c", id="above-the-root"),
    ],
)
def test_a_location_is_joined(location: str, full: str) -> None:
    assert Url.parse("http://a:8080/x/y?q=1").join(location).full == full


@pytest.mark.parametrize("location", ["", "http://u:geheim@b/", "//[bad", "ftp://b/geheim?", "/geheim\r\nX: y"])
def test_an_unusable_location_is_refused(location: str) -> None:
    with pytest.raises(InvalidInputError, match="as a URL on Location"):
        Url.parse("http://a/").join(location)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("https://a/b?token=geheim", "https://a/b", id="query"),
        pytest.param("https://user:geheim@a/b", "https://(hidden)", id="user-information"),
        pytest.param("https://user:ge/heim@a/b?c@d", "https://(hidden)", id="password-with-slash"),
        pytest.param("geheim", "(not a URL)", id="bare-token"),
        pytest.param("Bearer geheim://x", "(not a URL)", id="words"),
        pytest.param("geheim://x", "(not a URL)", id="token-as-scheme"),
        pytest.param("https://a/\x1b[31m", "https://a/?[31m", id="terminal-escape"),
        pytest.param("https://a/" + "x" * 300, "https://a/" + "x" * 198, id="cut"),
    ],
)
def test_text_that_is_no_url_is_shown_without_secrets(text: str, shown: str) -> None:
    assert redact(text) == shown


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("Registry.example:5000", ("registry.example", 5000)),
        ("registry.example", ("registry.example", None)),
        ("[::1]:53", ("::1", 53)),
        ("::1", None),
        ("a b", None),
        ("", None),
    ],
)
def test_host_and_port_are_told_apart(text: str, parsed: tuple[str, int | None] | None) -> None:
    assert parse_authority(text) == parsed
