# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The storage behind the registry: addresses that are signed and end, and the bytes of blobs.

Copies ``AkamaiS3Storage.get_direct_download_url`` of quay's ``storage/akamaistorage.py`` as far as a client sees it,
and what Amazon S3 answers to such an address ("Authenticating Requests: Using Query Parameters"): 403 for one that has
ended or was forged, 400 for a login beside it. A real signature covers more.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Mapping
from datetime import datetime, timezone
from urllib.parse import parse_qs, urlencode, urlsplit

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.answers import Answer, Part, storage_failure
from ansible_collections.fieldops.openshift.tests.lab.registry.storage import RegistryStorage

ALGORITHM = "AWS4-HMAC-SHA256"
TIME = "%Y%m%dT%H%M%SZ"
ADDRESS = re.compile(r"/storage/sha256/[0-9a-f]{2}/(?P<hex>[0-9a-f]{64})")
RANGE = re.compile(r"bytes=(?P<first>\d*)-(?P<last>\d*)")
SIGNED = ("X-Amz-Date", "X-Amz-Expires", "X-Amz-Signature")
TWO_LOGINS = (
    "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or "
    "the Authorization header should be specified"
)


class ContentNetwork:
    """Signs addresses, and answers requests to them."""

    def __init__(self, storage: RegistryStorage) -> None:
        self._storage = storage
        self._key = secrets.token_bytes(32)

    def address(self, digest: Digest, repository: str, seconds: int) -> str:
        """Return the path and query of a blob, good for so many seconds."""
        path = f"/storage/sha256/{digest.hex[:2]}/{digest.hex}"
        date, expires = datetime.now(timezone.utc).strftime(TIME), str(seconds)
        namespace, _slash, name = repository.partition("/")
        query = {
            "X-Amz-Algorithm": ALGORITHM,
            "X-Amz-Date": date,
            "X-Amz-Expires": expires,
            "X-Amz-SignedHeaders": "host",
            "X-Amz-Signature": self._signature(path, date, expires),
            "namespace": namespace,
            "repo_name": name,
        }
        return f"{path}?{urlencode(query)}"

    def answer(self, method: str, target: str, headers: Mapping[str, str]) -> Answer:
        """Return the blob of a signed address, the part of it that is asked for, or why not."""
        parts = urlsplit(target)
        found = ADDRESS.fullmatch(parts.path)
        refusal = self._refusal(method, parts.path, parse_qs(parts.query), headers)
        if refusal:
            return refusal
        file = found and self._storage.blob(Digest(found["hex"]))
        if not file or not file.exists():
            return storage_failure(404, "NoSuchKey", "The specified key does not exist.")
        return _content(Part(file, 0, file.stat().st_size), f'"{file.parent.name[:32]}"', headers.get("Range"))

    def _refusal(
        self, method: str, path: str, query: Mapping[str, list[str]], headers: Mapping[str, str]
    ) -> Answer | None:
        if headers.get("Authorization"):
            return storage_failure(400, "InvalidArgument", TWO_LOGINS)
        date, expires, signature = (query.get(name, [""])[0] for name in SIGNED)
        if not signature:
            return storage_failure(403, "AccessDenied", "Access Denied")
        # The method is signed too: an address for GET is none for HEAD.
        if method != "GET" or not hmac.compare_digest(signature, self._signature(path, date, expires)):
            seen = "The request signature we calculated does not match the signature you provided."
            return storage_failure(403, "SignatureDoesNotMatch", seen)
        begun = datetime.strptime(date, TIME).replace(tzinfo=timezone.utc).timestamp()
        if time.time() >= begun + int(expires):
            return storage_failure(403, "AccessDenied", "Request has expired")
        return None

    def _signature(self, path: str, date: str, expires: str) -> str:
        return hmac.new(self._key, f"GET\n{path}\n{date}\n{expires}".encode(), hashlib.sha256).hexdigest()


def _content(whole: Part, etag: str, wanted: str | None) -> Answer:
    """Return the body or one range of it; several at once are answered with the whole (RFC 9110, 14.2)."""
    headers = {"Accept-Ranges": "bytes", "Content-Type": "binary/octet-stream", "ETag": etag}
    found = RANGE.fullmatch(wanted or "")
    if not found or found[0] == "bytes=-":
        return Answer(200, headers, whole)
    first, last = found["first"], found["last"]
    start = int(first) if first else max(0, whole.size - int(last))
    stop = min(int(last) + 1, whole.size) if first and last else whole.size
    if start >= stop:
        return Answer(416, {"Content-Range": f"bytes */{whole.size}"})
    headers["Content-Range"] = f"bytes {start}-{stop - 1}/{whole.size}"
    return Answer(206, headers, Part(whole.path, start, stop - start))
