# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The credentials of a relay and of its clients: a key pair and a bearer token."""

from __future__ import annotations

import hashlib
import hmac
import os
import ssl
import typing as t
from dataclasses import dataclass, field
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.errors import RelayError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)

SHORTEST_TOKEN: t.Final = 32
LONGEST_TOKEN: t.Final = 512


@dataclass(frozen=True)
class RelayCredentials:
    """PEM texts of certificate and private key, and the token; only the certificate is public."""

    certificate: str
    key: str = field(repr=False)
    token: str = field(repr=False)

    def accepts(self, token: str | None) -> bool:
        """Whether ``token`` is the right one; takes the same time for every wrong one."""
        given, right = (
            hashlib.sha256(text.encode("latin-1", "replace")).digest() for text in (token or "", self.token)
        )
        return hmac.compare_digest(given, right) and token is not None

    def server_context(self) -> ssl.SSLContext:
        """Return the context of a server that speaks TLS 1.3 only; raises RelayError for an unusable key pair."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        # Sessions are not resumed: a ticket would outlive the token check of its connection.
        context.num_tickets = 0
        with _InMemory(f"{self.certificate}\n{self.key}\n") as path:
            try:
                context.load_cert_chain(path)
            except (ssl.SSLError, OSError) as error:
                raise RelayError(
                    "set up TLS",
                    on="the relay's certificate and key",
                    seen=f"they cannot be used: {getattr(error, 'reason', None) or error}",
                    advice="Start the relay again. It creates new ones.",
                ) from error
        return context


def checked_token(token: str) -> str:
    """Return ``token``; raises InvalidInputError, which does not show it, for one that could be guessed or not sent."""
    is_sendable = token.isascii() and token.isprintable() and " " not in token
    if is_sendable and SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN:
        return token
    raise InvalidInputError(
        "use the relay's token",
        on="token",
        seen=f"it has {len(token)} characters" if is_sendable else "it contains spaces or non-ASCII characters",
        advice=f"Specify {SHORTEST_TOKEN} or more random letters and digits, for example from 'openssl rand -hex 32'.",
    )


class _InMemory:
    """A file that exists only in memory, because ssl reads private keys from files alone."""

    def __init__(self, content: str) -> None:
        self._content = content.encode()

    def __enter__(self) -> Path | str:
        if not hasattr(os, "memfd_create"):
            raise MissingRequirementError(
                "keep the relay's key in memory",
                on="this machine",
                seen="it has no memfd_create(2)",
                advice="Run the relay on a Linux machine.",
            )
        self._descriptor = os.memfd_create("relay", os.MFD_CLOEXEC)
        os.write(self._descriptor, self._content)
        return f"/proc/self/fd/{self._descriptor}"

    def __exit__(self, *_exception: object) -> None:
        os.close(self._descriptor)
