# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""URLs as this room accepts them: http or https, plain ASCII, without user information, safe to show."""

from __future__ import annotations

import ipaddress
import re
import typing as t
from dataclasses import dataclass, field
from urllib.parse import urljoin

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

DEFAULT_PORTS: t.Final = {"http": 80, "https": 443}

_LONGEST_SHOWN = 200
_LONGEST_HOST = 253
_PRINTABLE = re.compile(r"[\x21-\x5b\x5d-\x7e]+")
# RFC 3986, appendix B, with the scheme and the authority made mandatory.
_PARTS = re.compile(r"([^:/?#]+)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?")
_AUTHORITY = re.compile(r"(?:\[([^\]]*)\]|([^:\[\]]*))(?::([0-9]{0,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMERIC_LABEL = re.compile(r"[0-9]+|0x[0-9a-f]*")


@dataclass(frozen=True)
class Url:
    """A parsed and normalised URL. ``str()`` gives the form for people, ``full`` the one to send.

    ``host`` is in lower case, an IPv6 address without brackets. ``path`` begins with a slash. ``query`` is None when
    absent or empty; it may hold a signature or a token and is therefore in no representation. Source: RFC 3986.
    """

    scheme: str
    host: str
    port: int
    path: str
    query: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return self.redacted

    @property
    def authority(self) -> str:
        """Return the host, in brackets where it is IPv6, and the port unless it is the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> tuple[str, str, int]:
        """Return what two URLs must share for credentials of one to be sent to the other. Source: RFC 6454."""
        return (self.scheme, self.host, self.port)

    @property
    def target(self) -> str:
        """Return path and query as the request line carries them."""
        return self.path if self.query is None else f"{self.path}?{self.query}"

    @property
    def full(self) -> str:
        """Return the whole URL, with the query; for sending only, never for a message."""
        return f"{self.scheme}://{self.authority}{self.target}"

    @property
    def redacted(self) -> str:
        """Return the URL without its query, for messages and results."""
        return f"{self.scheme}://{self.authority}{self.path}"

    @classmethod
    def parse(cls, text: str, *, on: str = "url") -> Url:
        """Return ``text`` as a URL; InvalidInputError names the field ``on`` and shows nothing secret of the text."""
        _refuse_unprintable(text, on)
        parts = _PARTS.fullmatch(text)
        if parts is None:
            raise _refusal(text, on, "it is not of the form scheme://host/path")
        scheme, authority, path, query = parts.group(1).lower(), parts.group(2), parts.group(3), parts.group(4)
        if scheme not in DEFAULT_PORTS:
            raise _refusal(text, on, "its scheme is neither http nor https")
        if "@" in authority:
            raise _refusal(text, on, "it contains a user name or password before the host")
        host, port = _host_and_port(text, authority, on)
        return cls(scheme, host, port or DEFAULT_PORTS[scheme], path or "/", query or None)

    def join(self, location: str) -> Url:
        """Return ``location``, absolute or relative to this URL, as redirections give it. Source: RFC 9110, 10.2.2."""
        _refuse_unprintable(location, "Location")
        try:
            joined = urljoin(self.full, location)
        except ValueError:
            raise _refusal(location, "Location", "it cannot be joined to the requested URL") from None
        return Url.parse(joined, on="Location")


def redact(text: str) -> str:
    """Return what may be shown of ``text`` even if it is a malformed URL with secrets in unexpected places."""
    scheme, separator, rest = text.partition("://")
    if not separator or scheme.lower() not in DEFAULT_PORTS:
        return "(not a URL)"
    if "@" in rest:
        return f"{scheme}://(hidden)"
    shown = re.split(r"[?#]", rest, maxsplit=1)[0][:_LONGEST_SHOWN]
    return f"{scheme}://{re.sub('[^!-~]', '?', shown)}"


def parse_authority(text: str) -> tuple[str, int | None] | None:
    """Return host and port of ``host``, ``host:port``, ``[v6]`` or ``[v6]:port``, normalised; None if it is neither."""
    match = _AUTHORITY.fullmatch(text.lower())
    if match is None:
        return None
    bracketed, plain, digits = match.groups()
    port = int(digits) if digits else None
    if port is not None and not 0 < port <= 65535:
        return None
    host = _ipv6(bracketed) if bracketed is not None else _name_or_ipv4(plain)
    return None if host is None else (host, port)


def _host_and_port(text: str, authority: str, on: str) -> tuple[str, int | None]:
    parsed = parse_authority(authority)
    if parsed is None:
        raise _refusal(text, on, "its host or port is not valid")
    return parsed


def _ipv6(text: str) -> str | None:
    try:
        return str(ipaddress.IPv6Address(text)) if "%" not in text else None
    except ValueError:
        return None


def _name_or_ipv4(text: str) -> str | None:
    labels = text[:-1].split(".") if text.endswith(".") else text.split(".")
    if len(text) > _LONGEST_HOST or not all(_LABEL.fullmatch(label) for label in labels):
        return None
    if not _NUMERIC_LABEL.fullmatch(labels[-1]):
        return text
    # Resolvers read 127.1 or 0x7f000001 as an address while address rules see a name; only the plain form passes.
    try:
        return str(ipaddress.IPv4Address(text))
    except ValueError:
        return None


def _refuse_unprintable(text: str, on: str) -> None:
    if not _PRINTABLE.fullmatch(text):
        raise _refusal(
            text, on, "it is empty or contains spaces, control characters, backslashes or non-ASCII characters"
        )


def _refusal(text: str, on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        f"use {redact(text)} as a URL",
        on=on,
        seen=seen,
        advice="Specify a percent-encoded http or https URL, and set credentials in the options for them.",
    )
