# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a registry wants to see before it answers: the WWW-Authenticate header."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9-]*)(?=[\s,]|$)\s*")
_COMMA = re.compile(r"\s*,")
_PARAMETER = re.compile(r'\s*,?\s*([A-Za-z][A-Za-z0-9_-]*)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))')


@dataclass(frozen=True)
class Challenge:
    """One demand; ``scheme`` is in lower case, as are the names of ``parameters``."""

    scheme: str
    parameters: Mapping[str, str]


def parse_challenges(values: Iterable[str]) -> tuple[Challenge, ...]:
    """Return the demands in the header's ``values``; what cannot be read is passed over (RFC 9110, 11.6.1)."""
    return tuple(challenge for value in values for challenge in _challenges(value[:4096]))


def _challenges(value: str) -> list[Challenge]:
    found: list[Challenge] = []
    position = 0
    while True:
        scheme = _SCHEME.match(value, position)
        if scheme is None:
            return found
        position = scheme.end()
        parameters: dict[str, str] = {}
        parameter = _PARAMETER.match(value, position)
        while parameter is not None:
            name, quoted, plain = parameter.groups()
            parameters[name.lower()] = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else plain
            position = parameter.end()
            parameter = _PARAMETER.match(value, position)
        found.append(Challenge(scheme.group(1).lower(), parameters))
        comma = _COMMA.match(value, position)
        position = comma.end() if comma else position
