# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The API of the registry as clients of quay.io see it, before a real registry that has the images.

Copies ``_require_repo_permission`` and ``v2_support_enabled`` of quay's ``endpoints/v2/__init__.py``,
``process_registry_jwt_auth`` of ``auth/registry_jwt_auth.py``, and ``download_blob`` of ``endpoints/v2/blob.py``.
Nothing can be pushed: ``endpoints/v2/errors.py`` ``Unsupported``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.answers import Answer, aborted, failure
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.front_state import FrontState
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.referrers import referrers_of
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.tokens import InvalidTokenError
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.upstream import Upstream

RESOURCE = re.compile(r"/v2/(?P<repository>.+)/(?P<kind>manifests|blobs|referrers|tags)/(?P<name>[^/]+)")
TOKEN = re.compile(r"(?i)bearer (?P<token>[a-zA-Z0-9+/_=-]+\.[a-zA-Z0-9+/_=-]+\.[a-zA-Z0-9+/_=-]+)")
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
VERSION = {"Docker-Distribution-Api-Version": "registry/2.0"}
NO_SUCH_PATH = Answer(404, {"Content-Type": "text/plain"}, b"404 page not found\n")


class RegistryApi:
    """Answers requests to the registry's host."""

    def __init__(self, state: FrontState) -> None:
        self._state = state

    def answer(self, method: str, target: str, headers: Mapping[str, str], upstream: Upstream) -> Answer:
        """Return the answer to a request."""
        path = urlsplit(target).path
        if path == "/v2/":
            return self._base(headers)
        found = RESOURCE.fullmatch(path)
        if not found:
            return NO_SUCH_PATH
        repository = found["repository"]
        refusal = self._refusal(repository, headers)
        if refusal:
            return refusal
        if method not in ("GET", "HEAD"):
            return failure("UNSUPPORTED")
        if found["kind"] == "blobs":
            return self._blob(method, found, upstream)
        if found["kind"] == "referrers":
            return self._referrers(repository, found["name"], target)
        return self._relayed(method, target, headers, upstream, found)

    def _base(self, headers: Mapping[str, str]) -> Answer:
        challenge = self._challenge()
        if not headers.get("Authorization"):
            return Answer(401, {"Content-Type": "text/html; charset=utf-8", **challenge}, b"true")
        try:
            self._granted(headers["Authorization"])
        except InvalidTokenError as error:
            return aborted(401, str(error), challenge)
        return Answer(200, {"Content-Type": "text/html; charset=utf-8", **challenge}, b"true")

    def _refusal(self, repository: str, headers: Mapping[str, str]) -> Answer | None:
        """Return why a repository may not be read, or None."""
        challenge = self._challenge(repository)
        granted: set[str] = set()
        if headers.get("Authorization"):
            try:
                granted = self._granted(headers["Authorization"])
            except InvalidTokenError as error:
                return aborted(401, str(error), challenge)
        if repository in granted or self._state.is_public(repository):
            return None
        return failure("UNAUTHORIZED", headers=challenge)

    def _granted(self, authorization: str) -> set[str]:
        found = TOKEN.fullmatch(authorization)
        if not found:
            raise InvalidTokenError("Invalid bearer token format")
        state = self._state
        access = state.key.access(found["token"], state.service, state.traits.token_leeway)
        return {one["name"] for one in access if {"pull", "*"} & set(one["actions"])}

    def _challenge(self, repository: str = "") -> dict[str, str]:
        """Return what ``get_auth_headers`` does."""
        words = f'Bearer realm="{self._state.realm}",service="{self._state.service}"'
        scope = f',scope="repository:{repository}:pull"' if repository else ""
        return {"WWW-Authenticate": words + scope, **VERSION}

    def _blob(self, method: str, found: re.Match[str], upstream: Upstream) -> Answer:
        name = found["name"]
        if not DIGEST.fullmatch(name):
            return NO_SUCH_PATH
        held = upstream.ask("HEAD", f"/v2/{found['repository']}/blobs/{name}", {})
        if held.status == 404:
            return failure("BLOB_UNKNOWN")
        kept = {"Docker-Content-Digest": name, "Accept-Ranges": "bytes"}
        if held.status != 200 or method == "HEAD":
            size = {"Content-Length": held.headers["Content-Length"], "Content-Type": "application/octet-stream"}
            return replace(held, headers={**kept, **size}) if held.status == 200 else held
        address = self._state.blob_address(Digest.parse(name), found["repository"])
        page = {"Location": address, "Content-Type": "text/html; charset=utf-8", **kept}
        return Answer(self._state.traits.redirect_status, page, b"<p>You should be redirected automatically.\n")

    def _referrers(self, repository: str, name: str, target: str) -> Answer:
        if not self._state.traits.referrers or not DIGEST.fullmatch(name):
            return NO_SUCH_PATH
        wanted = parse_qs(urlsplit(target).query).get("artifactType", [None])[0]
        return referrers_of(self._state.storage, repository, Digest.parse(name), wanted)

    def _relayed(
        self, method: str, target: str, headers: Mapping[str, str], upstream: Upstream, found: re.Match[str]
    ) -> Answer:
        """Return what the registry behind the front says; where it has nothing, in quay's words."""
        accepted = {"Accept": headers["Accept"]} if headers.get("Accept") else {}
        answer = upstream.ask(method, target, accepted)
        if answer.status == 404:
            by_digest = DIGEST.fullmatch(found["name"])
            return failure("MANIFEST_UNKNOWN" if by_digest else self._state.traits.missing_tag)
        return answer
