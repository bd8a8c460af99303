# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where redirections may lead: never from a public server into this network, never to metadata services."""

from __future__ import annotations

import socket
import typing as t
from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.no_proxy import parse_no_proxy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import Proxy, ProxySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.reach import Reach
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.certificates import (
    CertificateAuthority,
    server_context,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    ScriptedServer,
    reply,
    tunnel_to,
)

Serve = Callable[..., ScriptedServer]
Connect = Callable[..., HttpClient]

PUBLIC, PRIVATE, LINK_LOCAL = Reach.PUBLIC, Reach.PRIVATE, Reach.LINK_LOCAL


@pytest.mark.parametrize(
    ("address", "reach"),
    [
        ("8.8.8.8", PUBLIC),
        ("2600:1f18::1", PUBLIC),
        ("127.0.0.1", PRIVATE),
        ("::1", PRIVATE),
        ("0.0.0.0", PRIVATE),  # noqa: S104
        ("10.0.0.1", PRIVATE),
        ("172.16.0.1", PRIVATE),
        ("192.168.1.1", PRIVATE),
        ("100.64.0.1", PRIVATE),
        ("198.18.0.1", PRIVATE),
        ("203.0.113.1", PRIVATE),
        ("224.0.0.1", PRIVATE),
        ("255.255.255.255", PRIVATE),
        ("fd00::1", PRIVATE),
        ("fec0::1", PRIVATE),
        ("ff02::1", PRIVATE),
        ("::ffff:10.0.0.1", PRIVATE),
        ("::ffff:8.8.8.8", PUBLIC),
        ("64:ff9b::10.0.0.1", PRIVATE),
        ("64:ff9b::8.8.8.8", PUBLIC),
        ("2002:7f00:1::", PRIVATE),
        ("169.254.169.254", LINK_LOCAL),
        ("fe80::1", LINK_LOCAL),
        ("fe80::1%eth0", LINK_LOCAL),
        ("::ffff:169.254.169.254", LINK_LOCAL),
        ("64:ff9b::169.254.169.254", LINK_LOCAL),
    ],
)
def test_the_reach_of_an_address(address: str, reach: Reach) -> None:
    assert Reach.of(address) is reach


@pytest.mark.parametrize(
    ("source", "target", "allowed"),
    [
        (PUBLIC, PUBLIC, True),
        (PUBLIC, PRIVATE, False),
        (PUBLIC, LINK_LOCAL, False),
        (PRIVATE, PUBLIC, True),
        (PRIVATE, PRIVATE, True),
        (PRIVATE, LINK_LOCAL, False),
        (LINK_LOCAL, PUBLIC, True),
        (LINK_LOCAL, PRIVATE, True),
        (LINK_LOCAL, LINK_LOCAL, True),
    ],
)
def test_who_may_lead_where(source: Reach, target: Reach, allowed: bool) -> None:
    assert source.may_lead_to(target) is allowed


@pytest.mark.parametrize(
    "address", ["169.254.169.254", "[fe80::1]", "[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]"]
)
def test_no_server_leads_to_the_metadata_of_a_machine(
    address: str, serve: Serve, client: HttpClient, deadline: Deadline
) -> None:
    server = serve(reply(302, Location=f"http://{address}/latest/meta-data/?token=geheim"))
    with pytest.raises(TransferError, match="redirected to the link-local address") as caught:
        client.request("GET", server.url(), deadline=deadline)
    assert not caught.value.transient
    assert "geheim" not in str(caught.value)


def test_a_name_is_judged_by_the_address_it_leads_to(
    serve: Serve, client: HttpClient, deadline: Deadline, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_leads_to(monkeypatch, "metadata.test", "169.254.169.254")
    server = serve(reply(302, Location="http://metadata.test/"))
    with pytest.raises(TransferError, match=r"link-local address 169\.254\.169\.254"):
        client.request("GET", server.url(), deadline=deadline)


def name_leads_to(monkeypatch: pytest.MonkeyPatch, name: str, address: str) -> None:
    real = socket.getaddrinfo

    def resolve(host: str, port: int, *more: t.Any, **options: t.Any) -> t.Any:
        return real(address if host == name else host, port, *more, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


class TestPublicRegistries:
    """A registry that only the proxy can reach counts as public."""

    @pytest.fixture
    def storage(self, serve: Serve, authority: CertificateAuthority) -> ScriptedServer:
        identity = authority.issue("storage", names="IP:127.0.0.1,DNS:storage.test")
        return serve(reply(200, b"blob"), tls=server_context(identity))

    @pytest.fixture
    def public(self, serve: Serve, connect: Connect, authority: CertificateAuthority) -> Callable[[str], HttpClient]:
        """Make a client for which https://registry.test/ redirects to a location."""

        def make(location: str) -> HttpClient:
            identity = authority.issue("public", names="DNS:registry.test")
            origin = serve(reply(307, Location=location), tls=server_context(identity))
            self.proxy = serve(tunnel_to(origin.port))
            proxy = Proxy.parse(f"http://127.0.0.1:{self.proxy.port}")
            settings = ProxySettings(https=proxy, no_proxy=parse_no_proxy("storage.test"))
            return connect(proxies=settings, tls=TlsSettings(ca_file=authority.certificate))

        return make

    def test_one_does_not_lead_to_this_machine(
        self, public: Callable[[str], HttpClient], storage: ScriptedServer, deadline: Deadline
    ) -> None:
        with pytest.raises(TransferError, match=r"redirected to the private address 127\.0\.0\.1") as caught:
            public(storage.url()).request("GET", "https://registry.test/", deadline=deadline)
        assert (storage.connections, "NO_PROXY" in caught.value.advice) == (0, True)

    def test_one_does_not_lead_into_this_network_through_the_proxy(
        self, public: Callable[[str], HttpClient], deadline: Deadline
    ) -> None:
        with pytest.raises(TransferError, match=r"redirected to the private address 10\.1\.2\.3"):
            public("https://10.1.2.3/").request("GET", "https://registry.test/", deadline=deadline)
        assert [asked.target for asked in self.proxy.asked] == ["registry.test:443"]

    def test_one_does_not_lead_to_a_name_of_this_network(
        self,
        public: Callable[[str], HttpClient],
        storage: ScriptedServer,
        deadline: Deadline,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        name_leads_to(monkeypatch, "storage.test", "127.0.0.1")
        client = public(storage.url(host="storage.test"))
        with pytest.raises(TransferError, match="redirected to the private address"):
            client.request("GET", "https://registry.test/", deadline=deadline)
        assert storage.connections == 0

    def test_a_connection_that_is_already_open_is_no_way_in(
        self,
        public: Callable[[str], HttpClient],
        storage: ScriptedServer,
        deadline: Deadline,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        name_leads_to(monkeypatch, "storage.test", "127.0.0.1")
        client = public(storage.url(host="storage.test"))
        assert client.request("GET", storage.url(host="storage.test"), deadline=deadline).body == b"blob"
        with pytest.raises(TransferError, match="redirected to the private address"):
            client.request("GET", "https://registry.test/", deadline=deadline)
        assert len(storage.asked) == 1

    def test_one_leads_to_other_public_servers(self, public: Callable[[str], HttpClient], deadline: Deadline) -> None:
        with pytest.raises(TransferError, match="redirected more than 5 times"):
            public("https://registry.test/again").request("GET", "https://registry.test/", deadline=deadline)
