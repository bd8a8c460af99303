# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Authorization for requests to registries: asked for as the registry demands, kept until it expires.

Source: distribution ``docs/spec/auth/token.md`` and ``oauth.md``.
"""

from __future__ import annotations

import json
import threading
import typing as t
from dataclasses import dataclass, field
from urllib.parse import urlencode

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import LoginRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

if t.TYPE_CHECKING:
    from collections.abc import Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.messages import Response
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.challenge import Challenge
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.mirror_rules import Endpoint
    from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.pull_secret import Login, PullSecret
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

DEFAULT_LIFETIME = 60.0
"""Seconds that a token without a stated lifetime is good for (token.md, "expires_in")."""

_CLIENT = "fieldops.openshift"


@dataclass(frozen=True)
class _Grant:
    header: str = field(repr=False)
    until: float | None


class TokenStore:
    """The authorization that each endpoint has accepted. Threads share it; a token is fetched once for all of them."""

    def __init__(self, pull_secret: PullSecret, clock: Clock) -> None:
        self._pull_secret = pull_secret
        self._clock = clock
        self._grants: dict[str, _Grant] = {}
        self._lock = threading.Lock()

    def header_for(self, endpoint: Endpoint) -> str | None:
        """Return the Authorization header to send to ``endpoint``; None while it is unknown or has expired."""
        grant = self._grants.get(endpoint.name)
        if grant is None or (grant.until is not None and grant.until <= self._clock.monotonic()):
            return None
        return grant.header

    def answer(
        self,
        endpoint: Endpoint,
        challenges: Sequence[Challenge],
        *,
        refused: str | None,
        client: HttpClient,
        scheme: str,
        deadline: Deadline,
    ) -> str:
        """Return a header that meets the ``challenges`` of ``endpoint``, other than the ``refused`` one.

        Raises LoginRefusedError when there is nothing more to offer, and what the client raises.
        """
        with self._lock:
            known = self.header_for(endpoint)
            if known is not None and known != refused:
                return known
            login = self._pull_secret.login_for(endpoint.name)
            grant = self._meet(endpoint, challenges, login, client, scheme, deadline)
            if grant.header == refused:
                raise self.refusal(endpoint)
            self._grants[endpoint.name] = grant
            return grant.header

    def refusal(self, endpoint: Endpoint) -> LoginRefusedError:
        """Return the error for ``endpoint``, which does not accept what it was given."""
        return _refused(endpoint, self._pull_secret.login_for(endpoint.name), "it does not accept what it was given")

    def _meet(
        self,
        endpoint: Endpoint,
        challenges: Sequence[Challenge],
        login: Login | None,
        client: HttpClient,
        scheme: str,
        deadline: Deadline,
    ) -> _Grant:
        for challenge in challenges:
            if challenge.scheme == "bearer" and "realm" in challenge.parameters:
                return self._token(endpoint, challenge, login, client, scheme, deadline)
        if any(challenge.scheme == "basic" for challenge in challenges):
            if login is None:
                raise _refused(endpoint, None, "it wants a name and a password")
            return _Grant(login.basic, None)
        raise _refused(endpoint, login, "it demands a kind of login that is not known here")

    def _token(
        self,
        endpoint: Endpoint,
        challenge: Challenge,
        login: Login | None,
        client: HttpClient,
        scheme: str,
        deadline: Deadline,
    ) -> _Grant:
        realm = _realm(endpoint, challenge.parameters["realm"], scheme)
        wanted = {
            "service": challenge.parameters.get("service", ""),
            "scope": challenge.parameters.get("scope") or f"repository:{endpoint.repository}:pull",
        }
        wanted = {key: value for key, value in wanted.items() if value}
        if login is not None and login.identity_token:
            form = {
                **wanted,
                "grant_type": "refresh_token",
                "client_id": _CLIENT,
                "refresh_token": login.identity_token,
            }
            headers = {"Content-Type": "application/x-www-form-urlencoded"}
            answer = client.request(
                "POST", realm, deadline=deadline, headers=headers, body=urlencode(form).encode("ascii")
            )
        else:
            headers = {"Authorization": login.basic} if login is not None else {}
            asked = f"{realm.full}{'&' if realm.query else '?'}{urlencode(wanted)}"
            answer = client.request("GET", asked, deadline=deadline, headers=headers)
        if answer.status in (400, 401, 403):
            raise _refused(endpoint, login, f"its token service answered with status {answer.status}")
        return self._grant(endpoint, answer.require(200))

    def _grant(self, endpoint: Endpoint, answer: Response) -> _Grant:
        try:
            document = json.loads(answer.body)
            token = document.get("token") or document.get("access_token")
            lifetime = float(document.get("expires_in") or DEFAULT_LIFETIME)
        except (ValueError, TypeError, AttributeError, RecursionError):
            token, lifetime = None, 0.0
        if not isinstance(token, str) or not token.isascii() or not token.isprintable() or not token:
            raise LoginRefusedError(
                "log in",
                on=endpoint.host,
                seen=f"the token service {answer.url} gave no token",
                advice="Try again later; if it persists, ask who runs that registry.",
            )
        # A token that is about to expire would be refused on its way.
        return _Grant(f"Bearer {token}", self._clock.monotonic() + lifetime * 0.9)


def _realm(endpoint: Endpoint, text: str, scheme: str) -> Url:
    try:
        realm = Url.parse(text, on="realm")
    except InvalidInputError as error:
        raise LoginRefusedError(
            "log in", on=endpoint.host, seen=f"the address of its token service cannot be used: {error.seen}",
            advice="Ask who runs that registry.",
        ) from error  # fmt: skip
    if scheme == "https" and realm.scheme != "https":
        raise LoginRefusedError(
            "log in",
            on=endpoint.host,
            seen=f"it wants the password to be sent unprotected to {realm}",
            advice="Ask who runs that registry; nothing was sent.",
        )
    return realm


def _refused(endpoint: Endpoint, login: Login | None, seen: str) -> LoginRefusedError:
    whose = "no login for it is in the pull secret" if login is None else "the pull secret has a login for it"
    return LoginRefusedError(
        "log in",
        on=endpoint.name,
        seen=f"{seen}; {whose}",
        advice="Put a login that may pull this repository into the pull secret (podman login --authfile FILE HOST).",
        statuses=(401,),
    )
