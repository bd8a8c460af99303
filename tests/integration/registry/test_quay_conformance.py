# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The same cases through the front that is like quay.io and through distribution, which checks the same tokens.

Where a row has one status, both say it. Where it has two, the first is quay's, by the function that is named there.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.registry.quay_client import (
    NOWHERE,
    PRIVATE,
    PUBLIC,
    Client,
    basic,
    path_of,
)
from ansible_collections.fieldops.openshift.tests.integration.registry.skopeo import Skopeo
from ansible_collections.fieldops.openshift.tests.lab.registry import faults
from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.distribution import TokenTrust
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.tokens import TokenKey, pull
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry


@pytest.fixture(scope="module")
def real(release: Release, quay: Registry) -> Iterator[Registry]:
    trust = TokenTrust(quay.front.realm, quay.host, quay.front.key.certificate())
    with Registry(quay=None, tls=True, tokens=trust) as registry:
        registry.publish(release)
        yield registry


@pytest.fixture(params=["quay", "distribution"])
def client(request: pytest.FixtureRequest, quay: Registry, real: Registry) -> Client:
    return Client(quay if request.param == "quay" else real, quay)


CHALLENGE = re.compile(r'Bearer realm="(?P<realm>[^"]+)",service="(?P<service>[^"]+)"(,scope="(?P<scope>[^"]+)")?.*')
KEY = TokenKey.create()
TOKENS: dict[str, t.Callable[[Client], str]] = {
    "none": lambda _client: "",
    "anonymous, for the public one": lambda client: client.token(PUBLIC),
    "anonymous, for the private one": lambda client: client.token(PRIVATE),
    "with a login, for the private one": lambda client: client.token(PRIVATE, basic(client.quay.credentials)),
    "with a login, for the public one": lambda client: client.token(PUBLIC, basic(client.quay.credentials)),
    "ended two minutes ago": lambda client: KEY.issue(client.quay.host, [pull(PRIVATE)], -120),
    "for another service": lambda _client: KEY.issue("elsewhere.example", [pull(PRIVATE)], 60),
    "of a key that is not known": lambda client: KEY.replaced().issue(client.quay.host, [pull(PRIVATE)], 60),
    "forged": lambda client: KEY.issue(client.quay.host, [pull(PRIVATE)], 60)[:-8] + "AAAAAAAA",
    "no token at all": lambda _client: "abc",
}


@pytest.mark.parametrize(
    ("token", "repository", "status"),
    [
        ("none", PRIVATE, 401),
        ("none", PUBLIC, (200, 401)),  # _require_repo_permission(allow_public=True)
        ("anonymous, for the public one", PUBLIC, 200),
        ("anonymous, for the public one", PRIVATE, 401),
        ("anonymous, for the private one", PRIVATE, 401),
        ("with a login, for the private one", PRIVATE, 200),
        ("with a login, for the private one", PUBLIC, (200, 401)),  # the same
        ("with a login, for the public one", PRIVATE, 401),
        ("ended two minutes ago", PRIVATE, 401),
        ("for another service", PRIVATE, 401),
        ("of a key that is not known", PRIVATE, 401),
        ("forged", PRIVATE, 401),
        ("no token at all", PRIVATE, 401),
        ("no token at all", PUBLIC, 401),
    ],
    ids=lambda value: {PUBLIC: "public", PRIVATE: "private"}.get(value) if isinstance(value, str) else None,
)
def test_a_token_opens_what_it_is_for(
    client: Client, release: Release, token: str, repository: str, status: int | tuple[int, int]
) -> None:
    quays, reals = (status, status) if isinstance(status, int) else status
    seen = client.get(path_of(release, repository), TOKENS[token](client))
    assert seen.status == (quays if client.registry is client.quay else reals)
    if seen.status == 401:
        challenge = CHALLENGE.fullmatch(seen.headers["WWW-Authenticate"])
        assert challenge
        assert challenge.group("realm", "service") == (client.quay.front.realm, client.quay.host)
        assert challenge["scope"] == f"repository:{repository}:pull"


def test_the_base_names_the_token_service_and_no_scope(client: Client) -> None:
    seen = client.get("")
    challenge = CHALLENGE.fullmatch(seen.headers["WWW-Authenticate"])
    assert challenge
    assert (seen.status, challenge["realm"], challenge["scope"]) == (401, client.quay.front.realm, None)
    assert client.get("", client.token(PUBLIC)).status == 200


