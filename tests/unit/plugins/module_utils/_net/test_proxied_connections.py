# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Proxies that are spoken to with TLS or SOCKS, and what travels through them."""

from __future__ import annotations

import hashlib
import socket
import ssl
import threading
import typing as t
from collections.abc import Callable, Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import Proxy, ProxySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TlsError, TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.certificates import (
    CertificateAuthority,
    server_context,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.played_socks import PlayedSocks
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    Answer,
    ScriptedServer,
    entity,
    hang_up,
    raw,
    reply,
    tunnel_to,
)

Serve = Callable[..., ScriptedServer]
Connect = Callable[..., HttpClient]
Origin = Callable[..., ScriptedServer]
Socks = Callable[..., PlayedSocks]

ONCE = RetryPolicy(attempts=1)
BLOB = hashlib.shake_256(b"blob").digest(3_000_000)


@pytest.fixture
def registry_tls(authority: CertificateAuthority) -> ssl.SSLContext:
    return server_context(authority.issue("proxied", names="DNS:registry.test"))


@pytest.fixture
def trust(authority: CertificateAuthority) -> TlsSettings:
    return TlsSettings(ca_file=authority.certificate)


@pytest.fixture
def socks() -> Iterator[Socks]:
    proxies: list[PlayedSocks] = []

    def start(port: int, **more: t.Any) -> PlayedSocks:
        proxies.append(PlayedSocks(port, **more))
        return proxies[-1]

    yield start
    for proxy in proxies:
        proxy.close()


def through(url: str) -> ProxySettings:
    proxy = Proxy.parse(url)
    return ProxySettings(http=proxy, https=proxy)


def fetched(client: HttpClient, url: str, deadline: Deadline, sink: t.Any) -> bytes:
    digest = Digest(hashlib.sha256(BLOB).hexdigest())
    fetch(client, Download(Url.parse(url), size=len(BLOB), digest=digest), sink, deadline=deadline)
    return bytes(sink.content)


