# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The token services that registries name: requests to them, and what is not sent to them.

Source: distribution ``docs/content/spec/auth/token.md`` and ``oauth.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from urllib.parse import urlencode

from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.messages import Response
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.challenge import Challenge
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.login import Login
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import LoginRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.token_answer import TokenAnswer
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import Endpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

_CLIENT = "fieldops.openshift"


@dataclass(frozen=True)
class Session:
    """How one request reaches ``endpoint``: the client and the scheme that reach it, and the time there is."""

    endpoint: Endpoint
    client: HttpClient
    scheme: str
    deadline: Deadline


class TokenService:
    """Asks token services for tokens. It keeps the refresh tokens that replace those of the pull secret."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._refreshed: dict[tuple[str, tuple[str, str, int]], str] = {}

    def token(self, session: Session, challenge: Challenge, login: Login | None) -> TokenAnswer:
        """Return a token as ``challenge`` demands it. Raises LoginRefusedError, and what the client raises."""
        endpoint = session.endpoint
        realm = _realm(session, challenge.parameters["realm"])
        scopes = (challenge.parameters.get("scope") or f"repository:{endpoint.repository}:pull").split()
        service = challenge.parameters.get("service", "")
        wanted = [("service", service)] if service else []
        if login is not None and login.identity_token:
            answer = self._exchange(session, realm, [*wanted, ("scope", " ".join(scopes))], login.identity_token)
        else:
            query = urlencode([*wanted, *(("scope", scope) for scope in scopes)])
            headers = {"Authorization": login.basic} if login is not None else {}
            asked = f"{realm.full}{'&' if realm.query else '?'}{query}"
            answer = session.client.request("GET", asked, deadline=session.deadline, headers=headers)
        if answer.status in (400, 401, 403):
            raise refused(endpoint, login, f"its token service answered with status {answer.status}")
        found = TokenAnswer.read(answer.require(200).body, self._its_time(answer))
        if found is None:
            raise _no_token(endpoint, answer.url)
        if found.refresh_token and login is not None and login.identity_token:
            self._refreshed[login.identity_token, realm.origin] = found.refresh_token
        return found

    def _exchange(self, session: Session, realm: Url, wanted: list[tuple[str, str]], identity_token: str) -> Response:
        refresh_token = self._refreshed.get((identity_token, realm.origin), identity_token)
        form = [*wanted, ("grant_type", "refresh_token"), ("client_id", _CLIENT), ("refresh_token", refresh_token)]
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode(form).encode("ascii")
        return session.client.request("POST", realm, deadline=session.deadline, headers=headers, body=body)

    def _its_time(self, answer: Response) -> datetime:
        """Return the time of the service, by which the age of its tokens is measured; else the local time."""
        try:
            told = parsedate_to_datetime(answer.headers.get("Date", ""))
        except (TypeError, ValueError, IndexError, OverflowError):
            return self._clock.utcnow()
        return told if told.tzinfo is not None else told.replace(tzinfo=timezone.utc)


def refused(endpoint: Endpoint, login: Login | None, seen: str) -> LoginRefusedError:
    """Return the error for ``endpoint``, at which ``login`` did not help; ``seen`` says why."""
    whose = "the pull secret has no login for it" if login is None else "the pull secret has a login for it"
    return LoginRefusedError(
        "log in",
        on=endpoint.name,
        seen=f"{seen}; {whose}",
        advice="Add a login with pull access to this repository to the pull secret (podman login --authfile FILE "
        "HOST).",
        statuses=(401,),
    )


def _realm(session: Session, text: str) -> Url:
    try:
        realm = Url.parse(text, on="realm")
    except InvalidInputError as error:
        raise LoginRefusedError(
            "log in",
            on=session.endpoint.host,
            seen=f"the address of its token service cannot be used: {error.seen}",
            advice="Contact the administrator of that registry.",
        ) from error
    if session.scheme == "https" and realm.scheme != "https":
        raise LoginRefusedError(
            "log in",
            on=session.endpoint.host,
            seen=f"it requires the password to be sent unencrypted to {realm}",
            advice="Contact the administrator of that registry. Nothing was sent.",
        )
    return realm


def _no_token(endpoint: Endpoint, service: Url) -> LoginRefusedError:
    return LoginRefusedError(
        "log in",
        on=endpoint.host,
        seen=f"the token service {service} returned no token",
        advice="Try again later. If the error persists, contact the administrator of that registry.",
    )
