# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A secret in every place where one can be given appears in no error, cause or representation."""

from __future__ import annotations

import traceback
import typing as t
from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.proxies import Proxy, ProxySettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.certificates import (
    CertificateAuthority,
    server_context,
)
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

CANARY = "kanarienvogel"
HEADERS = {"Authorization": f"Bearer {CANARY}", "X-Token": CANARY}
QUERY = f"/blob?token={CANARY}"
OFFENDERS = [
    pytest.param(hang_up, id="hang-up"),
    pytest.param(raw(b"", then="stall"), id="stall"),
    pytest.param(raw(f"{CANARY}\r\n\r\n".encode(), then="close"), id="not-http"),
    pytest.param(reply(401, CANARY.encode(), WWW_Authenticate=CANARY), id="401"),
    pytest.param(reply(429, Retry_After=CANARY), id="429"),
    pytest.param(reply(302, Location=f"/again?token={CANARY}"), id="circle"),
    pytest.param(reply(302, Location=f"ftp://{CANARY}@a/?{CANARY}"), id="bad-location"),
    pytest.param(reply(206, b"x", Content_Range=CANARY), id="bad-range"),
    pytest.param(raw(f"HTTP/1.1 200 OK\r\nContent-Length: {CANARY}\r\n\r\n".encode()), id="bad-length"),
    pytest.param(reply(200, b"x", Content_Encoding=CANARY), id="bad-encoding"),
    pytest.param(raw(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: {CANARY}\r\n\r\n".encode()), id="bad-transfer-coding"),
    pytest.param(entity(b"x" * 50, ETag=f'"{CANARY}"'), id="wrong-etag-and-digest"),
]


def everything_written(error: BaseException) -> str:
    lines = traceback.format_exception(type(error), error, None)
    partial = {key: value for key, value in getattr(error, "partial", {}).items() if key != "etag"}
    return f"{''.join(lines)} {error!r} {partial!r}"


@pytest.mark.parametrize("answer", OFFENDERS)
@pytest.mark.parametrize("by_proxy", [False, True], ids=["direct", "by-proxy"])
def test_no_failed_request_or_download_gives_a_secret_away(
    answer: Answer, by_proxy: bool, serve: Serve, connect: Connect, deadline: Deadline, sink: t.Any
) -> None:
    server = serve(answer)
    proxy = Proxy.parse(f"http://{CANARY}:{CANARY}@127.0.0.1:{server.port}")
    limits = HttpLimits(stall_seconds=0.3)
    client = connect(proxies=ProxySettings(http=proxy), retry=RetryPolicy(attempts=1), limits=limits)
    url = f"http://registry.test{QUERY}" if by_proxy else server.url(QUERY)
    with pytest.raises(FieldOpsError) as caught:
        client.request("GET", url, deadline=deadline, headers=HEADERS).require(299)
    assert CANARY not in everything_written(caught.value)

    download = Download(Url.parse(url), size=50, etag='"1"', headers=HEADERS)
    assert CANARY not in repr(download)
    with pytest.raises(FieldOpsError) as caught:
        fetch(client, download, sink, deadline=deadline)
    assert CANARY not in everything_written(caught.value)


@pytest.mark.parametrize("refused", [False, True], ids=["untrusted-server", "tunnel-refused"])
def test_no_failed_tunnel_gives_a_secret_away(
    refused: bool, serve: Serve, connect: Connect, deadline: Deadline, authority: CertificateAuthority
) -> None:
    origin = serve(reply(200), tls=server_context(authority.issue("canary", names="DNS:registry.test")))
    proxy = serve(reply(407, CANARY.encode(), Proxy_Authenticate=CANARY) if refused else tunnel_to(origin.port))
    parsed = Proxy.parse(f"http://{CANARY}:{CANARY}@127.0.0.1:{proxy.port}")
    client = connect(proxies=ProxySettings(https=parsed), retry=RetryPolicy(attempts=1))
    with pytest.raises(FieldOpsError) as caught:
        client.request("GET", f"https://registry.test{QUERY}", deadline=deadline, headers=HEADERS)
    assert CANARY not in everything_written(caught.value)
