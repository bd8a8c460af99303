# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Manifests and blobs over connections, logins and registries that fail in every way they can."""

from __future__ import annotations

import typing as t
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_client import RegistryClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import (
    LoginRefusedError,
    RegistryError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import OCI_MANIFEST
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.registry.played_registry import (
    BLOB,
    CANARY,
    IMAGE,
    MANIFEST,
    PINNED,
    MemoryBlob,
    PlayedRegistry,
    digest_of,
    pull_secret,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    ScriptedServer,
    entity,
    hang_up,
    reply,
)

Host = Callable[[PlayedRegistry], ScriptedServer]
ClientFor = Callable[..., RegistryClient]


def paths(server: ScriptedServer) -> list[str]:
    return [asked.target for asked in server.asked]


class TestManifests:
    def test_a_tag_is_resolved_to_the_digest_of_what_came(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        server = host(registry)
        found = client_for(server).manifest(IMAGE, deadline=deadline)
        assert (found.content, found.digest, found.media_type) == (MANIFEST, digest_of(MANIFEST), OCI_MANIFEST)
        assert paths(server) == ["/v2/openshift-release-dev/ocp-release/manifests/4.21.3-x86_64"]
        assert "manifest.list.v2+json" in server.asked[0].headers["accept"]

    def test_another_content_than_the_digest_says_is_refused(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.manifests[str(PINNED.digest)] = b'{"schemaVersion":2} '
        with pytest.raises(RegistryError, match=f"instead of {PINNED.digest}") as caught:
            client_for(host(registry)).manifest(PINNED, deadline=deadline)
        assert caught.value.on == str(PINNED)

    def test_another_content_than_the_registry_announces_is_refused(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.faults.append(("/manifests/", reply(200, MANIFEST, Docker_Content_Digest="sha256:" + "0" * 64)))
        with pytest.raises(RegistryError, match="not the one that the registry announced"):
            client_for(host(registry)).manifest(IMAGE, deadline=deadline)

    def test_the_next_mirror_is_asked_when_one_has_nothing_or_something_else(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        wrong = PlayedRegistry(manifests={str(PINNED.digest): b"{}"})
        servers = [host(PlayedRegistry()), host(wrong), host(registry)]
        assert client_for(*servers).manifest(PINNED, deadline=deadline).content == MANIFEST
        assert [len(server.asked) for server in servers] == [1, 1, 1]

    def test_an_image_that_nobody_has_names_every_place(
        self, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        servers = [host(PlayedRegistry()), host(PlayedRegistry())]
        with pytest.raises(RegistryError) as caught:
            client_for(*servers).manifest(PINNED, deadline=deadline)
        assert all(f"127.0.0.1:{server.port}" in caught.value.seen for server in servers)
        assert "pull secret" in caught.value.advice
        assert not caught.value.transient

    def test_what_may_be_missing_is_none_only_where_everybody_says_so(
        self, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        assert client_for(host(PlayedRegistry())).find_manifest(IMAGE, deadline=deadline) is None
        broken = PlayedRegistry(faults=[("/manifests/", reply(403))])
        with pytest.raises(RegistryError):
            client_for(host(broken), host(PlayedRegistry())).find_manifest(IMAGE, deadline=deadline)

    @pytest.mark.parametrize("status", [429, 500, 503])
    def test_what_passes_by_itself_is_waited_for(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline, status: int
    ) -> None:
        registry.faults += [("/manifests/", reply(status, Retry_After=7)), ("/manifests/", hang_up)]
        assert client_for(host(registry)).manifest(IMAGE, deadline=deadline).content == MANIFEST
        assert deadline.elapsed >= 7

    def test_a_registry_that_never_comes_back_is_a_transient_failure(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        server = host(registry)
        server.close()
        with pytest.raises(RegistryError) as caught:
            client_for(server).manifest(IMAGE, deadline=deadline)
        assert caught.value.transient

    def test_a_mirror_that_is_down_is_asked_last_for_a_while(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        down, up = host(PlayedRegistry()), host(registry)
        down.close()
        client = client_for(down, up)
        client.manifest(IMAGE, deadline=deadline)
        spent = deadline.elapsed
        client.manifest(PINNED, deadline=deadline)
        assert deadline.elapsed == spent

    def test_a_tag_that_no_mirror_serves_says_so(self, client_for: ClientFor, deadline: Deadline) -> None:
        with pytest.raises(RegistryError, match="blocked, and no mirror"):
            client_for().manifest(IMAGE, deadline=deadline)


class TestLogins:
    def test_a_password_is_given_where_it_is_wanted(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.login, registry.basic = ("engineer", CANARY), True
        server = host(registry)
        client = client_for(server, secret=pull_secret(server.port))
        client.manifest(IMAGE, deadline=deadline)
        client.manifest(PINNED, deadline=deadline)
        sent = ["authorization" in asked.headers for asked in server.asked]
        assert sent == [False, True, True], "nothing is given before it is asked for, and then always"

    def test_a_token_is_fetched_once_for_all_threads(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.login, registry.tokens = ("engineer", CANARY), True
        server = host(registry)
        client = client_for(server, secret=pull_secret(server.port))
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(lambda _number: client.manifest(IMAGE, deadline=deadline), range(12)))
        assert registry.issued == 1
        assert registry.token_requests[0] == {
            "service": ["lab"],
            "scope": ["repository:openshift-release-dev/ocp-release:pull"],
        }

    def test_an_expired_token_is_replaced(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline, clock: t.Any
    ) -> None:
        registry.tokens, registry.lifetime = True, 60
        client = client_for(host(registry))
        client.manifest(IMAGE, deadline=deadline)
        clock.advance(61)
        client.manifest(IMAGE, deadline=deadline)
        assert registry.issued == 2

    def test_a_token_that_is_revoked_in_the_middle_of_a_blob_is_replaced_and_the_blob_continued(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.tokens = True
        server = host(registry)
        client = client_for(server)
        client.manifest(IMAGE, deadline=deadline)
        registry.accepted.clear()
        registry.faults.append(("/blobs/", entity(BLOB, cut_after=700_000)))
        sink = MemoryBlob()
        client.blob(IMAGE, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
        assert (bytes(sink.content), sink.restarts, registry.issued) == (BLOB, 0, 2)
        assert server.asked[-1].headers["range"] == "bytes=700000-"

    @pytest.mark.parametrize("tokens", [True, False], ids=["token", "basic"])
    def test_a_blob_needs_no_request_before_it(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline, tokens: bool
    ) -> None:
        registry.login, registry.tokens, registry.basic = ("engineer", CANARY), tokens, not tokens
        server, sink = host(registry), MemoryBlob()
        client = client_for(server, secret=pull_secret(server.port))
        client.blob(IMAGE, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
        assert bytes(sink.content) == BLOB

    def test_blobs_alone_outlive_every_token(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline, clock: t.Any
    ) -> None:
        registry.tokens, registry.lifetime = True, 60
        client = client_for(host(registry))
        client.manifest(IMAGE, deadline=deadline)
        for _blob in range(3):
            clock.advance(61)
            registry.accepted.clear()
            sink = MemoryBlob()
            client.blob(IMAGE, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
            assert bytes(sink.content) == BLOB
        assert registry.issued == 4

    def test_a_registry_that_refuses_its_own_fresh_token_is_asked_no_further(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.tokens, registry.faults = True, [("/blobs/", reply(401))] * 20
        server = host(registry)
        with pytest.raises(LoginRefusedError, match="does not accept the credentials"):
            client_for(server).blob(IMAGE, digest_of(BLOB), len(BLOB), MemoryBlob(), deadline=deadline)
        assert len([path for path in paths(server) if "/blobs/" in path]) == 2

    def test_a_stale_mirror_gives_way_to_a_registry_that_wants_a_login(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.login, registry.tokens = ("engineer", CANARY), True
        stale = PlayedRegistry()
        stale.add_manifest(MANIFEST, "4.21.3-x86_64")
        mirror, source, sink = host(stale), host(registry), MemoryBlob()
        asked: list[str] = []
        client = client_for(mirror, source, secret=pull_secret(source.port), asked=asked.append)
        client.manifest(IMAGE, deadline=deadline)
        client.blob(IMAGE, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
        assert bytes(sink.content) == BLOB
        assert asked == [f"127.0.0.1:{server.port}" for server in (mirror, source)], "only blobs, in this order"

    def test_a_part_needs_no_request_before_it(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.tokens = True
        client = client_for(host(registry))
        found = client.part(IMAGE, digest_of(BLOB), 500_000, 900_000, len(BLOB), deadline=deadline)
        assert found == BLOB[500_000:900_000]
        assert registry.token_requests[0]["scope"] == ["repository:openshift-release-dev/ocp-release:pull"]

    def test_a_refresh_token_is_exchanged(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.tokens = True
        server = host(registry)
        secret = pull_secret(server.port, "<token>", "", identitytoken=CANARY)
        client_for(server, secret=secret).manifest(IMAGE, deadline=deadline)
        asked = registry.token_requests[0]
        assert (asked["grant_type"], asked["refresh_token"]) == (["refresh_token"], [CANARY])

    @pytest.mark.parametrize("tokens", [True, False], ids=["token", "basic"])
    @pytest.mark.parametrize("has_login", [True, False], ids=["wrong login", "no login"])
    def test_a_refused_login_says_whether_the_pull_secret_had_one_and_nothing_of_it(
        self,
        registry: PlayedRegistry,
        host: Host,
        client_for: ClientFor,
        deadline: Deadline,
        tokens: bool,
        has_login: bool,
    ) -> None:
        registry.login, registry.tokens, registry.basic = ("engineer", "right"), tokens, not tokens
        server = host(registry)
        secret = pull_secret(server.port) if has_login else None
        with pytest.raises(LoginRefusedError) as caught:
            client_for(server, secret=secret).manifest(IMAGE, deadline=deadline)
        said = "the pull secret has a login for it" if has_login else "the pull secret has no login for it"
        assert said in caught.value.seen
        assert CANARY not in str(caught.value)
        assert f"127.0.0.1:{server.port}" in caught.value.seen

    def test_a_login_for_another_registry_is_not_given_away(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        registry.login, registry.basic = ("engineer", CANARY), True
        server = host(registry)
        with pytest.raises(LoginRefusedError):
            client_for(server, secret=pull_secret(1)).manifest(IMAGE, deadline=deadline)
        assert not [asked for asked in server.asked if "authorization" in asked.headers]

    @pytest.mark.parametrize("realm", ["http://127.0.0.1:1/token", "ftp://x", "https://user@evil.example/", "\\"])
    def test_no_password_goes_to_an_unprotected_or_impossible_token_service(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline, realm: str
    ) -> None:
        registry.tokens, registry.realm = True, realm
        server = host(registry)
        with pytest.raises(LoginRefusedError):
            client_for(server, secret=pull_secret(server.port)).manifest(IMAGE, deadline=deadline)
        assert len(server.asked) == 1

    @pytest.mark.parametrize(
        "body", [b"", b"[]", b'{"token":17}', b'{"token":""}', b'{"token":"a\\nb"}', b'{"expires_in":"x"}']
    )
    def test_a_token_service_without_a_token_is_told(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline, body: bytes
    ) -> None:
        registry.tokens = True
        registry.faults.append(("/token", reply(200, body)))
        with pytest.raises(LoginRefusedError, match="returned no token"):
            client_for(host(registry)).manifest(IMAGE, deadline=deadline)


class TestBlobs:
    def test_a_blob_arrives(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        sink = MemoryBlob()
        client_for(host(registry)).blob(IMAGE, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
        assert bytes(sink.content) == BLOB

    def test_a_beginning_from_an_earlier_sitting_is_continued(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        server, sink = host(registry), MemoryBlob(BLOB[:1_000_000])
        client_for(server).blob(IMAGE, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
        assert bytes(sink.content) == BLOB
        assert [asked.headers["range"] for asked in server.asked] == ["bytes=1000000-"]

    def test_a_spoilt_beginning_is_thrown_away_once(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        sink = MemoryBlob(b"x" * 1_000_000)
        client_for(host(registry)).blob(IMAGE, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
        assert (bytes(sink.content), sink.restarts) == (BLOB, 1)

    def test_a_complete_but_spoilt_file_is_fetched_again(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        sink = MemoryBlob(b"x" * len(BLOB))
        client_for(host(registry)).blob(IMAGE, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
        assert bytes(sink.content) == BLOB

    def test_a_registry_that_vanishes_is_continued_at_the_next_one(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        vanishing = PlayedRegistry(faults=[("/blobs/", entity(BLOB, cut_after=600_000, then="reset"))])
        servers = [host(vanishing), host(registry)]
        sink = MemoryBlob()
        client_for(*servers).blob(IMAGE, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
        assert (bytes(sink.content), sink.restarts) == (BLOB, 0)
        first = int(servers[1].asked[0].headers["range"].removeprefix("bytes=").rstrip("-"))
        assert 0 < first <= 600_000

    @pytest.mark.parametrize(
        ("served", "said"),
        [
            pytest.param(BLOB[:-1], "instead of", id="truncated"),
            pytest.param(BLOB + b"x", "instead of", id="longer"),
            pytest.param(BLOB[:500] + b"\0" + BLOB[501:], "have the digest", id="a byte flipped"),
        ],
    )
    def test_other_bytes_are_never_accepted(
        self, host: Host, client_for: ClientFor, deadline: Deadline, served: bytes, said: str
    ) -> None:
        registry = PlayedRegistry(blobs={str(digest_of(BLOB)): served})
        sink = MemoryBlob()
        with pytest.raises(RegistryError, match=said) as caught:
            client_for(host(registry)).blob(IMAGE, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
        assert str(digest_of(BLOB)) in caught.value.attempted
        assert caught.value.on == str(IMAGE)
        assert sink.hexdigest() != digest_of(BLOB).hex

    def test_the_next_mirror_begins_anew_after_wrong_bytes(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        wrong = PlayedRegistry(blobs={str(digest_of(BLOB)): b"\0" * len(BLOB)})
        sink = MemoryBlob()
        client_for(host(wrong), host(registry)).blob(IMAGE, digest_of(BLOB), len(BLOB), sink, deadline=deadline)
        assert bytes(sink.content) == BLOB

    @pytest.mark.parametrize("status", [401, 403, 404])
    def test_refusals_name_blob_and_image(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline, status: int
    ) -> None:
        registry.faults += [("/blobs/", reply(status))] * 3
        with pytest.raises(FieldOpsError) as caught:
            client_for(host(registry)).blob(IMAGE, digest_of(BLOB), len(BLOB), MemoryBlob(), deadline=deadline)
        assert (caught.value.on, str(digest_of(BLOB)) in str(caught.value)) == (str(IMAGE), True)

    def test_an_empty_blob_is_a_blob(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        digest = registry.add_blob(b"")
        sink = MemoryBlob()
        client_for(host(registry)).blob(IMAGE, digest, 0, sink, deadline=deadline)
        assert sink.content == b""

    def test_a_wrong_digest_of_nothing_is_not_accepted(
        self, registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
    ) -> None:
        wanted = Digest("0" * 64)
        registry.blobs[str(wanted)] = b""
        with pytest.raises(RegistryError):
            client_for(host(registry)).blob(IMAGE, wanted, 0, MemoryBlob(), deadline=deadline)


def test_an_insecure_place_may_speak_tls_with_any_certificate(
    registry: PlayedRegistry, host: Host, client_for: ClientFor, deadline: Deadline
) -> None:
    client = client_for(host(registry), insecure=True)
    assert client.manifest(IMAGE, deadline=deadline).content == MANIFEST
