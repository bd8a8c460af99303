# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which proxy, if any, a URL is reached through."""

from __future__ import annotations

import base64
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from ansible_collections.fieldops.openshift.plugins.module_utils._net.no_proxy import NoProxy, parse_no_proxy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url, parse_authority
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

# For http and https what curl assumes for a proxy without a port is 1080; Go and this room take the scheme's.
_DEFAULT_PORTS: t.Final = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}
_LONGEST_SOCKS_WORD = 255


@dataclass(frozen=True)
class Proxy:
    """A proxy; its ``scheme`` is how it is spoken to: http, https, socks5 or socks5h.

    ``user`` and ``password`` are in no representation.
    """

    host: str
    port: int
    scheme: str = "http"
    user: bytes | None = field(default=None, repr=False)
    password: bytes | None = field(default=None, repr=False)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def is_socks(self) -> bool:
        """Whether it speaks SOCKS 5; otherwise it speaks HTTP."""
        return self.scheme in ("socks5", "socks5h")

    @property
    def resolves(self) -> bool:
        """Whether host names are left to it. As in curl, only socks5 wants addresses."""
        return self.scheme != "socks5"

    @property
    def authorization(self) -> str | None:
        """Return the value of Proxy-Authorization (RFC 7617), None without a user."""
        if self.user is None:
            return None
        return "Basic " + base64.b64encode(self.user + b":" + (self.password or b"")).decode("ascii")

    @classmethod
    def parse(cls, text: str, *, on: str = "proxy") -> Proxy:
        """Return the proxy written as ``[scheme://][user:password@]host[:port][/]``, the user percent-encoded.

        Without a scheme it is http. Raises InvalidInputError, which shows nothing of ``text``, for other forms.
        """
        scheme, separator, rest = text.strip().partition("://")
        if not separator:
            scheme, rest = "http", text.strip()
        scheme = scheme.lower()
        if scheme not in _DEFAULT_PORTS:
            raise _refusal(on, "its scheme is none of http, https, socks5 and socks5h")
        credentials, at_sign, authority = rest.rpartition("@")
        parsed = parse_authority(authority.removesuffix("/"))
        if parsed is None:
            raise _refusal(on, "its host or port is not valid")
        user, password = _decoded(credentials) if at_sign else (None, None)
        if scheme.startswith("socks") and max(len(user or b""), len(password or b"")) > _LONGEST_SOCKS_WORD:
            raise _refusal(on, f"its user name or password is longer than the {_LONGEST_SOCKS_WORD} bytes of SOCKS")
        return cls(parsed[0], parsed[1] or _DEFAULT_PORTS[scheme], scheme, user, password)


@dataclass(frozen=True)
class ProxySettings:
    """The proxies for the two schemes and the hosts that are reached without them; by default none is used."""

    http: Proxy | None = None
    https: Proxy | None = None
    no_proxy: NoProxy = field(default_factory=NoProxy)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> ProxySettings:
        """Read HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY; lower-case names win, empty ones count as unset.

        ALL_PROXY, which curl knows and Go programs do not, is for a scheme that has no proxy of its own. HTTP_PROXY in
        capitals is ignored in a CGI process, where a request header sets it (CVE-2016-5385).
        """
        known = dict(environment)
        if "REQUEST_METHOD" in known:
            known.pop("HTTP_PROXY", None)

        def proxy(name: str) -> Proxy | None:
            value = known.get(name.lower()) or known.get(name)
            return Proxy.parse(value, on=name) if value else None

        every = proxy("ALL_PROXY")
        direct = known.get("no_proxy") or known.get("NO_PROXY") or ""
        http, https = proxy("HTTP_PROXY") or every, proxy("HTTPS_PROXY") or every
        return cls(http=http, https=https, no_proxy=parse_no_proxy(direct))

    def for_url(self, url: Url) -> Proxy | None:
        """Return the proxy to reach ``url`` through, or None to reach it directly."""
        if self.no_proxy.covers(url):
            return None
        return self.https if url.scheme == "https" else self.http


def _decoded(credentials: str) -> tuple[bytes, bytes]:
    """Return user and password of ``user:password`` as a URL carries them."""
    user, _colon, password = credentials.partition(":")
    return unquote_to_bytes(user), unquote_to_bytes(password)


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "use the proxy",
        on=on,
        seen=seen,
        advice="Specify http://host:port or http://user:password@host:port, with special characters percent-encoded. "
        "The schemes https, socks5 and socks5h are possible as well.",
    )
