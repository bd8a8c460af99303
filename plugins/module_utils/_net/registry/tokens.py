# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Authorization for requests to registries: requested as each demands, kept for its scope, renewed before it ends.

Source: distribution ``docs/content/spec/auth/token.md`` and ``oauth.md``.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.challenge import Challenge
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.pull_secret import PullSecret
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import LoginRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.token_service import (
    Session,
    TokenService,
    refused,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    FieldOpsError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.mirror_rules import Endpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

_EARLY = 30.0
"""Seconds before its end at which a token is renewed: one that ends in transit would be rejected."""


@dataclass(frozen=True)
class _Grant:
    header: str = field(repr=False)
    challenges: tuple[Challenge, ...]
    renew_at: float | None


class _Scope:
    """What is known of one repository at one registry. ``round`` counts how often it was logged in to."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.grant: _Grant | None = None
        self.round = 0
        self.failure: FieldOpsError | None = None


class TokenStore:
    """The authorization that each endpoint has accepted.

    Threads share it: what one scope needs is fetched once for all of them, and nothing waits for another scope.
    """

    def __init__(self, pull_secret: PullSecret, clock: Clock) -> None:
        self._pull_secret = pull_secret
        self._clock = clock
        self._service = TokenService(clock)
        self._scopes: dict[str, _Scope] = {}
        self._lock = threading.Lock()

    def header_for(self, session: Session) -> str | None:
        """Return the Authorization header to send, renewed if it is about to end; None while none was demanded."""
        grant = self._scope(session.endpoint).grant
        if grant is None:
            return None
        if self._is_live(grant):
            return grant.header
        return self.answer(session, grant.challenges, refused=None)

    def answer(self, session: Session, challenges: Sequence[Challenge], *, refused: str | None) -> str:
        """Return a header that meets the ``challenges`` of the endpoint, other than the ``refused`` one.

        Raises LoginRefusedError when there is nothing more to offer, and what the client raises. Threads that waited
        for another one to be refused share its failure.
        """
        scope = self._scope(session.endpoint)
        waited_from = scope.round
        with _held(scope.lock, session.endpoint, session.deadline):
            known = scope.grant
            if known is not None and known.header != refused and self._is_live(known):
                return known.header
            if scope.round != waited_from and scope.failure is not None:
                raise scope.failure
            scope.grant = self._met(scope, session, challenges, refused)
            return scope.grant.header

    def refusal(self, endpoint: Endpoint) -> LoginRefusedError:
        """Return the error for ``endpoint``, which does not accept what it was given."""
        login = self._pull_secret.login_for(endpoint.name)
        return refused(endpoint, login, "it does not accept the credentials")

    def _met(self, scope: _Scope, session: Session, challenges: Sequence[Challenge], refused: str | None) -> _Grant:
        scope.failure = None
        try:
            grant = self._meet(session, tuple(challenges))
            if grant.header == refused:
                raise self.refusal(session.endpoint)
        except DeadlineExceededError:
            # That was this caller's time; others may have more.
            raise
        except FieldOpsError as error:
            scope.failure = error
            raise
        finally:
            scope.round += 1
        return grant

    def _meet(self, session: Session, challenges: tuple[Challenge, ...]) -> _Grant:
        login = self._pull_secret.login_for(session.endpoint.name)
        if login is not None and login.bearer is not None:
            return _Grant(login.bearer, challenges, None)
        for challenge in challenges:
            if challenge.scheme == "bearer" and "realm" in challenge.parameters:
                answer = self._service.token(session, challenge, login)
                early = min(_EARLY, answer.seconds / 10)
                renew_at = self._clock.monotonic() + answer.seconds - early
                return _Grant(f"Bearer {answer.token}", challenges, renew_at)
        if any(challenge.scheme == "basic" for challenge in challenges):
            if login is None:
                raise refused(session.endpoint, None, "it requires a name and a password")
            return _Grant(login.basic, challenges, None)
        raise refused(session.endpoint, login, "it requires a type of login that is not supported")

    def _is_live(self, grant: _Grant) -> bool:
        return grant.renew_at is None or self._clock.monotonic() < grant.renew_at

    def _scope(self, endpoint: Endpoint) -> _Scope:
        with self._lock:
            return self._scopes.setdefault(endpoint.name, _Scope())


@contextlib.contextmanager
def _held(lock: threading.Lock, endpoint: Endpoint, deadline: Deadline) -> Iterator[None]:
    """Hold ``lock``, and wait for it no longer than ``deadline`` allows."""
    if not lock.acquire(timeout=min(deadline.remaining, threading.TIMEOUT_MAX)):
        raise DeadlineExceededError(
            "log in",
            on=endpoint.name,
            seen=f"after {deadline.seconds:.0f} s its token service had not answered an earlier request",
            advice="Allow more time, or check why the token service is slow.",
        )
    try:
        yield
    finally:
        lock.release()
