# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a token service answers: the token, and for how long it is good. Pure.

Source: distribution ``docs/content/spec/auth/token.md`` and ``oauth.md``; RFC 7519, 4.1, for tokens that are JWTs.
"""

from __future__ import annotations

import base64
import json
import math
import re
import typing as t
from dataclasses import dataclass, field
from datetime import datetime, timezone

DEFAULT_LIFETIME = 60.0
"""Seconds that a token is good for when neither the answer nor the token says so (token.md, "expires_in")."""

LONGEST_LIFETIME = 24 * 3600.0
"""Seconds after which a token is replaced in any case."""

LARGEST_TOKEN = 64 * 1024
"""Bytes of a token; servers refuse requests with larger headers."""

_INSTANT = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


@dataclass(frozen=True)
class TokenAnswer:
    """A ``token`` that is good for ``seconds`` more; ``refresh_token`` replaces the one that was exchanged for it."""

    token: str = field(repr=False)
    seconds: float
    refresh_token: str | None = field(default=None, repr=False)

    @classmethod
    def read(cls, body: bytes, now: datetime) -> TokenAnswer | None:
        """Return the answer in ``body``, None if it gives no token; ``now`` is the service's own time where known.

        A lifetime that is not a positive number counts as not stated. One that is shorter than the 60 seconds of the
        specification is believed.
        """
        document = _mapping(body)
        token = _token(document.get("token") or document.get("access_token"))
        if token is None:
            return None
        seconds = _stated(document, now) or _claimed(token, now) or DEFAULT_LIFETIME
        return cls(token, min(seconds, LONGEST_LIFETIME), _token(document.get("refresh_token")))


def _token(value: object) -> str | None:
    """Return ``value`` if it can stand in a header as it is (RFC 6750, 2.1, and what services make of it)."""
    if not isinstance(value, str) or not 0 < len(value) <= LARGEST_TOKEN:
        return None
    return value if value.isascii() and value.isprintable() and " " not in value else None


def _stated(document: dict[str, t.Any], now: datetime) -> float | None:
    """Return the seconds that are left of the lifetime in the answer; None where there is none."""
    lifetime = _positive(document.get("expires_in"))
    if lifetime is None:
        return None
    issued = _instant(document.get("issued_at"))
    return lifetime if issued is None else _left(lifetime, now.timestamp() - issued)


def _claimed(token: str, now: datetime) -> float | None:
    """Return the seconds that are left of ``token`` if it is a JWT that says so. Its signature is not our concern."""
    claims = _claims(token)
    issued, ends = _positive(claims.get("iat")), _positive(claims.get("exp"))
    if ends is None:
        return None
    if issued is None or issued >= ends:
        return _positive(ends - now.timestamp())
    return _left(ends - issued, now.timestamp() - issued)


def _left(lifetime: float, age: float) -> float:
    # A token just given is neither over nor from the future: then one of the clocks is wrong.
    return lifetime - age if 0 <= age < lifetime else lifetime


def _claims(token: str) -> dict[str, t.Any]:
    parts = token.split(".")
    if len(parts) != 3:
        return {}
    try:
        return _mapping(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except ValueError:
        return {}


def _mapping(text: bytes) -> dict[str, t.Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _positive(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and number > 0 else None


def _instant(value: object) -> float | None:
    match = _INSTANT.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    day, time, zone = match.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{time}{'+00:00' if zone in 'Zz' else zone}")
        return moment.astimezone(timezone.utc).timestamp()
    except (ValueError, OverflowError):
        return None
