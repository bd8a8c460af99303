# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Header fields: a case-insensitive view of those received, and a check of those to be sent."""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterable, Iterator, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

ALWAYS_SENSITIVE: t.Final = frozenset({"authorization", "cookie"})

# They describe the connection or the framing of the message, which the client alone knows.
_OWN = frozenset(
    {"connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization", "proxy-connection"}
    | {"te", "trailer", "transfer-encoding", "upgrade"}
)
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e]*")


class Headers(Mapping[str, str]):
    """Received header fields by name in any case; a repeated field is one value joined by ``", "`` (RFC 9110, 5.3).

    Its representation shows names only, because values may be credentials.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._values: dict[str, tuple[str, ...]] = {}
        for name, value in pairs:
            key = name.lower()
            self._values[key] = (*self._values.get(key, ()), value.strip())

    def __getitem__(self, name: str) -> str:
        return ", ".join(self._values[name.lower()])

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.lower() in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers(names={sorted(self._values)})"

    def get_all(self, name: str) -> tuple[str, ...]:
        """Return every value of the field in the order received, for fields such as WWW-Authenticate."""
        return self._values.get(name.lower(), ())


def checked_headers(headers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return ``headers`` ready to be sent; raise InvalidInputError, which never shows a value, if they are not."""
    for name, value in headers.items():
        if not _NAME.fullmatch(name):
            raise _refusal("a header name", "it contains characters that are not allowed in a header name")
        if name.lower() in _OWN:
            raise _refusal(name, "the client sets this header itself")
        if not _VALUE.fullmatch(value):
            raise _refusal(name, "its value contains line breaks, control characters or non-ASCII characters")
    return tuple(headers.items())


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "send a request header",
        on=on,
        seen=seen,
        advice="Check the source of the value. A token from a file often ends with a line break.",
    )
