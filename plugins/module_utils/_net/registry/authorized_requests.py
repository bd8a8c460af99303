# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The only path of requests to registries: with the authorization they demand, replaced once when it is rejected."""

from __future__ import annotations

import typing as t
from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._net.failures import status_failure
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.messages import Response
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.challenge import parse_challenges
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_access import RegistryAccess
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.token_service import Session
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.tokens import TokenStore
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import Endpoint

_Got = t.TypeVar("_Got")
Send = t.Callable[["HttpClient", Url, "dict[str, str]"], _Got]
"""Makes the request to a URL with these headers; a TransferError with status 401 says that they were not enough."""


class AuthorizedRequests:
    """Requests below ``/v2/<repository>/`` of an endpoint. Threads share it."""

    def __init__(self, access: RegistryAccess, tokens: TokenStore) -> None:
        self._access = access
        self._tokens = tokens

    def perform(
        self,
        endpoint: Endpoint,
        path: str,
        deadline: Deadline,
        send: Send[_Got],
        *,
        progress: Callable[[], int] = lambda: 0,
    ) -> _Got:
        """Return what ``send`` returns for ``path``, once it was given what the endpoint demands.

        It fails if a new authorization was refused too, without ``progress`` in between: a long transfer may
        outlive several of them. Raises LoginRefusedError, and what ``send`` raises.
        """
        client, scheme = self._access.client_for(endpoint, deadline)
        session = Session(endpoint, client, scheme, deadline)
        url = _base(scheme, endpoint).join(f"{_repository(endpoint)}/{path}")
        header = self._tokens.header_for(session)
        refused_at: int | None = None
        while True:
            headers = {"Authorization": header} if header else {}
            try:
                return send(client, url, headers)
            except TransferError as error:
                if error.status != 401:
                    raise
                if progress() == refused_at:
                    raise self._tokens.refusal(endpoint) from error
                refused_at = progress()
                header = self._renewed(session, error, header)

    def get(
        self, endpoint: Endpoint, path: str, deadline: Deadline, *, accept: str, statuses: tuple[int, ...] = (200,)
    ) -> Response:
        """Return the document at ``path``, or another answer that has one of ``statuses``."""

        def send(client: HttpClient, url: Url, headers: dict[str, str]) -> Response:
            answer = client.request("GET", url, deadline=deadline, headers={**headers, "Accept": accept})
            if answer.status == 401:
                demands = answer.headers.get_all("WWW-Authenticate") if answer.url.origin == url.origin else ()
                raise status_failure("GET", answer.url, 401, challenges=demands)
            return answer.require(*statuses)

        return self.perform(endpoint, path, deadline, send)

    def _renewed(self, session: Session, refusal: TransferError, header: str | None) -> str:
        challenges = refusal.challenges or self._demands(session)
        if not challenges:
            raise refusal
        return self._tokens.answer(session, parse_challenges(challenges), refused=header)

    def _demands(self, session: Session) -> tuple[str, ...]:
        """Ask the base of the API what it demands: a blob may be at another server, which has no say in this."""
        answer = session.client.request("GET", _base(session.scheme, session.endpoint), deadline=session.deadline)
        return answer.headers.get_all("WWW-Authenticate") if answer.status == 401 else ()


def _base(scheme: str, endpoint: Endpoint) -> Url:
    host = "registry-1.docker.io" if endpoint.host == "docker.io" else endpoint.host
    return Url.parse(f"{scheme}://{host}/v2/")


def _repository(endpoint: Endpoint) -> str:
    is_official = endpoint.host == "docker.io" and "/" not in endpoint.repository
    return f"library/{endpoint.repository}" if is_official else endpoint.repository
