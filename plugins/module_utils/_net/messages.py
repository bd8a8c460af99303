# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An HTTP request as it is sent, the request that follows a redirection, and a whole answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._net.failures import status_failure
from ansible_collections.fieldops.openshift.plugins.module_utils._net.headers import (
    ALWAYS_SENSITIVE,
    Headers,
    checked_headers,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.reach import Reach
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import IDEMPOTENT_METHODS
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

_METHOD = re.compile(r"[A-Z]{1,20}")
_REDIRECTIONS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True)
class HttpRequest:
    """One request. ``sensitive`` are the lower-case names of headers that only the first origin may see.

    ``led_by`` is the reach of the server that redirected to this URL, which bounds where it may lead.
    """

    method: str
    url: Url
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    body: bytes | None = field(default=None, repr=False)
    sensitive: frozenset[str] = ALWAYS_SENSITIVE
    led_by: Reach | None = None

    @classmethod
    def build(
        cls,
        method: str,
        url: str | Url,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        sensitive: Collection[str] = (),
    ) -> HttpRequest:
        """Return the checked request; InvalidInputError shows neither header values nor the query of the URL."""
        if not _METHOD.fullmatch(method) or method == "CONNECT":
            raise InvalidInputError(
                "send an HTTP request",
                on="method",
                seen="it is not the name of a method in capital letters",
                advice="Use a method such as GET, HEAD, PUT or POST.",
            )
        return cls(
            method,
            Url.parse(url) if isinstance(url, str) else url,
            checked_headers(headers or {}),
            body,
            ALWAYS_SENSITIVE | {name.lower() for name in sensitive},
        )

    @property
    def idempotent(self) -> bool:
        """Whether sending it twice has the effect of sending it once. Source: RFC 9110, 9.2.2."""
        return self.method in IDEMPOTENT_METHODS

    @property
    def attempted(self) -> str:
        """Return the words for "Could not ..."."""
        return f"complete the {self.method} request"

    def after_redirection(self, status: int, location: str | None) -> HttpRequest | None:
        """Return the request that a redirection asks for, or None if the answer is taken as it is.

        Only GET and HEAD are redirected: sending another body elsewhere is the caller's decision (RFC 9110, 15.4).
        Sensitive headers are never sent to another origin. TransferError: https to http, or no usable Location.
        """
        if status not in _REDIRECTIONS or location is None or self.method not in ("GET", "HEAD"):
            return None
        try:
            url = self.url.join(location)
        except InvalidInputError as exc:
            raise self._refusal(status, f"it was redirected to an unusable address: {exc.seen}") from exc
        if self.url.scheme == "https" and url.scheme == "http":
            raise self._refusal(status, f"it was redirected from https to unencrypted http at {url}")
        if url.origin == self.url.origin:
            return replace(self, url=url)
        kept = tuple((name, value) for name, value in self.headers if name.lower() not in self.sensitive)
        return replace(self, url=url, headers=kept)

    def _refusal(self, status: int, seen: str) -> TransferError:
        return TransferError(
            self.attempted,
            on=self.url.redacted,
            seen=seen,
            advice="Use the final https address of the resource, or correct the redirection of the server.",
            status=status,
        )


@dataclass(frozen=True)
class Response:
    """A whole answer with a small body. Every status is data; ``require`` turns an unwanted one into an error.

    ``url`` is where the answer came from, after redirections. ``retry_after`` is in seconds.
    """

    method: str
    url: Url
    status: int
    headers: Headers
    body: bytes = field(repr=False)
    retry_after: float | None = None

    def require(self, *statuses: int) -> Response:
        """Return this response if its status is one of ``statuses``; raise TransferError otherwise."""
        if self.status not in statuses:
            raise status_failure(self.method, self.url, self.status, self.retry_after)
        return self
