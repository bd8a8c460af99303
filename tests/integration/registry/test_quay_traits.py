# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the front does that is like quay.io and has no counterpart in distribution."""

from __future__ import annotations

import base64
import http.client
import json
import re
import typing as t
from urllib.parse import urlencode, urlsplit

import pytest

from ansible_collections.fieldops.openshift.tests.integration.registry.quay_client import (
    ACCEPT,
    NOWHERE,
    PRIVATE,
    PUBLIC,
    Client,
    basic,
    path_of,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.quay.tokens import TokenKey
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

KEY = TokenKey.create()


@pytest.mark.parametrize(
    ("login", "scopes", "status", "access"),
    [
        ("none", [], 401, None),
        ("wrong", [f"repository:{PUBLIC}:pull"], 401, None),
        ("right", [], 200, []),
        ("none", [f"repository:{PUBLIC}:pull"], 200, [(PUBLIC, ["pull"])]),
        ("none", [f"repository:{PRIVATE}:pull"], 200, [(PRIVATE, [])]),
        ("right", [f"repository:{PRIVATE}:pull"], 200, [(PRIVATE, ["pull"])]),
        ("right", [f"repository:{PRIVATE}:pull,push"], 200, [(PRIVATE, ["pull"])]),
        ("right", ["repository:some/where:pull"], 200, [("some/where", [])]),
        (
            "right",
            [f"repository:{PRIVATE}:pull", f"repository:{PUBLIC}:pull"],
            200,
            [(PRIVATE, ["pull"]), (PUBLIC, ["pull"])],
        ),
        ("right", ["registry:catalog:*"], 400, None),
    ],
)
def test_the_token_service_grants_what_may_be_read(
    asked: Client, login: str, scopes: list[str], status: int, access: list[tuple[str, list[str]]] | None
) -> None:
    logins = {"none": "", "wrong": basic(Credentials("lab", "wrong")), "right": basic(asked.quay.credentials)}
    seen = asked.log_in(scopes, logins[login])
    assert seen.status == status
    if access is None:
        assert seen.code == ("INVALID_REQUEST" if status == 400 else "UNAUTHORIZED")
        return
    document = json.loads(seen.body)
    assert set(document) == {"token"}, "quay says no expires_in"
    claims = json.loads(base64.urlsafe_b64decode(document["token"].split(".")[1] + "=="))
    assert claims["exp"] - claims["iat"] in (3600, 3601)
    assert [(one["name"], one["actions"]) for one in claims["access"]] == access


def test_lifetimes_can_be_said_as_other_registries_do(asked: Client, change: t.Callable[..., None]) -> None:
    change(token_seconds=300, says_expiry=True)
    document = json.loads(asked.log_in([f"repository:{PUBLIC}:pull"]).body)
    assert (document["expires_in"], document["access_token"]) == (300, document["token"])


def test_a_token_ends(asked: Client, release: Release, change: t.Callable[..., None]) -> None:
    change(token_seconds=-1, token_leeway=30)
    token = asked.token(PRIVATE, basic(asked.quay.credentials))
    assert asked.get(path_of(release, PRIVATE), token).status == 200, "clocks may differ by so much"
    change(token_leeway=0)
    seen = asked.get(path_of(release, PRIVATE), token)
    assert (seen.status, json.loads(seen.body)) == (401, {"error": "Signature has expired"})


def test_a_revocation_ends_every_token_at_once(asked: Client, release: Release) -> None:
    login = basic(asked.quay.credentials)
    before = asked.token(PRIVATE, login)
    assert asked.get(path_of(release, PRIVATE), before).status == 200
    asked.quay.front.revoke_tokens()
    seen = asked.get(path_of(release, PRIVATE), before)
    assert (seen.status, json.loads(seen.body)) == (401, {"error": "Unknown service key"})
    assert asked.get(path_of(release, PRIVATE), asked.token(PRIVATE, login)).status == 200
    asked.quay.stop()
    asked.quay.start()
    assert asked.get(path_of(release, PRIVATE), before).status == 401
    asked.quay.front.key = KEY
    asked.quay.stop()
    asked.quay.start()


def test_a_repository_that_does_not_exist_wants_a_login_for_ever(asked: Client) -> None:
    seen = asked.get("some/where/manifests/1", asked.token("some/where", basic(asked.quay.credentials)))
    assert (seen.status, seen.code) == (401, "UNAUTHORIZED")


@pytest.mark.parametrize(("code", "status"), [("NAME_UNKNOWN", 404), ("DENIED", 403)])
def test_other_registries_hide_missing_tags_otherwise(
    asked: Client, change: t.Callable[..., None], code: str, status: int
) -> None:
    change(missing_tag=code)
    seen = asked.get(f"{PUBLIC}/manifests/sha256-{'0' * 64}.sig")
    assert (seen.status, seen.code) == (status, code)


def test_nothing_can_be_pushed(asked: Client) -> None:
    token = asked.token(PRIVATE, basic(asked.quay.credentials))
    assert asked.get(f"{PRIVATE}/blobs/uploads/", token, "POST").status in (404, 405)
    assert asked.get(f"{PRIVATE}/manifests/latest", token, "PUT").status == 405


def redirected(client: Client, release: Release, digest: object = None) -> str:
    """Return where a blob of the private repository is at the content network."""
    layer = release.components["etcd"].instances[0].layers[0]
    token = client.token(PRIVATE, basic(client.quay.credentials))
    seen = client.get(f"{PRIVATE}/blobs/{digest or layer.digest}", token)
    assert seen.status == client.quay.front.traits.redirect_status
    return seen.headers["Location"]


def altered(address: str, **query: str) -> str:
    for name, value in query.items():
        address = re.sub(f"({name.replace('_', '-')}=)[^&]*", rf"\g<1>{value}", address)
    return address


@pytest.mark.parametrize(
    ("method", "headers", "query", "status"),
    [
        ("GET", {}, {}, 200),
        ("GET", {"Range": "bytes=10-19"}, {}, 206),
        ("GET", {"Range": "bytes=10-"}, {}, 206),
        ("GET", {"Range": "bytes=-10"}, {}, 206),
        ("GET", {"Range": "bytes=1-2,5-6"}, {}, 200),
        ("GET", {"Range": f"bytes={1 << 40}-"}, {}, 416),
        ("GET", {}, {"X_Amz_Signature": "0" * 64}, 403),
        ("GET", {}, {"X_Amz_Expires": "999999"}, 403),
        ("GET", {}, {"X_Amz_Signature": ""}, 403),
        ("HEAD", {}, {}, 403),
        ("GET", {"Authorization": "Bearer a.b.c"}, {}, 400),
        ("GET", {"Authorization": "Basic YTpi"}, {}, 400),
    ],
)
def test_the_content_network_takes_signed_addresses_alone(
    asked: Client, release: Release, method: str, headers: dict[str, str], query: dict[str, str], status: int
) -> None:
    address = redirected(asked, release)
    assert urlsplit(address).netloc == asked.quay.front.content_host != asked.quay.host
    seen = asked.ask(altered(address, **query), method, **headers)
    assert seen.status == status
    layer = release.components["etcd"].instances[0].layers[0]
    content = release.pool.read(layer.digest)
    bounds = {"bytes=10-19": slice(10, 20), "bytes=10-": slice(10, None), "bytes=-10": slice(-10, None)}
    if status in (200, 206):
        assert seen.body == content[bounds.get(headers.get("Range", ""), slice(None))]


def test_an_address_that_has_ended_is_replaced_by_the_registry(
    asked: Client, release: Release, change: t.Callable[..., None]
) -> None:
    change(redirect_seconds=0, redirect_status=307)
    seen = asked.ask(redirected(asked, release))
    assert (seen.status, b"Request has expired" in seen.body) == (403, True)
    change(redirect_seconds=60)
    assert asked.ask(redirected(asked, release)).status == 200


def test_a_slow_content_network_keeps_its_pace(asked: Client, release: Release, change: t.Callable[..., None]) -> None:
    change(bytes_per_second=20)
    parts = urlsplit(redirected(asked, release))
    connection = http.client.HTTPSConnection(parts.netloc, timeout=10, context=asked.context)
    connection.request("GET", f"{parts.path}?{parts.query}")
    answer = connection.getresponse()
    assert answer.read(2)
    connection.close()
    assert asked.quay.access.requests(kind="blobs")[-1:] != [], "who gives up is in the log as well"


def test_too_many_requests_are_refused_until_later(asked: Client, change: t.Callable[..., None]) -> None:
    change(requests_per_second=0.001, burst=3, retry_after=7)
    seen = [asked.get("") for _again in range(6)]
    assert [one.status for one in seen] == [401] * 4 + [429] * 2
    assert seen[-1].headers["Retry-After"] == "7"
    assert asked.log_in([f"repository:{PUBLIC}:pull"]).status == 200, "the token service counts for itself"


@pytest.fixture
def referrers(quay: Registry, release: Release) -> dict[str, str]:
    """Two manifests that refer to etcd, by their artifact types."""
    subject = release.components["etcd"]
    pool, made = release.pool, {}
    config = pool.add(b"{}")
    for kind in ("application/vnd.example.sbom", "application/vnd.example.signature"):
        manifest = {
            "schemaVersion": 2,
            "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "artifactType": kind,
            "config": {"mediaType": "application/vnd.oci.empty.v1+json", "digest": str(config.digest), "size": 2},
            "layers": [],
            "subject": {"mediaType": ACCEPT.partition(",")[0], "digest": str(subject.digest), "size": 1},
        }
        blob = pool.add(json.dumps(manifest).encode())
        quay.storage.keep_manifest(pool, PRIVATE, blob.digest)
        made[kind] = str(blob.digest)
    return made


def test_referrers_are_listed_and_filtered(asked: Client, release: Release, referrers: dict[str, str]) -> None:
    token = asked.token(PRIVATE, basic(asked.quay.credentials))
    path = f"{PRIVATE}/referrers/{release.components['etcd'].digest}"
    seen = asked.get(path, token)
    assert seen.headers["Content-Type"] == "application/vnd.oci.image.index.v1+json"
    listed = {one["artifactType"]: one["digest"] for one in json.loads(seen.body)["manifests"]}
    assert listed == referrers
    kind = "application/vnd.example.sbom"
    seen = asked.get(f"{path}?{urlencode({'artifactType': kind})}", token)
    assert seen.headers["OCI-Filters-Applied"] == "artifactType"
    assert [one["digest"] for one in json.loads(seen.body)["manifests"]] == [referrers[kind]]
    assert asked.get(f"{PRIVATE}/referrers/{NOWHERE}", token).code == "MANIFEST_UNKNOWN"


def test_a_frozen_front_accepts_and_says_nothing(quay: Registry, asked: Client) -> None:
    quay.freeze()
    connection = http.client.HTTPSConnection(quay.host, timeout=0.3, context=asked.context)
    with pytest.raises(TimeoutError):
        connection.request("GET", "/v2/")
    connection.close()
    quay.thaw()
    assert asked.get("").status == 401
