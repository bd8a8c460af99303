# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Which proxy, if any, a URL is reached through."""

from __future__ import annotations

import base64
import typing as t
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from ansible_collections.fieldops.openshift.plugins.module_utils._net.no_proxy import NoProxy, parse_no_proxy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import parse_authority
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url

# What curl assumes for a proxy without a port is 1080; Go and this room take the scheme's.
_DEFAULT_PORT = 80


@dataclass(frozen=True)
class Proxy:
    """An HTTP proxy; ``authorization`` is the value of Proxy-Authorization and is in no representation."""

    host: str
    port: int
    authorization: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @classmethod
    def parse(cls, text: str, *, on: str = "proxy") -> Proxy:
        """Return the proxy written as ``[http://][user:password@]host[:port][/]``, the user percent-encoded.

        Raises InvalidInputError, which shows nothing of ``text``, for other forms. TLS to the proxy itself and SOCKS
        are not supported; https through the proxy is, by CONNECT.
        """
        scheme, separator, rest = text.strip().partition("://")
        if not separator:
            scheme, rest = "http", text.strip()
        if scheme.lower() != "http":
            raise _refusal(on, "its scheme is not http")
        credentials, at_sign, authority = rest.rpartition("@")
        parsed = parse_authority(authority.removesuffix("/"))
        if parsed is None:
            raise _refusal(on, "its host or port is not valid")
        return cls(parsed[0], parsed[1] or _DEFAULT_PORT, _basic(credentials) if at_sign else None)


@dataclass(frozen=True)
class ProxySettings:
    """The proxies for the two schemes and the hosts that are reached without them; by default none is used."""

    http: Proxy | None = None
    https: Proxy | None = None
    no_proxy: NoProxy = field(default_factory=NoProxy)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> ProxySettings:
        """Read HTTP_PROXY, HTTPS_PROXY and NO_PROXY; the lower-case names win, empty ones count as unset.

        HTTP_PROXY in capitals is ignored in a CGI process, where a request header sets it (CVE-2016-5385).
        """
        known = dict(environment)
        if "REQUEST_METHOD" in known:
            known.pop("HTTP_PROXY", None)

        def proxy(name: str) -> Proxy | None:
            value = known.get(name.lower()) or known.get(name)
            return Proxy.parse(value, on=name) if value else None

        direct = known.get("no_proxy") or known.get("NO_PROXY") or ""
        return cls(http=proxy("HTTP_PROXY"), https=proxy("HTTPS_PROXY"), no_proxy=parse_no_proxy(direct))

    def for_url(self, url: Url) -> Proxy | None:
        """Return the proxy to reach ``url`` through, or None to reach it directly."""
        if self.no_proxy.covers(url):
            return None
        return self.https if url.scheme == "https" else self.http


def _basic(credentials: str) -> str:
    """Return the Basic credentials of RFC 7617 for ``user:password`` as a URL carries them."""
    user, _colon, password = credentials.partition(":")
    pair = unquote_to_bytes(user) + b":" + unquote_to_bytes(password)
    return "Basic " + base64.b64encode(pair).decode("ascii")


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "use the proxy",
        on=on,
        seen=seen,
        advice="Write it as http://host:port or http://user:password@host:port, special characters percent-encoded.",
    )
