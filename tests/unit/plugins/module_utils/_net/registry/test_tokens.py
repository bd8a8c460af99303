# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tokens from the first demand to their end, and the services that give them."""

from __future__ import annotations

import base64
import json
import threading
import typing as t
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import (
    LoginRefusedError,
    RegistryError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.registry.played_registry import (
    BLOB,
    CANARY,
    IMAGE,
    MANIFEST,
    MemoryBlob,
    PlayedRegistry,
    digest_of,
    pull_secret,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    Answer,
    Asked,
    ScriptedServer,
    Wire,
    drip,
    reply,
)

Host = Callable[[PlayedRegistry], ScriptedServer]
ClientFor = Callable[..., RegistryClient]

OTHER = ImageReference.parse("quay.io/partner/app:1")


def fetch_blob(client: RegistryClient, deadline: Deadline, image: ImageReference = IMAGE) -> bytes:
    sink = MemoryBlob()
    client.blob(image, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
    return bytes(sink.content)


def without_authorization(server: ScriptedServer) -> int:
    """How many requests for content came without a token, and so were refused."""
    return sum("/v2/" in asked.target and "authorization" not in asked.headers for asked in server.asked)


def quay_token(clock: t.Any, lifetime: int) -> Callable[[int], str]:
    """Tokens as quay.io gives them: JWTs, about whose end the answer says nothing."""

    def token(number: int) -> str:
        now = int(clock.utcnow().timestamp())
        claims = {"iat": now, "nbf": now, "exp": now + lifetime, "jti": number}
        payload = base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
        return f"eyJhbGciOiJSUzI1NiJ9.{payload}.c2ln"

    return token


class TestLifetimes:
    def test_a_token_of_quay_is_used_for_its_hour_and_renewed_before_the_end_without_a_refusal(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, clock: t.Any
    ) -> None:
        registry.tokens, registry.token_text, registry.token_fields = True, quay_token(clock, 3600), {}
        server, deadline = host(registry), Deadline(86_400, clock)
        client = client_for(server)
        for seconds, issued in ((0, 1), (3000, 1), (560, 1), (20, 2), (3500, 2), (100, 3)):
            clock.advance(seconds)
            assert fetch_blob(client, deadline) == BLOB
            assert registry.issued == issued
        assert without_authorization(server) == 1, "only the very first request is made without a token"

    @pytest.mark.parametrize(
        ("fields", "used_until", "renewed_at"),
        [
            pytest.param({}, 53, 55, id="unstated"),
            pytest.param({"expires_in": 20}, 17, 19, id="twenty-seconds"),
            pytest.param({"expires_in": 300}, 269, 271, id="five-minutes"),
            pytest.param({"expires_in": -1}, 53, 55, id="negative"),
            pytest.param({"expires_in": 1e308}, 86_369, 86_371, id="endless"),
            pytest.param({"expires_in": 300, "issued_at": "2026-11-21T21:58:20Z"}, 179, 181, id="issued-earlier"),
        ],
    )
    def test_a_token_is_renewed_shortly_before_its_end(
        self,
        registry: PlayedRegistry,
        host: Host,
        client_for: ClientFor,
        clock: t.Any,
        fields: dict[str, t.Any],
        used_until: float,
        renewed_at: float,
    ) -> None:
        registry.tokens, registry.token_fields = True, fields
        client, deadline = client_for(host(registry)), Deadline(1_000_000, clock)
        client.manifest(IMAGE, deadline=deadline)
        clock.advance(used_until)
        client.manifest(IMAGE, deadline=deadline)
        assert registry.issued == 1
        clock.advance(renewed_at - used_until)
        client.manifest(IMAGE, deadline=deadline)
        assert registry.issued == 2

    def test_the_age_of_a_token_is_told_by_the_clock_of_its_service(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, clock: t.Any
    ) -> None:
        registry.tokens = True
        registry.accepted.add("kept")
        body = json.dumps({"token": "kept", "expires_in": 300, "issued_at": "2031-01-01T00:00:00Z"}).encode()
        registry.faults.append(("/token", reply(200, body, Date="Wed, 01 Jan 2031 00:03:20 GMT")))
        client, deadline = client_for(host(registry)), Deadline(86_400, clock)
        client.manifest(IMAGE, deadline=deadline)
        clock.advance(91)
        client.manifest(IMAGE, deadline=deadline)
        assert registry.issued == 1, "of the 300 seconds 200 had passed"

    def test_a_token_revoked_between_two_parts_of_a_blob_is_replaced(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.tokens = True
        client = client_for(host(registry))
        bounds = [(0, 500_000), (500_000, 1_000_000), (1_000_000, len(BLOB))]
        parts = []
        for start, stop in bounds:
            parts.append(client.part(IMAGE, digest_of(BLOB), start, stop, len(BLOB), deadline=deadline))
            registry.accepted.clear()
        assert (b"".join(parts), registry.issued) == (BLOB, 3)

    def test_a_service_that_gives_the_refused_token_again_is_asked_no_further(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.tokens, registry.token_text = True, lambda _number: "always-the-same"
        client = client_for(host(registry))
        client.manifest(IMAGE, deadline=deadline)
        registry.accepted.clear()
        registry.faults.append(("/token", reply(200, b'{"token":"always-the-same"}')))
        with pytest.raises(LoginRefusedError, match="does not accept the credentials"):
            client.manifest(IMAGE, deadline=deadline)


class TestScopes:
    def test_each_repository_has_a_token_of_its_own(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.tokens = True
        registry.add_manifest(MANIFEST, "1")
        client = client_for(host(registry))
        for _again in range(2):
            for image in (IMAGE, OTHER):
                client.manifest(image, deadline=deadline)
        assert [asked["scope"] for asked in registry.token_requests] == [
            ["repository:openshift-release-dev/ocp-release:pull"],
            ["repository:partner/app:pull"],
        ]

    def test_a_demand_for_several_scopes_is_met_with_all_of_them(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        server = host(registry)
        demand = f'Bearer realm="{registry.realm}?account=site",scope="repository:a:pull registry:catalog:*"'
        registry.faults.append(("/manifests/", reply(401, WWW_Authenticate=demand)))
        client_for(server).manifest(IMAGE, deadline=deadline)
        asked = registry.token_requests[0]
        assert asked == {"account": ["site"], "scope": ["repository:a:pull", "registry:catalog:*"]}

    def test_a_hanging_token_service_stalls_only_its_own_scope(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.tokens = True
        registry.add_manifest(MANIFEST, "1")
        asked, go_on = threading.Event(), threading.Event()

        def hang(wire: Wire, request: Asked) -> None:
            asked.set()
            go_on.wait(30)
            reply(200, b'{"token":"late"}')(wire, request)

        registry.faults.append(("/token", hang))
        registry.accepted.add("late")
        client = client_for(host(registry))
        with ThreadPoolExecutor(1) as pool:
            stalled = pool.submit(client.manifest, IMAGE, deadline=deadline)
            assert asked.wait(10)
            assert client.manifest(OTHER, deadline=deadline).content == MANIFEST
            assert not stalled.done()
            go_on.set()
            assert stalled.result(10).content == MANIFEST

    def test_threads_that_wait_for_the_same_token_share_its_refusal(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.login, registry.tokens = ("engineer", "right"), True
        server, threads = host(registry), 8

        def refuse_when_all_wait(wire: Wire, request: Asked) -> None:
            refused = threading.Event()
            while without_authorization(server) < threads:
                refused.wait(0.01)
            refused.wait(0.5)
            reply(401)(wire, request)

        registry.faults.append(("/token", refuse_when_all_wait))
        client = client_for(server)
        with ThreadPoolExecutor(threads) as pool:
            asked = [pool.submit(client.manifest, IMAGE, deadline=deadline) for _thread in range(threads)]
            assert {type(one.exception(30)) for one in asked} == {LoginRefusedError}
        assert sum(one.target.startswith("/token") for one in server.asked) == 1

    def test_a_thread_waits_for_the_token_of_another_no_longer_than_its_own_deadline(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, running_clock: t.Any
    ) -> None:
        registry.tokens = True
        asked, go_on = threading.Event(), threading.Event()

        def hang(wire: Wire, request: Asked) -> None:
            asked.set()
            go_on.wait(30)
            reply(401)(wire, request)

        registry.faults.append(("/token", hang))
        client = client_for(host(registry), with_clock=running_clock)
        with ThreadPoolExecutor(1) as pool:
            first = pool.submit(client.manifest, IMAGE, deadline=Deadline(30, running_clock))
            assert asked.wait(10)
            with pytest.raises(DeadlineExceededError, match="had not answered an earlier request"):
                client.manifest(IMAGE, deadline=Deadline(0.5, running_clock))
            go_on.set()
            assert isinstance(first.exception(10), LoginRefusedError)


class TestServices:
    def test_a_service_on_another_host_gets_the_password_and_passes_it_to_no_third(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        service = PlayedRegistry(login=("engineer", CANARY))
        third, elsewhere = host(PlayedRegistry()), host(service)
        registry.tokens, registry.realm, registry.accepted = True, elsewhere.url("/token"), service.accepted
        server = host(registry)
        client = client_for(server, secret=pull_secret(server.port))
        assert client.manifest(IMAGE, deadline=deadline).content == MANIFEST
        registry.accepted.clear()
        service.faults.append(("/token", reply(302, Location=third.url("/token"))))
        with pytest.raises(RegistryError):
            client.manifest(IMAGE, deadline=deadline)
        assert [("authorization" in asked.headers) for asked in third.asked] == [False]
        assert not [asked for asked in server.asked if asked.headers.get("authorization", "").startswith("Basic")]

    def test_a_refresh_token_that_was_replaced_is_not_used_again(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.tokens, registry.token_fields = True, {"refresh_token": "second", "expires_in": 300}
        server = host(registry)
        client = client_for(server, secret=pull_secret(server.port, "<token>", "", identitytoken=CANARY))
        client.manifest(IMAGE, deadline=deadline)
        registry.accepted.clear()
        client.manifest(IMAGE, deadline=deadline)
        assert [asked["refresh_token"] for asked in registry.token_requests] == [[CANARY], ["second"]]

    @pytest.mark.parametrize(
        ("answer", "said"),
        [
            pytest.param(reply(200, b'{"token":"a\\r\\nHost: evil"}'), "returned no token", id="line-break"),
            pytest.param(reply(200, b"{}"), "returned no token", id="no-token"),
            pytest.param(reply(200, b"<html>login</html>"), "returned no token", id="web-page"),
            pytest.param(reply(200, b'{"token":"' + b"x" * 200_000 + b'"}'), "returned no token", id="200-kB-token"),
            pytest.param(reply(200, b'{"token":"' + b"x" * 10_000_000 + b'"}'), "larger than", id="10-MB-token"),
            pytest.param(reply(302, Location="/token"), "redirected more than", id="endless-redirects"),
            pytest.param(reply(302, Location="ftp://127.0.0.1/"), "neither http nor https", id="redirect-to-ftp"),
            pytest.param(reply(302, Location="http://127.0.0.1:1/"), "unencrypted http", id="redirect-to-http"),
            pytest.param(reply(404), "status 404", id="nothing-there"),
            pytest.param(reply(403), "status 403", id="forbidden"),
            pytest.param(reply(400), "status 400", id="bad-request"),
            pytest.param(reply(429, Retry_After=7200), "requested a wait of 120 min", id="rate-limit"),
            pytest.param(reply(500), "status 500", id="broken"),
        ],
    )
    def test_a_hostile_or_broken_service_is_told_and_bounded(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline, answer: Answer, said: str
    ) -> None:
        registry.tokens, registry.login = True, ("engineer", CANARY)
        server = host(registry)
        registry.faults += [("/token", answer)] * 50
        client = client_for(server, secret=pull_secret(server.port))
        with pytest.raises(RegistryError, match=said) as caught:
            fetch_blob(client, deadline)
        assert CANARY not in str(caught.value)
        assert len(server.asked) < 20

    def test_a_service_that_drips_gives_way_to_the_next_mirror(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, running_clock: t.Any
    ) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
        dripping = PlayedRegistry(tokens=True, faults=[("/token", drip(head, b"x" * 100_000))] * 9)
        limits = HttpLimits(stall_seconds=20, slowest_rate=10_000, slow_seconds=0.3)
        client = client_for(host(dripping), host(registry), with_clock=running_clock, limits=limits)
        assert fetch_blob(client, Deadline(30, running_clock)) == BLOB

    @pytest.mark.parametrize(
        "demand",
        [
            pytest.param("", id="empty"),
            pytest.param("Bearer", id="no-realm"),
            pytest.param('Bearer realm=""', id="empty-realm"),
            pytest.param('Bearer realm="javascript:alert(1)"', id="other-scheme"),
            pytest.param('Bearer realm="file:///etc/shadow"', id="file"),
            pytest.param('Bearer realm="//127.0.0.1/token"', id="no-scheme"),
            pytest.param("Negotiate", id="kerberos"),
            pytest.param("Bearer " + "x" * 60_000, id="60-kB-header"),
            pytest.param('Bearer realm="' + "\\" * 4000, id="unfinished"),
        ],
    )
    def test_a_demand_that_cannot_be_met_is_refused_at_once(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline, demand: str
    ) -> None:
        registry.faults += [("/v2/", reply(401, WWW_Authenticate=demand))] * 9
        server = host(registry)
        client = client_for(server, secret=pull_secret(server.port))
        for ask in (lambda: fetch_blob(client, deadline), lambda: client.manifest(IMAGE, deadline=deadline)):
            with pytest.raises(RegistryError) as caught:
                ask()
            assert CANARY not in str(caught.value)
        assert len(server.asked) <= 4


def test_a_401_of_the_server_a_blob_was_led_to_says_nothing_of_the_registry(
    registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
) -> None:
    thief = PlayedRegistry(tokens=True)
    elsewhere = host(thief)
    registry.tokens, registry.login = True, ("engineer", CANARY)
    registry.faults.append(("/blobs/", reply(307, Location=elsewhere.url("/v2/x/blobs/y"))))
    server = host(registry)
    client = client_for(server, secret=pull_secret(server.port))
    assert fetch_blob(client, deadline) == BLOB
    assert [asked.target for asked in elsewhere.asked] == ["/v2/x/blobs/y"]
    assert "authorization" not in elsewhere.asked[0].headers
    assert thief.token_requests == []
