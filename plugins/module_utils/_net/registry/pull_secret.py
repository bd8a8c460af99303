# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A pull secret: who we are to which registry, as pull secrets and containers-auth.json(5) say it."""

from __future__ import annotations

import base64
import binascii
import json
import typing as t
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

if t.TYPE_CHECKING:
    from collections.abc import Mapping

_SCHEMES = ("https://", "http://")


@dataclass(frozen=True)
class Login:
    """A name and a password, or an OAuth2 refresh token in place of both; none is in any representation."""

    user: str = field(repr=False)
    password: str = field(repr=False)
    identity_token: str | None = field(default=None, repr=False)

    @property
    def basic(self) -> str:
        """Return the value of an Authorization header (RFC 7617)."""
        return "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode("ascii")


@dataclass(frozen=True)
class PullSecret:
    """Logins by ``registry`` or ``registry/namespace``."""

    logins: Mapping[str, Login] = field(default_factory=dict, repr=False)

    @classmethod
    def parse(cls, text: str, *, on: str = "pull secret") -> PullSecret:
        """Return the pull secret in ``text``; raise InvalidInputError, which shows nothing of it, for other forms."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            raise _refusal(on, "it is not JSON") from None
        auths = document.get("auths") if isinstance(document, dict) else None
        if not isinstance(auths, dict):
            raise _refusal(on, "it has no mapping 'auths'")
        return cls({_place(key): _login(key, entry, on) for key, entry in auths.items() if _is_filled(entry)})

    def login_for(self, name: str) -> Login | None:
        """Return the login for ``registry/repository``: the one of the longest matching prefix, at path boundaries."""
        parts = name.split("/")
        for count in range(len(parts), 0, -1):
            found = self.logins.get("/".join(parts[:count]))
            if found is not None:
                return found
        return None

    def secrets(self) -> tuple[str, ...]:
        """Return every value that must never be shown."""
        found = [(login.password, login.identity_token, login.basic[6:]) for login in self.logins.values()]
        return tuple(value for values in found for value in values if value)


def _place(key: str) -> str:
    """Return the key without what old Docker versions put around it: a scheme and a version of the API."""
    for scheme in _SCHEMES:
        key = key.removeprefix(scheme)
    key = key.rstrip("/")
    for suffix in ("/v1", "/v2"):
        key = key.removesuffix(suffix)
    return "docker.io" if key == "index.docker.io" else key


def _is_filled(entry: object) -> bool:
    # podman leaves empty entries behind for hosts whose logins a credential helper keeps.
    return entry != {}


def _login(key: str, entry: object, on: str) -> Login:
    if not isinstance(entry, dict):
        raise _refusal(on, f"the entry of {key[:100]!r} is not a mapping")
    identity = entry.get("identitytoken")
    pair = entry.get("auth")
    if isinstance(pair, str) and pair:
        try:
            user, colon, password = base64.b64decode(pair, validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            raise _refusal(on, f"the entry of {key[:100]!r} is not base64 of name:password") from None
        if colon:
            return Login(user, password.rstrip("\0"), identity if isinstance(identity, str) else None)
    name, word = entry.get("username"), entry.get("password")
    if isinstance(name, str) and isinstance(word, str):
        return Login(name, word, identity if isinstance(identity, str) else None)
    raise _refusal(on, f"the entry of {key[:100]!r} has no usable 'auth'")


def _refusal(on: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read the pull secret",
        on=on,
        seen=seen,
        advice="Take the file from console.redhat.com, or make one with 'podman login --authfile FILE REGISTRY'.",
    )
