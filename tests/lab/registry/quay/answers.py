# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Answers of the front, with the error documents that quay's ``endpoints/v2/errors.py`` defines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax.saxutils import escape

JSON_TYPE = "application/json"
TEXTS = {
    "BLOB_UNKNOWN": (404, "blob unknown to registry"),
    "DENIED": (403, "requested access to the resource is denied"),
    "INVALID_REQUEST": (400, "Invalid request"),
    "MANIFEST_UNKNOWN": (404, "manifest unknown"),
    "NAME_UNKNOWN": (404, "repository name not known to registry"),
    "UNAUTHORIZED": (401, "access to the requested resource is not authorized"),
    "UNSUPPORTED": (405, "The operation is unsupported."),
}


@dataclass(frozen=True)
class Part:
    """The bytes of a file from ``start`` on, ``size`` of them."""

    path: Path
    start: int
    size: int


@dataclass(frozen=True)
class Answer:
    """Status, header fields, and the body: bytes, or a part of a file."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | Part = b""

    @property
    def size(self) -> int:
        """The bytes of the body."""
        return self.body.size if isinstance(self.body, Part) else len(self.body)


def document(status: int, content: object, headers: Mapping[str, str] | None = None) -> Answer:
    """Return an answer with a JSON document."""
    return Answer(status, {"Content-Type": JSON_TYPE, **(headers or {})}, json.dumps(content).encode() + b"\n")


def failure(code: str, message: str = "", headers: Mapping[str, str] | None = None) -> Answer:
    """Return the answer that ``V2RegistryException.as_dict`` makes of an error."""
    status, usual = TEXTS[code]
    return document(status, {"errors": [{"code": code, "detail": {}, "message": message or usual}]}, headers)


def aborted(status: int, message: str, headers: Mapping[str, str] | None = None) -> Answer:
    """Return what ``abort`` of quay's ``util/http.py`` says: another document than the API's errors."""
    return document(status, {"error": message}, headers)


def storage_failure(status: int, code: str, message: str) -> Answer:
    """Return an error of the storage behind the CDN (Amazon S3, "Error responses")."""
    error = f"<Error><Code>{code}</Code><Message>{escape(message)}</Message></Error>"
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n{error}'
    return Answer(status, {"Content-Type": "application/xml"}, text.encode())


def too_many(retry_after: int | None) -> Answer:
    """Return nginx's page for ``limit_req_status 429``."""
    page = b"<html>\r\n<head><title>429 Too Many Requests</title></head>\r\n<body>\r\n"
    page += b"<center><h1>429 Too Many Requests</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"
    waiting = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Answer(429, {"Content-Type": "text/html", **waiting}, page)