def no_lookup(monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo

    def resolve(host: str, *more: t.Any, **options: t.Any) -> t.Any:
        assert host != "registry.test", "the name is for the proxy to resolve"
        return real(host, *more, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


class TestSocks:
    @pytest.mark.parametrize("credentials", ["", "user:g%40heim@"], ids=["open", "with login"])
    def test_https_goes_through_and_the_proxy_resolves_the_name(
        self,
        serve: Serve,
        socks: Socks,
        connect: Connect,
        deadline: Deadline,
        sink: t.Any,
        registry_tls: ssl.SSLContext,
        trust: TlsSettings,
        credentials: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        no_lookup(monkeypatch)
        origin = serve(entity(BLOB, cut_after=1_000_000), entity(BLOB), tls=registry_tls)
        proxy = socks(origin.port, login=(b"user", b"g@heim") if credentials else None)
        client = connect(proxies=through(proxy.url("socks5h", credentials)), tls=trust)
        assert fetched(client, "https://registry.test/blob", deadline, sink) == BLOB
        assert proxy.targets == [("registry.test", 443)] * 2
        assert proxy.methods[0] == (b"\0\2" if credentials else b"\0")
        assert "proxy-authorization" not in origin.asked[0].headers

    @pytest.mark.parametrize(("address", "host"), [("192.0.2.7", "192.0.2.7"), ("2001:db8::7", "2001:db8::7")])
    def test_socks5_is_given_the_address_that_this_machine_resolves(
        self,
        address: str,
        host: str,
        serve: Serve,
        socks: Socks,
        connect: Connect,
        deadline: Deadline,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        real = socket.getaddrinfo
        monkeypatch.setattr(
            socket,
            "getaddrinfo",
            lambda name, *more, **options: real(address if name == "registry.test" else name, *more, **options),
        )
        origin = serve(reply(200, b"here"))
        proxy = socks(origin.port)
        client = connect(proxies=through(proxy.url("socks5")))
        for _again in range(2):
            answer = client.request("GET", "http://registry.test:5000/v2/?a=b", deadline=deadline)
            assert answer.body == b"here"
        assert proxy.targets == [(host, 5000)], "the connection is kept"
        assert origin.asked[0].target == "/v2/?a=b", "the origin is asked as if there were no proxy"

    @pytest.mark.parametrize(
        "bound", [b"\x03\x09localhost\x04\x38", b"\x04" + bytes(18), b"\x01" + bytes(6)], ids=["name", "ipv6", "ipv4"]
    )
    def test_where_the_proxy_connects_from_does_not_matter(
        self, bound: bytes, serve: Serve, socks: Socks, connect: Connect, deadline: Deadline
    ) -> None:
        proxy = socks(serve(reply(200, b"here")).port, bound=bound)
        client = connect(proxies=through(proxy.url("socks5h")))
        assert client.request("GET", "http://registry.test/", deadline=deadline).body == b"here"

    @pytest.mark.parametrize(
        ("played", "seen", "transient"),
        [
            pytest.param({"login": (b"a", b"b")}, "does not accept the user name and password", False, id="login"),
            pytest.param({"reply": 1}, "failed to connect", True, id="failure"),
            pytest.param({"reply": 2}, "does not allow this connection", False, id="forbidden"),
            pytest.param({"reply": 4}, "found the host unreachable", True, id="unreachable"),
            pytest.param({"reply": 5}, "reports that the connection was refused", True, id="refused"),
            pytest.param({"reply": 99}, "reply 99", False, id="unknown-reply"),
            pytest.param({"bound": b"\x07" + bytes(6)}, "does not speak SOCKS 5", False, id="unknown-address"),
            pytest.param({"says": b"HTTP/1.1 400 Bad Request\r\n\r\n"}, "does not speak SOCKS 5", False, id="http"),
            pytest.param({"says": b""}, "closed during the transfer", True, id="hang-up"),
            pytest.param({"says": b"\x05"}, "closed during the transfer", True, id="half-an-answer"),
        ],
    )
    def test_a_proxy_that_does_not_connect_is_named_without_credentials(
        self,
        played: dict[str, t.Any],
        seen: str,
        transient: bool,
        serve: Serve,
        socks: Socks,
        connect: Connect,
        deadline: Deadline,
    ) -> None:
        proxy = socks(serve(reply(200)).port, **played)
        client = connect(proxies=through(proxy.url("socks5h", "user:geheim@")), retry=ONCE)
        with pytest.raises(TransferError) as caught:
            client.request("GET", "https://registry.test/?q=geheim", deadline=deadline)
        assert seen in caught.value.seen
        assert proxy.url("socks5h") in caught.value.seen
        assert (caught.value.transient, "geheim" in str(caught.value)) == (transient, False)

    def test_a_proxy_that_wants_a_login_says_so(
        self, serve: Serve, socks: Socks, connect: Connect, deadline: Deadline
    ) -> None:
        proxy = socks(serve(reply(200)).port, login=(b"a", b"b"))
        with pytest.raises(TransferError, match="requires a login"):
            connect(proxies=through(proxy.url("socks5h"))).request("GET", "http://registry.test/", deadline=deadline)

    def test_a_proxy_that_says_nothing_is_given_up(self, connect: Connect, deadline: Deadline) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            proxies = through(f"socks5h://127.0.0.1:{silent.getsockname()[1]}")
            client = connect(proxies=proxies, retry=ONCE, limits=HttpLimits(connect_seconds=0.3))
            with pytest.raises(TransferError, match="no connection within 0 s") as caught:
                client.request("GET", "https://registry.test/", deadline=deadline)
        assert caught.value.transient


class TestHttpsProxies:
    @pytest.fixture
    def proxy_tls(self, authority: CertificateAuthority) -> ssl.SSLContext:
        return server_context(authority.issue("proxy"))

    def test_https_goes_through_a_tunnel_inside_tls_and_its_connection_is_kept(
        self,
        serve: Serve,
        connect: Connect,
        deadline: Deadline,
        sink_with: t.Any,
        registry_tls: ssl.SSLContext,
        proxy_tls: ssl.SSLContext,
        trust: TlsSettings,
    ) -> None:
        origin = serve(entity(BLOB), tls=registry_tls)
        proxy = serve(tunnel_to(origin.port), tls=proxy_tls)
        client = connect(proxies=through(f"https://user:geheim@127.0.0.1:{proxy.port}"), tls=trust)
        for _again in range(2):
            assert fetched(client, "https://registry.test/blob", deadline, sink_with()) == BLOB
        assert [(asked.method, asked.target) for asked in proxy.asked] == [("CONNECT", "registry.test:443")]
        assert proxy.asked[0].headers["proxy-authorization"].startswith("Basic ")
        assert "proxy-authorization" not in origin.asked[0].headers

    def test_much_can_be_sent_through_it(
        self,
        serve: Serve,
        connect: Connect,
        deadline: Deadline,
        registry_tls: ssl.SSLContext,
        proxy_tls: ssl.SSLContext,
        trust: TlsSettings,
    ) -> None:
        origin = serve(reply(201), tls=registry_tls)
        proxy = serve(tunnel_to(origin.port), tls=proxy_tls)
        client = connect(proxies=through(f"https://127.0.0.1:{proxy.port}"), tls=trust)
        client.request("PUT", "https://registry.test/", deadline=deadline, body=BLOB)
        assert origin.asked[0].body == BLOB

    def test_plain_http_asks_it_for_the_whole_url(
        self, serve: Serve, connect: Connect, deadline: Deadline, proxy_tls: ssl.SSLContext, trust: TlsSettings
    ) -> None:
        proxy = serve(reply(200, b"from afar"), tls=proxy_tls)
        client = connect(proxies=through(f"https://127.0.0.1:{proxy.port}"), tls=trust)
        assert client.request("GET", "http://registry.test:5000/v2/", deadline=deadline).body == b"from afar"
        assert proxy.asked[0].target == "http://registry.test:5000/v2/"

    @pytest.mark.parametrize("verify", [True, False], ids=["verified registry", "insecure registry"])
    def test_its_certificate_is_always_verified(
        self,
        verify: bool,
        serve: Serve,
        connect: Connect,
        deadline: Deadline,
        authority: CertificateAuthority,
        other_authority: CertificateAuthority,
    ) -> None:
        stranger = serve(reply(200), tls=server_context(other_authority.issue("strange-proxy")))
        settings = TlsSettings(verify=verify, ca_file=authority.certificate)
        client = connect(proxies=through(f"https://user:geheim@127.0.0.1:{stranger.port}"), tls=settings)
        with pytest.raises(TlsError, match="certificate was rejected") as caught:
            client.request("GET", "https://registry.test/", deadline=deadline)
        assert caught.value.on == f"the proxy https://127.0.0.1:{stranger.port}"
        assert stranger.asked == []

    def test_our_identity_is_for_the_server_and_not_for_the_proxy(
        self, serve: Serve, connect: Connect, deadline: Deadline, authority: CertificateAuthority
    ) -> None:
        identity, client_identity = authority.issue("demanding"), authority.issue("client")
        proxy = serve(reply(200), tls=server_context(identity, client_authority=authority.certificate))
        settings = TlsSettings(
            ca_file=authority.certificate,
            client_certificate=str(client_identity.certificate),
            client_key=str(client_identity.key),
        )
        client = connect(proxies=through(f"https://127.0.0.1:{proxy.port}"), tls=settings, retry=ONCE)
        with pytest.raises((TlsError, TransferError)):
            client.request("GET", "http://registry.test/", deadline=deadline)
        assert proxy.asked == []

    def test_the_server_behind_it_is_verified_too(
        self,
        serve: Serve,
        connect: Connect,
        deadline: Deadline,
        proxy_tls: ssl.SSLContext,
        trust: TlsSettings,
        other_authority: CertificateAuthority,
    ) -> None:
        origin = serve(reply(200), tls=server_context(other_authority.issue("stranger", names="DNS:registry.test")))
        proxy = serve(tunnel_to(origin.port), tls=proxy_tls)
        client = connect(proxies=through(f"https://127.0.0.1:{proxy.port}"), tls=trust)
        with pytest.raises(TlsError, match="certificate was rejected") as caught:
            client.request("GET", "https://registry.test/", deadline=deadline)
        assert (caught.value.on, origin.asked) == ("https://registry.test/", [])

    @pytest.mark.parametrize(
        ("answer", "seen"),
        [
            pytest.param(hang_up, "closed during the transfer", id="hang-up"),
            pytest.param(
                raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", then="close"), "closed during", id="cut"
            ),
            pytest.param(raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", then="stall"), "no data", id="stall"),
        ],
    )
    def test_what_fails_behind_it_fails_as_without_it(
        self,
        answer: Answer,
        seen: str,
        serve: Serve,
        connect: Connect,
        deadline: Deadline,
        registry_tls: ssl.SSLContext,
        proxy_tls: ssl.SSLContext,
        trust: TlsSettings,
    ) -> None:
        proxy = serve(tunnel_to(serve(answer, tls=registry_tls).port), tls=proxy_tls)
        limits = HttpLimits(connect_seconds=10, stall_seconds=0.5)
        proxies = through(f"https://127.0.0.1:{proxy.port}")
        client = connect(proxies=proxies, tls=trust, limits=limits, retry=ONCE)
        with pytest.raises(TransferError, match=seen) as caught:
            client.request("GET", "https://registry.test/", deadline=deadline)
        assert caught.value.transient

    def test_threads_share_it(
        self,
        serve: Serve,
        connect: Connect,
        running_clock: t.Any,
        sink_with: t.Any,
        registry_tls: ssl.SSLContext,
        proxy_tls: ssl.SSLContext,
        trust: TlsSettings,
    ) -> None:
        proxy = serve(tunnel_to(serve(entity(BLOB), tls=registry_tls).port), tls=proxy_tls)
        client = connect(running_clock, proxies=through(f"https://127.0.0.1:{proxy.port}"), tls=trust)
        found: list[bytes] = []

        def one() -> None:
            deadline = Deadline(60, running_clock)
            found.append(fetched(client, "https://registry.test/blob", deadline, sink_with()))

        threads = [threading.Thread(target=one) for _thread in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert found == [BLOB] * 4
