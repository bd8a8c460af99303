# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The head of a request as a relay accepts it: small, strict, and without a body. Pure.

Source: RFC 9112, sections 3 and 5; what that allows for the sake of old clients (folded lines, bare line feeds,
spaces before a colon) is refused here: neither a relay's own side nor a container runtime sends it.
"""

from __future__ import annotations

import base64
import binascii
import re
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._net.headers import Headers

END_OF_HEAD: t.Final = b"\r\n\r\n"

_REQUEST_LINE = re.compile(r"([A-Z]{1,16}) (/[\x21-\x7e]{0,1023}) HTTP/1\.([0-9])")
_OTHER_VERSION = re.compile(r"[A-Z]{1,16} \S{1,1024} HTTP/(?!1\.)[0-9.]{1,8}")
_FIELD = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}):[ \t]*([\t\x20-\x7e]*)")
_SINGLE = ("authorization", "content-length", "host", "if-range", "range", "transfer-encoding")


class RefusedRequestError(ValueError):
    """A request that is answered with ``status`` and the end of the connection."""

    def __init__(self, status: int) -> None:
        super().__init__(f"refused with status {status}")
        self.status = status


@dataclass(frozen=True)
class RequestHead:
    """Method, path as it was written, fields, and whether the client wants the connection to stay open."""

    method: str
    path: str
    fields: Headers
    keep_alive: bool

    @property
    def token(self) -> str | None:
        """Return the token of a Bearer authorization, or the password of a Basic one; None for any other or none.

        Source: RFC 6750, 2.1; RFC 7617, 2. Clients of registries can send a fixed secret as a password only.
        """
        scheme, _space, given = self.fields.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return given.strip()
        return _password(given.strip()) if scheme.lower() == "basic" else None


def parse_request_head(head: bytes, *, most_fields: int) -> RequestHead:
    """Return the request whose head, without the empty line that ends it, is ``head``.

    Raises RefusedRequestError for one that is malformed (400), announces a body (400), has too many fields (431) or is
    of another version of HTTP (505).
    """
    first, *lines = head.decode("latin-1").split("\r\n")
    parts = _REQUEST_LINE.fullmatch(first)
    if parts is None:
        raise RefusedRequestError(505 if _OTHER_VERSION.fullmatch(first) else 400)
    if len(lines) > most_fields:
        raise RefusedRequestError(431)
    fields = _fields(lines)
    if fields.get("Content-Length", "0") != "0" or "Transfer-Encoding" in fields:
        raise RefusedRequestError(400)
    closes = "close" in {word.strip() for word in fields.get("Connection", "").lower().split(",")}
    return RequestHead(parts.group(1), parts.group(2), fields, keep_alive=parts.group(3) != "0" and not closes)


def _password(encoded: str) -> str | None:
    try:
        user, colon, password = base64.b64decode(encoded, validate=True).decode("latin-1").partition(":")
    except (binascii.Error, ValueError):
        return None
    return password if user and colon else None


def _fields(lines: list[str]) -> Headers:
    matches = [_FIELD.fullmatch(line) for line in lines]
    pairs = [(match.group(1), match.group(2)) for match in matches if match is not None]
    names = [name.lower() for name, _value in pairs]
    if len(pairs) != len(lines) or any(names.count(name) > 1 for name in _SINGLE):
        raise RefusedRequestError(400)
    return Headers(pairs)
