# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The record of a started relay: everything that is not secret, and enough to recognize its token."""

from __future__ import annotations

import hashlib
import hmac
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_request import RelayRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

SCHEMA_VERSION: t.Final = 1
RECORD: t.Final = "relay.json"
"""Name of the file that holds the record, in the place of the relay."""

_INSTANT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class RelayRecord:
    """A started relay; ``token_digest`` is the sha256 of its token, ``started`` an instant in UTC."""

    request: RelayRequest
    certificate: str
    token_digest: str
    port: int
    started: datetime

    @property
    def expires(self) -> datetime:
        """Return the instant at which the relay ends by itself."""
        return self.started + timedelta(seconds=self.request.lifetime)

    def answers(self, request: RelayRequest, token: str) -> bool:
        """Whether this relay is what ``request`` asks for, for clients with ``token``."""
        return self.request == request and hmac.compare_digest(self.token_digest, digest_of_token(token))

    def to_document(self) -> dict[str, t.Any]:
        """Return the JSON document of this record."""
        return {
            "schemaVersion": SCHEMA_VERSION,
            "request": self.request.to_document(),
            "certificate": self.certificate,
            "tokenDigest": self.token_digest,
            "port": self.port,
            "started": f"{self.started:{_INSTANT}}",
        }

    @classmethod
    def from_document(cls, document: Mapping[str, t.Any]) -> RelayRecord:
        """Return the record in ``document``; raises InvalidInputError for anything else."""
        try:
            return cls(
                request=RelayRequest.from_document(document["request"]),
                certificate=str(document["certificate"]),
                token_digest=str(document["tokenDigest"]),
                port=int(document["port"]),
                started=datetime.strptime(document["started"], _INSTANT).replace(tzinfo=timezone.utc),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInputError(
                "read the record of a relay",
                on="relay.json",
                seen=f"{type(error).__name__}: {error}",
                advice="Stop the relay and start it again.",
            ) from error

    def as_result(self, kept_by: str, *, is_running: bool) -> dict[str, t.Any]:
        """Return the relay as modules show it. The certificate is public: it is what clients trust."""
        request = self.request
        return {
            "state": "started" if is_running else "stopped",
            "kept_by": kept_by,
            "url": request.url(self.port),
            "ca": self.certificate,
            "index_digest": request.index_digest,
            "path": request.path,
            "address": request.address,
            "port": self.port,
            "allowed_addresses": list(request.allowed_addresses),
            "filling": request.filling,
            "lifetime": request.lifetime,
            "started": f"{self.started:{_INSTANT}}",
            "expires": f"{self.expires:{_INSTANT}}",
        }


def digest_of_token(token: str) -> str:
    """Return what is kept of a token; it is random and long, so it cannot be found from this."""
    return hashlib.sha256(token.encode()).hexdigest()
