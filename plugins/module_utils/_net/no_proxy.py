# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""NO_PROXY: which hosts are reached directly. The rules are those of the Go programs of OpenShift."""

from __future__ import annotations

import ipaddress
import re
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url, parse_authority

_Network = t.Union[ipaddress.IPv4Network, ipaddress.IPv6Network]


@dataclass(frozen=True)
class NoProxyRule:
    """One entry. ``network`` is set for an address or CIDR, else ``domain``; ``port`` limits either to that port.

    ``domain`` matches its subdomains and, unless ``subdomains_only``, itself; an empty domain matches every host.
    """

    domain: str = ""
    subdomains_only: bool = False
    network: _Network | None = None
    port: int | None = None

    def covers(self, url: Url) -> bool:
        """Whether ``url`` must be reached without a proxy by this entry. Names are not resolved for it."""
        if self.port not in (None, url.port):
            return False
        if self.network is not None:
            address = _address(url.host)
            return address is not None and address.version == self.network.version and address in self.network
        if not self.domain:
            return True
        host = url.host.rstrip(".")
        return host.endswith(f".{self.domain}") or (host == self.domain and not self.subdomains_only)


@dataclass(frozen=True)
class NoProxy:
    """The rules of a whole list."""

    rules: tuple[NoProxyRule, ...] = ()

    def covers(self, url: Url) -> bool:
        """Whether ``url`` must be reached without a proxy; this machine itself always is, as in Go."""
        return is_loopback(url.host) or any(rule.covers(url) for rule in self.rules)


def parse_no_proxy(text: str) -> NoProxy:
    """Return the rules of a comma or space separated list.

    Forms: ``example.com`` (with subdomains), ``.example.com`` and ``*.example.com`` (subdomains only), ``host:port``,
    addresses, CIDR, ``*``. Source: golang.org/x/net/http/httpproxy, as used by OpenShift. Other entries mean nothing
    here and do not stop the work, because the variable is written for every program of the machine.
    """
    found = (_rule(entry) for entry in re.split(r"[,\s]+", text.lower()) if entry)
    return NoProxy(tuple(rule for rule in found if rule is not None))


def is_loopback(host: str) -> bool:
    """Whether ``host`` is this machine."""
    address = _address(host)
    return host.rstrip(".") == "localhost" or (address is not None and address.is_loopback)


def _rule(entry: str) -> NoProxyRule | None:
    if entry == "*":
        return NoProxyRule()
    network = _network(entry)
    if network is not None:
        return NoProxyRule(network=network)
    stripped = entry[1:] if entry.startswith("*.") else entry
    parsed = parse_authority(stripped.lstrip("."))
    if parsed is None:
        return None
    host, port = parsed
    network = _network(host)
    if network is not None:
        return NoProxyRule(network=network, port=port)
    return NoProxyRule(domain=host.rstrip("."), subdomains_only=stripped.startswith("."), port=port)


def _network(text: str) -> _Network | None:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
