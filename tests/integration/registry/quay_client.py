# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A client of a registry and of its token service that shows each answer as it came."""

from __future__ import annotations

import base64
import http.client
import json
import ssl
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

PUBLIC = "openshift-release-dev/ocp-release"
PRIVATE = "openshift-release-dev/ocp-v4.0-art-dev"
NOWHERE = f"sha256:{'0' * 64}"
ACCEPT = "application/vnd.docker.distribution.manifest.v2+json, application/vnd.oci.image.manifest.v1+json"


@dataclass(frozen=True)
class Seen:
    """An answer."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def code(self) -> str:
        """The code of the first error."""
        return str(json.loads(self.body)["errors"][0]["code"])


class Client:
    """Asks one registry and its token service, and follows nothing by itself."""

    def __init__(self, registry: Registry, quay: Registry) -> None:
        self.registry, self.quay = registry, quay
        self.context = ssl.create_default_context()
        for one in (registry, quay):
            self.context.load_verify_locations(one.ca_file)

    def ask(self, url: str, method: str = "GET", **headers: str) -> Seen:
        parts = urlsplit(url)
        connection = http.client.HTTPSConnection(parts.netloc, timeout=10, context=self.context)
        try:
            target = f"{parts.path}?{parts.query}" if parts.query else parts.path
            connection.request(method, target, headers={"Accept": ACCEPT, **headers})
            answer = connection.getresponse()
            return Seen(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, path: str, token: str = "", method: str = "GET") -> Seen:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.ask(f"{self.registry.url}/v2/{path}", method, **headers)

    def log_in(self, scopes: list[str], authorization: str = "") -> Seen:
        query = urlencode([("service", self.quay.host), *(("scope", scope) for scope in scopes)])
        headers = {"Authorization": authorization} if authorization else {}
        return self.ask(f"{self.quay.front.realm}?{query}", **headers)

    def token(self, repository: str, authorization: str = "") -> str:
        answer = self.log_in([f"repository:{repository}:pull"], authorization)
        assert answer.status == 200
        return str(json.loads(answer.body)["token"])


def basic(credentials: Credentials | None) -> str:
    assert credentials
    return f"Basic {base64.b64encode(f'{credentials.user}:{credentials.password}'.encode()).decode()}"


def path_of(release: Release, repository: str) -> str:
    digest = release.image.digest if repository == PUBLIC else release.components["etcd"].digest
    return f"{repository}/manifests/{digest}"
