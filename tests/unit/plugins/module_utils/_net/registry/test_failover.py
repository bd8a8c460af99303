# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One registry gives way to the next: when it is slow, is not trusted, asks to wait, or lacks a part."""

from __future__ import annotations

import typing as t
from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import RegistryError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.certificates import (
    CertificateAuthority,
    server_context,
)
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
    ScriptedServer,
    drip,
    entity,
    raw,
    reply,
)

Host = Callable[[PlayedRegistry], ScriptedServer]
ClientFor = Callable[..., RegistryClient]
Serve = Callable[..., ScriptedServer]

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(BLOB)
PARTIAL = b"HTTP/1.1 206 OK\r\nContent-Range: bytes 100-199/1300000\r\n\r\n"
IMPATIENT = HttpLimits(stall_seconds=20, slowest_rate=10_000, slow_seconds=0.3)


def fetch_blob(client: RegistryClient, deadline: Deadline) -> bytes:
    sink = MemoryBlob()
    client.blob(IMAGE, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
    return bytes(sink.content)


def blobs_asked(server: ScriptedServer) -> int:
    return sum("/blobs/" in asked.target for asked in server.asked)


class TestSlowMirrors:
    def test_a_mirror_that_drips_gives_way_and_is_asked_last_from_then_on(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, running_clock: t.Any
    ) -> None:
        slow, fast = host(PlayedRegistry(faults=[("/blobs/", drip(HEAD, BLOB))] * 9)), host(registry)
        client = client_for(slow, fast, with_clock=running_clock, limits=IMPATIENT)
        for _again in range(3):
            assert fetch_blob(client, Deadline(30, running_clock)) == BLOB
        assert (blobs_asked(slow), blobs_asked(fast)) == (1, 3)

    def test_a_slow_source_that_is_the_only_one_is_asked_three_times(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, running_clock: t.Any
    ) -> None:
        registry.faults += [("/blobs/", drip(HEAD, BLOB))] * 9
        server = host(registry)
        client = client_for(server, with_clock=running_clock, limits=IMPATIENT)
        with pytest.raises(RegistryError, match="fewer than 10000 bytes per second") as caught:
            fetch_blob(client, Deadline(30, running_clock))
        assert (caught.value.transient, blobs_asked(server)) == (True, 3)

    def test_a_source_that_recovers_is_continued_where_it_was(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, running_clock: t.Any
    ) -> None:
        registry.faults.append(("/blobs/", drip(HEAD + BLOB[:500_000], BLOB[500_000:])))
        server = host(registry)
        client = client_for(server, with_clock=running_clock, limits=IMPATIENT)
        assert fetch_blob(client, Deadline(30, running_clock)) == BLOB
        assert int(server.asked[1].headers["range"].removeprefix("bytes=").rstrip("-")) >= 500_000


class TestUntrustedMirrors:
    @pytest.fixture
    def untrusted(self, serve: Serve, other_authority: CertificateAuthority) -> ScriptedServer:
        return serve(PlayedRegistry(), tls=server_context(other_authority.issue("stranger")))

    @pytest.fixture
    def expired(self, serve: Serve, authority: CertificateAuthority) -> ScriptedServer:
        return serve(PlayedRegistry(), tls=server_context(authority.issue("expired", days=-1)))

    def test_a_mirror_that_is_not_trusted_gives_way(
        self,
        registry: PlayedRegistry,
        host: Host,
        client_for: ClientFor,
        deadline: Deadline,
        untrusted: ScriptedServer,
        expired: ScriptedServer,
    ) -> None:
        client = client_for(untrusted, expired, host(registry))
        assert client.manifest(IMAGE, deadline=deadline).content == MANIFEST
        assert fetch_blob(client, deadline) == BLOB
        assert untrusted.asked == expired.asked == []

    def test_when_all_fail_each_is_told(
        self,
        host: Host,
        client_for: ClientFor,
        deadline: Deadline,
        untrusted: ScriptedServer,
        expired: ScriptedServer,
    ) -> None:
        empty = host(PlayedRegistry())
        with pytest.raises(RegistryError) as caught:
            client_for(untrusted, expired, empty).manifest(IMAGE, deadline=deadline)
        seen = caught.value.seen.split("; ")
        said = [one.partition("ocp-release: ")[2] for one in seen]
        for server, one in zip((untrusted, expired, empty), seen):
            assert f"127.0.0.1:{server.port}" in one
        assert "certificate was rejected" in said[0]
        assert "expired" in said[1]
        assert "404" in said[2]
        assert not caught.value.is_absence

    def test_a_single_untrusted_registry_keeps_the_advice(
        self, client_for: ClientFor, deadline: Deadline, untrusted: ScriptedServer
    ) -> None:
        with pytest.raises(RegistryError, match="Set the CA file to the CA certificate"):
            client_for(untrusted).find_manifest(IMAGE, deadline=deadline)


class TestRegistriesThatAskToWait:
    BUSY = staticmethod(reply(429, Retry_After=3600))

    def test_another_mirror_is_asked_instead_and_the_busy_one_left_alone(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, clock: t.Any
    ) -> None:
        busy, free = host(PlayedRegistry(faults=[("/v2/", self.BUSY)] * 99)), host(registry)
        client, deadline = client_for(busy, free), Deadline(86_400, clock)
        for _again in range(3):
            assert fetch_blob(client, deadline) == BLOB
            clock.advance(1000)
        assert (len(busy.asked), clock.slept) == (1, [])
        clock.advance(1000)
        fetch_blob(client, deadline)
        assert len(busy.asked) == 2, "it is asked again after its hour"

    def test_without_another_one_the_error_names_the_wait(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, clock: t.Any
    ) -> None:
        registry.faults += [("/v2/", self.BUSY)] * 99
        server = host(registry)
        with pytest.raises(RegistryError, match="requested a wait of 60 min") as caught:
            fetch_blob(client_for(server), Deadline(86_400, clock))
        assert (caught.value.transient, len(server.asked), clock.slept) == (True, 1, [])

    def test_a_wait_that_is_borne_is_announced(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, clock: t.Any
    ) -> None:
        said: list[str] = []
        registry.faults.append(("/blobs/", reply(429, Retry_After=300)))
        server = host(registry)
        client = client_for(server, notice=said.append)
        assert fetch_blob(client, Deadline(86_400, clock)) == BLOB
        assert said == [f"127.0.0.1:{server.port} requests a wait of 5 min; the next attempt follows after that"]


class TestBlobsBehindLogins:
    @pytest.mark.parametrize("status", [401, 403, 404, 410, 500])
    def test_a_mirror_without_the_blob_gives_way_to_a_source_that_wants_a_login(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline, status: int
    ) -> None:
        registry.login, registry.tokens = ("engineer", CANARY), True
        stale = PlayedRegistry(faults=[("/blobs/", reply(status))] * 20)
        stale.add_manifest(MANIFEST, "4.21.3-x86_64")
        mirror, source = host(stale), host(registry)
        client = client_for(mirror, source, secret=pull_secret(source.port))
        client.manifest(IMAGE, deadline=deadline)
        assert fetch_blob(client, deadline) == BLOB
        part = client.part(IMAGE, digest_of(BLOB), 100, 200, len(BLOB), deadline=deadline)
        assert part == BLOB[100:200]


class TestParts:
    def test_a_part_is_the_bytes_of_its_range(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        server = host(registry)
        part = client_for(server).part(IMAGE, digest_of(BLOB), 100_000, 900_000, len(BLOB), deadline=deadline)
        assert part == BLOB[100_000:900_000]
        assert [asked.headers["range"] for asked in server.asked] == ["bytes=100000-899999"]

    def test_a_part_that_breaks_off_is_continued_although_nothing_proves_it_yet(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.faults.append(("/blobs/", entity(BLOB, cut_after=300_000)))
        server = host(registry)
        part = client_for(server).part(IMAGE, digest_of(BLOB), 100_000, 900_000, len(BLOB), deadline=deadline)
        assert part == BLOB[100_000:900_000]
        assert server.asked[1].headers["range"] == "bytes=400000-899999"

    @pytest.mark.parametrize(
        "answer",
        [
            pytest.param(reply(206, b"x" * 100, Content_Range="bytes 0-99/1300000"), id="other-range"),
            pytest.param(reply(206, b"x" * 100, Content_Range="bytes 100-199/17"), id="contradiction"),
            pytest.param(reply(206, b"x" * 100), id="no-range"),
            pytest.param(reply(206, b"x" * 50, Content_Range="bytes 100-199/1300000"), id="too-short"),
            pytest.param(reply(200, b"x" * 100), id="other-size"),
            pytest.param(reply(416), id="unsatisfiable"),
            pytest.param(
                raw(b"HTTP/1.1 206 OK\r\nContent-Range: bytes 100-199/1300000\r\n\r\nx", then="close"), id="cut"
            ),
        ],
    )
    def test_a_registry_that_gives_other_bytes_gives_way(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline, answer: Answer
    ) -> None:
        wrong = PlayedRegistry(faults=[("/blobs/", answer)] * 20)
        client = client_for(host(wrong), host(registry))
        assert client.part(IMAGE, digest_of(BLOB), 100, 200, len(BLOB), deadline=deadline) == BLOB[100:200]

    def test_more_than_memory_should_hold_is_refused(self, client_for: ClientFor, deadline: Deadline) -> None:
        size = 17 * 1024 * 1024
        with pytest.raises(InvalidInputError, match="more than a part"):
            client_for().part(IMAGE, digest_of(BLOB), 0, size, size, deadline=deadline)
