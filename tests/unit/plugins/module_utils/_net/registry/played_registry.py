# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A registry in a few lines over the scripted server, with a token service and faults that the test chooses."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import typing as t
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.auth_file import AuthFile
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.pull_secret import PullSecret
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import OCI_INDEX, OCI_MANIFEST
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    Answer,
    Asked,
    Wire,
    entity,
    reply,
)

MANIFEST = b'{"schemaVersion":2}'
EMPTY_INDEX = b'{"schemaVersion":2,"manifests":[]}'
BLOB = hashlib.shake_256(b"layer").digest(1_300_000)
CANARY = "kanarienvogel"


def digest_of(content: bytes) -> Digest:
    return Digest(hashlib.sha256(content).hexdigest())


IMAGE = ImageReference.parse("quay.io/openshift-release-dev/ocp-release:4.21.3-x86_64")
PINNED = IMAGE.by_digest(digest_of(MANIFEST))


def secret_of(text: str, on: str = "pull secret") -> PullSecret:
    """Return the pull secret in ``text`` alone."""
    return PullSecret((AuthFile.parse(text, on=on),))


def pull_secret(port: int, user: str = "engineer", password: str = CANARY, **entry: str) -> PullSecret:
    auth = base64.b64encode(f"{user}:{password}".encode()).decode()
    return secret_of(json.dumps({"auths": {f"127.0.0.1:{port}": {"auth": auth, **entry}}}))


@dataclass
class PlayedRegistry:
    """Answers as a registry does. ``login`` is demanded of token requests, or of all where ``basic`` is set.

    ``token_fields`` stand in the answers of its token service instead of the lifetime; ``referrers`` are None where it
    does not know that API. ``faults`` are answers given instead, the first to the first request whose path holds its
    key.
    """

    login: tuple[str, str] | None = None
    basic: bool = False
    tokens: bool = False
    lifetime: int = 300
    realm: str = ""
    token_text: t.Callable[[int], str] = "token-{}".format
    token_fields: dict[str, t.Any] | None = None
    referrers: dict[str, bytes] | None = None
    manifests: dict[str, bytes] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    faults: list[tuple[str, Answer]] = field(default_factory=list)
    issued: int = 0
    accepted: set[str] = field(default_factory=set)
    token_requests: list[dict[str, list[str]]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add_manifest(self, content: bytes, *tags: str) -> Digest:
        digest = digest_of(content)
        for name in (str(digest), *tags):
            self.manifests[name] = content
        return digest

    def add_blob(self, content: bytes) -> Digest:
        digest = digest_of(content)
        self.blobs[str(digest)] = content
        return digest

    def __call__(self, wire: Wire, asked: Asked) -> None:
        self._answer(asked)(wire, asked)

    def _answer(self, asked: Asked) -> Answer:
        path = urlsplit(asked.target).path
        with self._lock:
            for fault in self.faults:
                if fault[0] in path:
                    self.faults.remove(fault)
                    return fault[1]
            if path == "/token":
                return self._token(asked)
        refusal = self._refusal(asked)
        if refusal is not None:
            return refusal
        if path == "/v2/":
            return reply(200, b"{}")
        kind, _slash, name = path.rpartition("/")
        if kind.endswith("/manifests") and name in self.manifests:
            is_index = b'"manifests"' in self.manifests[name]
            return reply(200, self.manifests[name], Content_Type=OCI_INDEX if is_index else OCI_MANIFEST)
        if kind.endswith("/blobs") and name in self.blobs:
            return entity(self.blobs[name])
        if kind.endswith("/referrers") and self.referrers is not None:
            return reply(200, self.referrers.get(name, EMPTY_INDEX), Content_Type=OCI_INDEX)
        return reply(404, b'{"errors":[{"code":"MANIFEST_UNKNOWN"}]}')

    def _refusal(self, asked: Asked) -> Answer | None:
        sent = asked.headers.get("authorization", "")
        if self.basic and sent != self._basic():
            return reply(401, WWW_Authenticate='Basic realm="lab"')
        if self.tokens and sent.removeprefix("Bearer ") not in self.accepted:
            repository = asked.target.split("/v2/")[1].rpartition("/")[0].rpartition("/")[0]
            scope = f',scope="repository:{repository}:pull"' if repository else ""
            return reply(401, WWW_Authenticate=f'Bearer realm="{self.realm}",service="lab"{scope}')
        return None

    def _token(self, asked: Asked) -> Answer:
        query = asked.body.decode() if asked.method == "POST" else urlsplit(asked.target).query
        self.token_requests.append(parse_qs(query))
        if self.login is not None and asked.headers.get("authorization") != self._basic() and asked.method == "GET":
            return reply(401)
        self.issued += 1
        token = self.token_text(self.issued)
        self.accepted.add(token)
        fields = {"expires_in": self.lifetime} if self.token_fields is None else self.token_fields
        return reply(200, json.dumps({"token": token, **fields}).encode())

    def _basic(self) -> str:
        return "Basic " + base64.b64encode(":".join(self.login or ("", "")).encode()).decode()


class MemoryBlob:
    """A blob sink in memory that can begin anew."""

    def __init__(self, content: bytes = b"") -> None:
        self.content = bytearray(content)
        self.restarts = 0

    @property
    def position(self) -> int:
        return len(self.content)

    def write(self, chunk: memoryview) -> None:
        self.content += chunk

    def restart(self) -> None:
        self.restarts += 1
        self.content.clear()

    def update(self, block: memoryview) -> None:
        """The digest is taken of the content itself."""

    def hexdigest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()
