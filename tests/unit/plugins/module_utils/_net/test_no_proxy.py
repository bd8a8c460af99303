# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which hosts a NO_PROXY list exempts."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.no_proxy import parse_no_proxy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url


@pytest.mark.parametrize(
    ("entries", "url", "exempt"),
    [
        pytest.param("example.com", "https://example.com/", True, id="domain-itself"),
        pytest.param("example.com", "https://api.example.com/", True, id="domain-covers-subdomains"),
        pytest.param("example.com", "https://badexample.com/", False, id="domain-not-a-mere-ending"),
        pytest.param(".example.com", "https://api.example.com/", True, id="suffix"),
        pytest.param(".example.com", "https://example.com/", False, id="suffix-not-the-domain"),
        pytest.param("*.example.com", "https://a.b.example.com/", True, id="star-suffix"),
        pytest.param("Example.COM", "https://example.com./", True, id="case-and-trailing-dot"),
        pytest.param("example.com:8443", "https://example.com:8443/", True, id="port-matches"),
        pytest.param("example.com:8443", "https://example.com/", False, id="port-differs"),
        pytest.param("example.com:443", "https://example.com/", True, id="port-of-the-scheme"),
        pytest.param("192.0.2.7", "https://192.0.2.7/", True, id="ipv4"),
        pytest.param("192.0.2.7", "https://192.0.2.77/", False, id="ipv4-other"),
        pytest.param("192.0.2.7:6443", "https://192.0.2.7:6443/", True, id="ipv4-and-port"),
        pytest.param("192.0.2.7:6443", "https://192.0.2.7/", False, id="ipv4-and-other-port"),
        pytest.param("10.128.0.0/14", "http://10.131.255.1/", True, id="cidr"),
        pytest.param("10.128.0.0/14", "http://10.132.0.1/", False, id="cidr-outside"),
        pytest.param("10.128.0.5/14", "http://10.131.0.1/", True, id="cidr-with-host-bits"),
        pytest.param("10.0.0.0/8", "http://10.example.com/", False, id="cidr-is-not-for-names"),
        pytest.param("fd00::/8", "http://[fd12::1]/", True, id="ipv6-cidr"),
        pytest.param("fd00::/8", "http://10.0.0.1/", False, id="ipv6-cidr-and-ipv4"),
        pytest.param("[fd00::1]:8080", "http://[fd00::1]:8080/", True, id="ipv6-and-port"),
        pytest.param("fd00::1", "http://[fd00::1]/", True, id="ipv6-bare"),
        pytest.param("a.test, b.test c.test", "http://c.test/", True, id="commas-and-spaces"),
        pytest.param("*", "http://anything.test/", True, id="everything"),
        pytest.param("", "http://anything.test/", False, id="nothing"),
        pytest.param("", "http://localhost:5000/", True, id="localhost-always"),
        pytest.param("", "http://127.8.8.8/", True, id="loopback-always"),
        pytest.param("", "http://[::1]/", True, id="ipv6-loopback-always"),
    ],
)
def test_exemption(entries: str, url: str, exempt: bool) -> None:
    assert parse_no_proxy(entries).covers(Url.parse(url)) is exempt


def test_entries_that_mean_nothing_are_left_out_and_the_others_hold() -> None:
    no_proxy = parse_no_proxy("192.168.*,good.test,<local>,169.254/16,.")
    assert len(no_proxy.rules) == 1
    assert no_proxy.covers(Url.parse("http://good.test/"))
