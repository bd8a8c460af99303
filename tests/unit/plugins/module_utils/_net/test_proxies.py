# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which proxy is taken, and that its password stays secret."""

from __future__ import annotations

import base64

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import Proxy, ProxySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("http://proxy.site:3128", "http://proxy.site:3128", id="plain"),
        pytest.param("HTTP://Proxy.Site:3128/", "http://proxy.site:3128", id="case-and-slash"),
        pytest.param("proxy.site:3128", "http://proxy.site:3128", id="without-scheme"),
        pytest.param("http://proxy.site", "http://proxy.site:80", id="without-port"),
        pytest.param("https://proxy.site", "https://proxy.site:443", id="tls-to-the-proxy"),
        pytest.param("socks5://proxy.site", "socks5://proxy.site:1080", id="socks5"),
        pytest.param("SOCKS5H://user:geheim@proxy.site:9050", "socks5h://proxy.site:9050", id="socks5h"),
        pytest.param("http://[fd00::1]:3128", "http://[fd00::1]:3128", id="ipv6"),
        pytest.param("http://user:geheim@proxy.site:3128", "http://proxy.site:3128", id="with-credentials"),
    ],
)
def test_a_proxy_is_read_and_shown(text: str, shown: str) -> None:
    proxy = Proxy.parse(text)
    assert str(proxy) == shown
    assert "geheim" not in repr(proxy)


@pytest.mark.parametrize(
    ("credentials", "pair"),
    [
        pytest.param("user:geheim", b"user:geheim", id="plain"),
        pytest.param("user:g%40h%3Aeim%25", b"user:g@h:eim%", id="percent-encoded"),
        pytest.param("user:g@h/eim", b"user:g@h/eim", id="left-unencoded"),
        pytest.param("user", b"user:", id="no-password"),
        pytest.param("%C3%BC:p", "ü:p".encode(), id="utf-8"),
    ],
)
def test_credentials_become_basic_authentication(credentials: str, pair: bytes) -> None:
    proxy = Proxy.parse(f"http://{credentials}@proxy:3128")
    assert (proxy.host, proxy.port) == ("proxy", 3128)
    assert proxy.authorization == "Basic " + base64.b64encode(pair).decode()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("socks4://user:geheim@proxy:1080", id="socks4"),
        pytest.param("quic://user:geheim@proxy:443", id="other-scheme"),
        pytest.param("socks5://user:" + "geheim" * 50 + "@proxy", id="password-too-long-for-socks"),
        pytest.param("http://user:geheim@:3128", id="no-host"),
        pytest.param("http://user:geheim@proxy:port", id="bad-port"),
        pytest.param("http://user:geheim@proxy:3128/path", id="path"),
        pytest.param("http://user:geheim@proxy\r\n:3128", id="injection"),
    ],
)
def test_an_unusable_proxy_is_refused_without_its_password(text: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        Proxy.parse(text, on="HTTPS_PROXY")
    assert caught.value.on == "HTTPS_PROXY"
    assert "geheim" not in str(caught.value)


@pytest.mark.parametrize(
    ("environment", "url", "proxy"),
    [
        pytest.param({}, "https://a.test/", None, id="none-set"),
        pytest.param({"HTTPS_PROXY": "p1:1"}, "https://a.test/", "http://p1:1", id="upper-case"),
        pytest.param({"https_proxy": "p2:2", "HTTPS_PROXY": "p1:1"}, "https://a.test/", "http://p2:2", id="lower-wins"),
        pytest.param({"HTTPS_PROXY": "p1:1"}, "http://a.test/", None, id="other-scheme"),
        pytest.param({"HTTP_PROXY": "p1:1"}, "http://a.test/", "http://p1:1", id="http"),
        pytest.param({"HTTP_PROXY": "p1:1", "REQUEST_METHOD": "GET"}, "http://a.test/", None, id="cgi"),
        pytest.param({"ALL_PROXY": "socks5h://p3:3"}, "https://a.test/", "socks5h://p3:3", id="all"),
        pytest.param({"all_proxy": "socks5://p3:3"}, "http://a.test/", "socks5://p3:3", id="all-lower-case"),
        pytest.param(
            {"ALL_PROXY": "p3:3", "HTTPS_PROXY": "p1:1"}, "https://a.test/", "http://p1:1", id="own-before-all"
        ),
        pytest.param({"ALL_PROXY": "p3:3", "no_proxy": "a.test"}, "https://a.test/", None, id="all-but-no-proxy"),
        pytest.param({"HTTPS_PROXY": ""}, "https://a.test/", None, id="empty"),
        pytest.param({"HTTPS_PROXY": "p1:1", "NO_PROXY": ".test"}, "https://a.test/", None, id="no-proxy"),
        pytest.param({"HTTPS_PROXY": "p1:1", "no_proxy": "a.test"}, "https://a.test/", None, id="no-proxy-lower"),
        pytest.param({"HTTPS_PROXY": "p1:1"}, "https://localhost/", None, id="this-machine"),
    ],
)
def test_the_environment_decides(environment: dict[str, str], url: str, proxy: str | None) -> None:
    chosen = ProxySettings.from_environment(environment).for_url(Url.parse(url))
    assert (None if chosen is None else str(chosen)) == proxy


def test_a_bad_variable_is_named() -> None:
    with pytest.raises(InvalidInputError) as caught:
        ProxySettings.from_environment({"https_proxy": "ftp://geheim@x"})
    assert caught.value.on == "HTTPS_PROXY"


def test_by_default_no_proxy_is_used() -> None:
    assert ProxySettings().for_url(Url.parse("https://a.test/")) is None