def test_a_password_is_for_the_token_service_only(client: Client, release: Release) -> None:
    url = f"{client.registry.url}/v2/{path_of(release, PRIVATE)}"
    assert client.ask(url, Authorization=basic(client.quay.credentials)).status == 401


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        (f"{PRIVATE}/manifests/sha256-{'0' * 64}.sig", 404, "MANIFEST_UNKNOWN"),
        (f"{PRIVATE}/manifests/{NOWHERE}", 404, "MANIFEST_UNKNOWN"),
        (f"{PRIVATE}/blobs/{NOWHERE}", 404, "BLOB_UNKNOWN"),
    ],
)
def test_what_is_missing_is_told(client: Client, path: str, status: int, code: str) -> None:
    seen = client.get(path, client.token(PRIVATE, basic(client.quay.credentials)))
    assert (seen.status, seen.code) == (status, code)


def test_without_the_referrers_api_there_is_no_such_path(
    real: Registry, asked: Client, release: Release, change: t.Callable[..., None]
) -> None:
    change(referrers=False)
    path = f"{PRIVATE}/referrers/{release.components['etcd'].digest}"
    for client in (asked, Client(real, asked.quay)):
        seen = client.get(path, client.token(PRIVATE, basic(client.quay.credentials)))
        assert (seen.status, seen.body) == (404, b"404 page not found\n")


class TestSkopeo:
    @pytest.fixture
    def trusted(self, client: Client, tmp_path: Path) -> Path:
        """A directory with the authorities of registry and token service."""
        for name, registry in (("a", client.registry), ("b", client.quay)):
            assert registry.ca_file
            (tmp_path / f"{name}.crt").write_bytes(registry.ca_file.read_bytes())
        return tmp_path

    @pytest.mark.parametrize(
        ("component", "login", "said"),
        [
            ("etcd", "right", ""),
            ("etcd", "none", "unauthorized"),
            ("etcd", "wrong", "unauthorized|invalid username/password"),
            ("", "none", ""),
        ],
        ids=["private, login", "private, none", "private, wrong login", "public, none"],
    )
    def test_it_pulls_what_it_may(
        self, client: Client, skopeo: Skopeo, release: Release, trusted: Path, component: str, login: str, said: str
    ) -> None:
        reference = release.reference_of(component) if component else release.reference.by_digest()
        options: list[object] = ["--src-cert-dir", trusted]
        if login != "none":
            account = t.cast("Credentials", client.quay.credentials)
            known = account if login == "right" else replace(account, password="wrong")
            (trusted / "auth.json").write_text(known.pull_secret([client.registry.host]))
            options += ["--src-authfile", trusted / "auth.json"]
        source = f"docker://{client.registry.host}/{reference.repository}@{reference.digest}"
        done = skopeo.run("copy", "--quiet", *options, source, f"dir:{skopeo.directory}/copied")
        if said:
            assert re.search(said, done.stderr), done.stderr
            return
        assert done.returncode == 0, done.stderr
        content = (skopeo.directory / "copied/manifest.json").read_bytes()
        assert content == release.pool.read(t.cast("t.Any", reference.digest))

    def test_blobs_are_asked_at_the_registry_and_come_from_elsewhere(
        self, quay: Registry, skopeo: Skopeo, release: Release
    ) -> None:
        mark = quay.access.mark()
        source = f"docker://{quay.host}/{PUBLIC}:{release.reference.tag}"
        skopeo.ok("copy", "--quiet", "--src-cert-dir", quay.certificates, source, f"dir:{skopeo.directory}/copied")
        wanted = {(str(blob.digest), blob.size) for blob in release.image.blobs}
        fetched = {(one.name, one.size) for one in quay.access.requests(mark, kind="blobs")}
        assert fetched == wanted
        assert {one.name for one in quay.access.requests(mark, kind="redirects")} == {name for name, _size in wanted}
        assert quay.access.count(mark, kind="tokens") >= 1

    def test_a_certificate_that_has_expired_is_refused(self, skopeo: Skopeo) -> None:
        with Registry(expired=True) as registry:
            source = f"docker://{registry.host}/{PUBLIC}:1"
            said = skopeo.failure("inspect", "--cert-dir", registry.certificates, source)
            assert "certificate has expired" in said

    def test_a_stale_mirror_has_the_manifest_and_not_the_layers(self, skopeo: Skopeo, release: Release) -> None:
        with Registry() as registry:
            registry.publish(release)
            faults.lose_layers(registry.storage, release.image)
            source = f"docker://{registry.host}/{PUBLIC}:{release.reference.tag}"
            skopeo.ok("inspect", "--raw", "--cert-dir", registry.certificates, source)
            copying = ("copy", "--src-cert-dir", registry.certificates, source, f"dir:{skopeo.directory}/copied")
            assert "404 (Not Found)" in skopeo.failure(*copying)
