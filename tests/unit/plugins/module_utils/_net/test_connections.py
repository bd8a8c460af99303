# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The way to the other side: addresses, proxies, tunnels."""

from __future__ import annotations

import base64
import socket
import threading
import typing as t
from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.no_proxy import parse_no_proxy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import Proxy, ProxySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.certificates import (
    CertificateAuthority,
    server_context,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    Answer,
    ScriptedServer,
    hang_up,
    reply,
    tunnel_to,
)

Serve = Callable[..., ScriptedServer]
Connect = Callable[..., HttpClient]

ONCE = RetryPolicy(attempts=1)


@pytest.fixture
def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port


def through(server: ScriptedServer, credentials: str = "") -> ProxySettings:
    proxy = Proxy.parse(f"http://{credentials}127.0.0.1:{server.port}")
    return ProxySettings(http=proxy, https=proxy)


def test_a_refused_connection_is_transient(closed_port: int, connect: Connect, deadline: Deadline) -> None:
    with pytest.raises(TransferError, match="the connection was refused") as caught:
        connect(retry=ONCE).request("GET", f"http://127.0.0.1:{closed_port}/", deadline=deadline)
    assert caught.value.transient


def test_a_server_that_hangs_up_before_the_body_is_sent_is_heard_all_the_same(
    connect: Connect, deadline: Deadline
) -> None:
    def refuse_at_once(listening: socket.socket) -> None:
        connected, _address = listening.accept()
        with connected:
            connected.recv(1024)
            connected.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 8\r\n\r\ntoo much")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=refuse_at_once, args=(listening,), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        answer = connect().request("PUT", url, deadline=deadline, body=bytes(32 * 1024 * 1024))
        thread.join(10)
    assert (answer.status, answer.body) == (413, b"too much")


def test_a_name_that_does_not_exist_is_told(connect: Connect, deadline: Deadline) -> None:
    with pytest.raises(TransferError, match="could not be resolved"):
        connect(retry=ONCE).request("GET", "http://no-such-host.invalid/", deadline=deadline)


def test_every_address_of_a_name_is_tried(
    serve: Serve, connect: Connect, deadline: Deadline, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(reply(200, b"second"))
    stream = (socket.AF_INET, socket.SOCK_STREAM, 6, "")
    addresses = [(*stream, ("127.0.0.1", closed_port)), (*stream, ("127.0.0.1", server.port))]
    real = socket.getaddrinfo

    def resolve(host: str, *more: t.Any, **options: t.Any) -> t.Any:
        return addresses if host == "two.test" else real(host, *more, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert connect().request("GET", "http://two.test/", deadline=deadline).body == b"second"


def test_plain_http_asks_the_proxy_for_the_whole_url(serve: Serve, connect: Connect, deadline: Deadline) -> None:
    proxy = serve(reply(200, b"from afar"))
    client = connect(proxies=through(proxy, "user:geheim@"))
    answer = client.request("GET", "http://registry.test:5000/v2/?a=b", deadline=deadline)
    assert answer.body == b"from afar"
    asked = proxy.asked[0]
    assert (asked.target, asked.headers["host"]) == ("http://registry.test:5000/v2/?a=b", "registry.test:5000")
    assert asked.headers["proxy-authorization"] == "Basic " + base64.b64encode(b"user:geheim").decode()


def test_https_goes_through_a_tunnel_and_its_connection_is_kept(
    serve: Serve, connect: Connect, deadline: Deadline, authority: CertificateAuthority
) -> None:
    identity = authority.issue("tunnelled", names="DNS:registry.test")
    origin = serve(reply(200, b"secret body"), tls=server_context(identity))
    proxy = serve(tunnel_to(origin.port))
    client = connect(proxies=through(proxy, "user:geheim@"), tls=TlsSettings(ca_file=authority.certificate))
    for _again in range(2):
        headers = {"Authorization": "Bearer inner"}
        answer = client.request("GET", "https://registry.test/v2/?a=b", deadline=deadline, headers=headers)
        assert answer.body == b"secret body"
    assert len(proxy.asked) == 1
    asked = proxy.asked[0]
    assert (asked.method, asked.target) == ("CONNECT", "registry.test:443")
    assert asked.headers["proxy-authorization"].startswith("Basic ")
    assert "authorization" not in asked.headers
    assert [asked.target for asked in origin.asked] == ["/v2/?a=b", "/v2/?a=b"]
    assert "proxy-authorization" not in origin.asked[0].headers


@pytest.mark.parametrize(
    ("answer", "seen", "transient"),
    [
        pytest.param(reply(407, Proxy_Authenticate="Basic"), "answered with status 407", False, id="407"),
        pytest.param(reply(403), "answered with status 403", False, id="403"),
        pytest.param(reply(503), "answered with status 503", True, id="503"),
        pytest.param(hang_up, "closed during the transfer (through the proxy", True, id="hang-up"),
    ],
)
def test_a_proxy_that_refuses_the_tunnel_is_named_without_credentials(
    answer: Answer, seen: str, transient: bool, serve: Serve, connect: Connect, deadline: Deadline
) -> None:
    proxy = serve(answer)
    client = connect(proxies=through(proxy, "user:geheim@"), retry=ONCE)
    with pytest.raises(TransferError) as caught:
        client.request("GET", "https://registry.test/?q=geheim", deadline=deadline)
    error = caught.value
    assert seen in error.seen
    assert f"http://127.0.0.1:{proxy.port}" in error.seen
    assert (error.on, error.transient) == ("https://registry.test/", transient)
    assert "geheim" not in str(error)


def test_an_exempt_host_is_reached_directly(serve: Serve, connect: Connect, deadline: Deadline) -> None:
    server, proxy = serve(reply(200, b"direct")), serve(reply(200, b"by proxy"))
    settings = ProxySettings(http=through(proxy).http, no_proxy=parse_no_proxy("127.0.0.0/8"))
    assert connect(proxies=settings).request("GET", server.url(), deadline=deadline).body == b"direct"
    assert proxy.asked == []
