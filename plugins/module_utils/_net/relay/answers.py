# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a relay answers: which bytes of what, and with which status and fields. Pure.

A relay may hold only parts of an entity as yet. It gives the bytes that it has from the first requested one, which may
be fewer than requested (RFC 9110, 15.3.7), and 503 with Retry-After where it does not have that first byte yet.
"""

from __future__ import annotations

import json
import re
import typing as t
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from http import HTTPStatus

from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.request_head import RequestHead

METHODS: t.Final = ("GET", "HEAD")
NOT_YET: t.Final = HTTPStatus.SERVICE_UNAVAILABLE

API_VERSION: t.Final = {"Docker-Distribution-Api-Version": "registry/2.0"}
"""By this field clients distinguish a registry from other servers. Source: distribution, ``specs/spec.md.tmpl``."""

_CODES = {
    HTTPStatus.UNAUTHORIZED: "UNAUTHORIZED",
    HTTPStatus.NOT_FOUND: "MANIFEST_UNKNOWN",
    HTTPStatus.METHOD_NOT_ALLOWED: "UNSUPPORTED",
    NOT_YET: "TOOMANYREQUESTS",
}
"""Codes of errors by status. Source: distribution-spec, "Error Codes"."""
_RANGE = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{1,18})?|-([0-9]{1,18}))", re.IGNORECASE)


@dataclass(frozen=True)
class Entity:
    """Something that can be requested: ``tag`` is its digest, ``held`` are the (first, stop) parts that are here.

    ``arriving`` is true if the missing bytes are already in transit.
    """

    tag: str
    size: int
    media_type: str
    held: tuple[tuple[int, int], ...]
    arriving: bool = False

    @property
    def etag(self) -> str:
        """Return the strong ETag, which is the digest: the same content has the same ETag on every relay."""
        return f'"{self.tag}"'

    def held_until(self, first: int) -> int:
        """Return where the unbroken part from ``first`` on ends; ``first`` itself where nothing is held."""
        end = first
        for start, stop in sorted(self.held):
            if start <= end < stop:
                end = stop
        return end


@dataclass(frozen=True)
class Answer:
    """A status, its fields, and as body the bytes from ``first`` to ``stop`` of the entity, or ``document``."""

    status: int
    fields: dict[str, str] = field(default_factory=dict)
    first: int = 0
    stop: int = 0
    length: int = 0
    document: bytes = b""

    def head(self, now: datetime, *, keep_alive: bool) -> bytes:
        """Return the bytes before the body."""
        reason = HTTPStatus(self.status).phrase
        fields = {
            "Date": format_datetime(now, usegmt=True),
            **API_VERSION,
            **self.fields,
            "Content-Length": str(self.length),
            "Connection": "keep-alive" if keep_alive else "close",
        }
        lines = [f"HTTP/1.1 {self.status} {reason}", *(f"{name}: {value}" for name, value in fields.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


def refusal(status: int, code: str = "") -> Answer:
    """Return an answer with the document of an error, of another ``code`` if given, and the field that goes with it.

    The challenge for clients of registries is Basic: they would take a Bearer challenge for that of a token service.
    """
    fields = {
        HTTPStatus.UNAUTHORIZED: {"WWW-Authenticate": 'Basic realm="fieldops.openshift"'},
        HTTPStatus.METHOD_NOT_ALLOWED: {"Allow": ", ".join(METHODS)},
    }
    return _error(status, fields.get(HTTPStatus(status), {}), code)


def plan_answer(head: RequestHead, entity: Entity | None, *, retry_seconds: int) -> Answer:
    """Return the answer to an authorised request for ``entity``, None where nothing of that name is offered."""
    if head.method not in METHODS:
        return refusal(HTTPStatus.METHOD_NOT_ALLOWED)
    if entity is None:
        return refusal(HTTPStatus.NOT_FOUND, "BLOB_UNKNOWN" if "/blobs/" in head.path else "")
    fields = {
        "Accept-Ranges": "bytes",
        "ETag": entity.etag,
        "Content-Type": entity.media_type,
        "Docker-Content-Digest": entity.tag,
    }
    if head.method == "HEAD":
        return Answer(HTTPStatus.OK, fields, length=entity.size)
    wanted = wanted_range(head, entity)
    if wanted is None:
        return _whole(entity, fields, retry_seconds)
    first, stop = wanted
    if first >= entity.size:
        return _error(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, {"Content-Range": f"bytes */{entity.size}"})
    stop = min(stop, entity.held_until(first))
    if stop <= first:
        return _not_yet(retry_seconds)
    fields["Content-Range"] = f"bytes {first}-{stop - 1}/{entity.size}"
    return Answer(HTTPStatus.PARTIAL_CONTENT, fields, first, stop, stop - first)


def wanted_range(head: RequestHead, entity: Entity) -> tuple[int, int] | None:
    """Return (first, stop) of a single range; None for the whole entity.

    A range that is malformed, one of several, or bound by If-Range to other content, is ignored, as RFC 9110 (13.1.5,
    14.2) allows. ``first`` may be behind the end, which cannot be satisfied.
    """
    match = _RANGE.fullmatch(head.fields.get("Range", "").replace(" ", ""))
    if match is None or head.fields.get("If-Range", entity.etag) != entity.etag:
        return None
    if match.group(3) is not None:
        count = int(match.group(3))
        return (max(0, entity.size - count) if count else entity.size, entity.size)
    first = int(match.group(1))
    last = entity.size - 1 if match.group(2) is None else int(match.group(2))
    return None if last < first < entity.size else (first, min(last + 1, entity.size))


def _whole(entity: Entity, fields: dict[str, str], retry_seconds: int) -> Answer:
    if entity.held_until(0) < entity.size:
        return _not_yet(retry_seconds)
    return Answer(HTTPStatus.OK, fields, 0, entity.size, entity.size)


def _not_yet(retry_seconds: int) -> Answer:
    return _error(NOT_YET, {"Retry-After": str(retry_seconds)})


def _error(status: int, fields: dict[str, str], code: str = "") -> Answer:
    code = code or _CODES.get(HTTPStatus(status), "UNKNOWN")
    document = json.dumps({"errors": [{"code": code, "message": HTTPStatus(status).phrase}]}).encode()
    return Answer(status, {**fields, "Content-Type": "application/json"}, length=len(document), document=document)
