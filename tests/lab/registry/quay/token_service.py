# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The token service, at a host of its own.

Copies ``generate_registry_jwt`` and ``_authorize_or_downscope_request`` of quay's ``endpoints/v2/v2auth.py``: wrong
credentials are 401, while what may not be read is left out of the token, and the registry refuses later. There is one
account, which may read everything and push nothing.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from urllib.parse import parse_qs, urlsplit

from ansible_collections.fieldops.openshift.tests.lab.registry.images import Json
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.answers import Answer, document, failure
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.front_state import FrontState
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.registry_api import NO_SUCH_PATH, VERSION
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.tokens import ANONYMOUS, pull

PATH = "/v2/auth"
SCOPE = re.compile(
    r"repository:(?P<name>(?:[.a-zA-Z0-9_-]+/)*[.a-zA-Z0-9_-]+):(?P<actions>(?:push|pull|[*])(?:,(?:push|pull|[*]))*)"
)
NO_CACHE = {"Cache-Control": "no-cache, no-store, must-revalidate"}


class TokenService:
    """Answers requests to the token service's host."""

    def __init__(self, state: FrontState) -> None:
        self._state = state

    def answer(self, target: str, headers: Mapping[str, str]) -> Answer:
        """Return the answer to a request."""
        parts = urlsplit(target)
        if parts.path != PATH:
            return NO_SUCH_PATH
        query = parse_qs(parts.query, keep_blank_values=True)
        authorization = headers.get("Authorization", "")
        user = self._user(authorization)
        if authorization and not user:
            return self._unauthorized("Invalid Username or Password")
        scopes = query.get("scope", [])
        if not user and not any(scopes):
            return self._unauthorized()
        access: list[Json] = []
        for scope in filter(None, scopes):
            found = SCOPE.fullmatch(scope)
            if not found:
                return failure("INVALID_REQUEST", f"Unable to decode repository and actions: {scope}")
            access.append(self._allowed(found["name"], found["actions"].split(","), bool(user)))
        return self._issued(query.get("service", [""])[0], access, user or ANONYMOUS)

    def _user(self, authorization: str) -> str:
        """Return who logs in with a header field, or nothing."""
        scheme, _space, encoded = authorization.partition(" ")
        account = self._state.account
        if scheme.lower() != "basic" or not account:
            return ""
        try:
            given = base64.b64decode(encoded, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            return ""
        return account.user if given == f"{account.user}:{account.password}" else ""

    def _allowed(self, repository: str, actions: list[str], known: bool) -> Json:
        readable = self._state.is_public(repository) or (known and self._state.exists(repository))
        return pull(repository) if readable and "pull" in actions else {**pull(repository), "actions": []}

    def _issued(self, audience: str, access: list[Json], subject: str) -> Answer:
        traits = self._state.traits
        token = self._state.key.issue(audience, access, traits.token_seconds, subject)
        more: Json = {}
        if traits.says_expiry:
            issued = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
            more = {"access_token": token, "expires_in": int(traits.token_seconds), "issued_at": issued}
        return document(200, {"token": token, **more}, NO_CACHE)

    def _unauthorized(self, message: str = "") -> Answer:
        challenge = f'Bearer realm="{self._state.realm}",service="{self._state.service}"'
        return failure("UNAUTHORIZED", message, {"WWW-Authenticate": challenge, **VERSION})
