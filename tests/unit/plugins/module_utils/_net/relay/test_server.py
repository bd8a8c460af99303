# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A relay on real sockets: what its clients get, and what those get who should not be clients."""

from __future__ import annotations

import contextlib
import hashlib
import json
import socket
import ssl
import time
import typing as t
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import BundleEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.errors import RelayError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.limits import RelayLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.tls import TlsSettings
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.conftest import MemorySink
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.relay.conftest import (
    TOKEN,
    RunningRelay,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.relay.sample_bundle import (
    LAYER,
    MANIFEST,
    digest_of,
    write_bundle,
)

Start = Callable[..., RunningRelay]

LAYER_PATH = f"/blobs/sha256/{digest_of(LAYER).hex}"
BEHIND = b'{"errors": [{"code": "UNKNOWN", "message": "Requested Range Not Satisfiable"}]}'
BRISK = RelayLimits(handshake_seconds=0.3, head_seconds=0.3, idle_seconds=0.3, stall_seconds=0.3)


def request(path: str, *fields: str, method: str = "GET", token: str | None = TOKEN) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: relay", "Connection: close", *fields]
    lines += [f"Authorization: Bearer {token}"] if token is not None else []
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def split(answer: bytes) -> tuple[dict[str, str], bytes]:
    head, _end, body = answer.partition(b"\r\n\r\n")
    pairs = (line.partition(": ") for line in head.decode().split("\r\n")[1:])
    return {name: value for name, _colon, value in pairs}, body


def download(relay: RunningRelay, content: bytes) -> Download:
    url = Url.parse(f"{relay.url}/blobs/sha256/{digest_of(content).hex}")
    return Download(url, size=len(content), digest=digest_of(content), headers=relay.authorised)


def test_the_index_is_given_as_it_was_vetted(relay: RunningRelay, bundle: Path) -> None:
    vetted = (bundle / "index.json").read_bytes()
    (bundle / "index.json").write_bytes(b"{}")
    fields, body = split(relay.ask_raw(request("/index.json")))
    assert body == vetted
    assert fields["ETag"] == f'"{digest_of(vetted)}"'


def test_a_blob_with_the_client_of_this_collection(relay: RunningRelay, running_clock: t.Any) -> None:
    sink = MemorySink()
    with relay.client() as client:
        received = fetch(client, download(relay, LAYER), sink, deadline=Deadline(10, running_clock))
    assert (bytes(sink.content), received.requests) == (LAYER, 1)
    assert relay.bytes_served(len(LAYER)) == len(LAYER)


def test_a_download_that_was_cut_goes_on_where_it_stood(relay: RunningRelay, running_clock: t.Any) -> None:
    sink = MemorySink(LAYER[:200_000])
    with relay.client() as client:
        hasher = hashlib.sha256(LAYER[:200_000])
        fetch(client, download(relay, LAYER), sink, deadline=Deadline(10, running_clock), hasher=hasher)
    assert bytes(sink.content) == LAYER
    assert relay.bytes_served(100_000) == 100_000


def test_many_clients_at_once(relay: RunningRelay, running_clock: t.Any) -> None:
    def get(_number: int) -> bytes:
        sink = MemorySink()
        with relay.client() as client:
            fetch(client, download(relay, LAYER), sink, deadline=Deadline(20, running_clock))
        return bytes(sink.content)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(get, range(24))) == {LAYER}


def test_requests_follow_one_another_on_one_connection(relay: RunningRelay) -> None:
    with relay.client() as client:
        deadline = Deadline(10, relay.clock)
        urls = [f"{relay.url}{path}" for path in ("/index.json", LAYER_PATH, "/nothing", LAYER_PATH)]
        answers = [client.request("GET", url, deadline=deadline, headers=relay.authorised) for url in urls]
        assert [answer.status for answer in answers] == [200, 200, 404, 200]
        assert relay.server.counters.read().connections == 1


def test_pipelined_requests_are_answered_in_order(relay: RunningRelay) -> None:
    head = request("/index.json", method="HEAD").replace(b"Connection: close\r\n", b"")
    answers = relay.ask_raw(head + request(LAYER_PATH, "Range: bytes=0-3"))
    assert answers.endswith(LAYER[:4])
    assert answers.count(b"HTTP/1.1 20") == 2


@pytest.mark.parametrize(
    ("header", "status", "content_range", "body"),
    [
        pytest.param("bytes=0-0", 206, "bytes 0-0/300000", LAYER[:1], id="one byte"),
        pytest.param("bytes=299990-", 206, "bytes 299990-299999/300000", LAYER[-10:], id="to the end"),
        pytest.param("bytes=-7", 206, "bytes 299993-299999/300000", LAYER[-7:], id="the last ones"),
        pytest.param("bytes=10-999999999", 206, "bytes 10-299999/300000", LAYER[10:], id="beyond the end"),
        pytest.param("bytes=300000-", 416, "bytes */300000", BEHIND, id="behind the end"),
        pytest.param("bytes=-0", 416, "bytes */300000", BEHIND, id="the last none"),
        pytest.param("bytes=5-2", 200, None, LAYER, id="backwards is no range"),
        pytest.param("bytes=0-1,5-6", 200, None, LAYER, id="several ranges are not supported"),
        pytest.param("lines=0-1", 200, None, LAYER, id="another unit"),
        pytest.param("bytes=" + "9" * 40 + "-", 200, None, LAYER, id="no number of bytes"),
    ],
)
def test_ranges(relay: RunningRelay, header: str, status: int, content_range: str | None, body: bytes) -> None:
    answer = relay.ask_raw(request(LAYER_PATH, f"Range: {header}"))
    fields, given = split(answer)
    assert (int(answer.split()[1]), fields.get("Content-Range")) == (status, content_range)
    assert given == body


def test_a_range_of_other_content_is_not_given(relay: RunningRelay) -> None:
    other = f'"{digest_of(MANIFEST)}"'
    assert relay.status_of(request(LAYER_PATH, "Range: bytes=0-3", f"If-Range: {other}")) == 200


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        pytest.param(request("/"), 404, id="the folder"),
        pytest.param(request("/blobs/sha256/"), 404, id="a listing"),
        pytest.param(request("/blobs/sha256/" + "0" * 64), 404, id="a blob that the index does not list"),
        pytest.param(request("/blobs/sha256/../../index.json"), 404, id="dots"),
        pytest.param(request("/blobs/sha256/..%2f..%2findex.json"), 404, id="encoded dots"),
        pytest.param(request(LAYER_PATH.upper()), 404, id="another case"),
        pytest.param(request(LAYER_PATH + "?x=1"), 404, id="a query"),
        pytest.param(request(LAYER_PATH + "\0"), 400, id="a NUL"),
        pytest.param(request("//etc/passwd"), 404, id="a file of the host"),
        pytest.param(request("/" + "a" * 1100), 400, id="a long path"),
        pytest.param(request("http://relay" + LAYER_PATH), 400, id="a proxy request"),
        pytest.param(request(LAYER_PATH, method="PUT"), 405, id="a write"),
        pytest.param(request(LAYER_PATH, "Content-Length: 3"), 400, id="a body"),
        pytest.param(request(LAYER_PATH, "Transfer-Encoding: chunked"), 400, id="a chunked body"),
        pytest.param(request(LAYER_PATH, " folded: line"), 400, id="a folded field"),
        pytest.param(request(LAYER_PATH, "Range : bytes=0-1"), 400, id="a space before the colon"),
        pytest.param(request(LAYER_PATH, "Range: bytes=0-1", "Range: bytes=2-3"), 400, id="a field twice"),
        pytest.param(request(LAYER_PATH, *[f"X-{n}: 1" for n in range(80)]), 431, id="many fields"),
        pytest.param(request(LAYER_PATH, "X: " + "a" * 30_000), 431, id="a huge field"),
        pytest.param(request(LAYER_PATH, token="ÿ" * 64), 400, id="a field that is not ASCII"),
        pytest.param(b"GET / HTTP/2.0\r\n\r\n", 505, id="another version"),
        pytest.param(b"\x16\x03\x01 nonsense\r\n\r\n", 400, id="not HTTP"),
    ],
)
def test_what_is_not_served(relay: RunningRelay, asked: bytes, status: int) -> None:
    assert relay.status_of(asked) == status


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(request(LAYER_PATH, token=None), id="no token"),
        pytest.param(request(LAYER_PATH, token=""), id="an empty token"),
        pytest.param(request(LAYER_PATH, token=TOKEN[:-1]), id="a part of the token"),
        pytest.param(request(LAYER_PATH, token=TOKEN + "0"), id="more than the token"),
        pytest.param(request(LAYER_PATH, f"Authorization: Basic {TOKEN}", token=None), id="another scheme"),
        pytest.param(request("/nothing", token="wrong"), id="even where nothing is"),
    ],
)
def test_who_is_not_served(relay: RunningRelay, asked: bytes) -> None:
    fields, body = split(relay.ask_raw(asked))
    assert fields["WWW-Authenticate"] == 'Basic realm="fieldops.openshift"'
    assert json.loads(body) == {"errors": [{"code": "UNAUTHORIZED", "message": "Unauthorized"}]}


def test_an_address_that_is_not_allowed_is_not_even_greeted(start: Start, endpoint: BundleEndpoint) -> None:
    relay = start(endpoint, peers=("127.0.0.2",))
    with relay.connect() as stranger:
        assert stranger.recv(1) == b""
    with relay.connect(source="127.0.0.2") as known:
        TlsSettings(ca_pem=relay.certificate).context().wrap_socket(known, server_hostname="127.0.0.1").close()
    assert relay.server.counters.read().refused == 1


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(lambda path: path.symlink_to("/etc/passwd"), id="a link"),
        pytest.param(lambda path: path.mkdir(), id="a folder"),
        pytest.param(lambda path: path.write_bytes(LAYER[:-1]), id="a blob of another size"),
        pytest.param(lambda _path: None, id="nothing"),
    ],
)
def test_what_is_not_the_blob_is_not_there(relay: RunningRelay, bundle: Path, plant: Callable[[Path], None]) -> None:
    path = bundle / LAYER_PATH[1:]
    path.unlink()
    plant(path)
    assert relay.status_of(request(LAYER_PATH)) == 404


@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"GET /index.json HT", id="half a line"),
        pytest.param(b"GET /index.json HTTP/1.1\r\nHost: relay\r\n", id="half a head"),
    ],
)
def test_a_slow_head_is_not_waited_for(start: Start, endpoint: BundleEndpoint, begun: bytes) -> None:
    relay = start(endpoint, limits=BRISK)
    began = time.monotonic()
    with relay.connect_securely() as slow:
        slow.sendall(begun)
        assert slow.recv(1) == b""
    assert time.monotonic() - began < 2


def test_dripping_a_head_gains_no_time(start: Start, endpoint: BundleEndpoint) -> None:
    relay = start(endpoint, limits=BRISK)
    with relay.connect_securely() as slow:
        with contextlib.suppress(OSError):
            for byte in request(LAYER_PATH):
                slow.sendall(bytes([byte]))
                time.sleep(0.02)
        assert relay.server.counters.read().requests == 0


def test_a_handshake_that_does_not_come_is_not_waited_for(start: Start, endpoint: BundleEndpoint) -> None:
    relay = start(endpoint, limits=BRISK)
    with relay.connect() as silent:
        assert silent.recv(1) == b""


def test_a_client_that_does_not_read_is_left(start: Start, tmp_path: Path) -> None:

    large = bytes(24 * 1024 * 1024)
    index = write_bundle(tmp_path / "large", large)
    endpoint = BundleEndpoint(tmp_path / "large", index.digest)
    relay = start(endpoint, limits=BRISK)
    with relay.connect_securely() as lazy:
        lazy.sendall(request(f"/blobs/sha256/{digest_of(large).hex}"))
        deadline = Deadline(10, relay.clock)
        while relay.server.counters.read().connections and not deadline.expired:
            deadline.pause(0.02)
        assert relay.server.counters.read().connections == 0
    endpoint.close()


def test_connections_of_one_address_are_bounded(start: Start, endpoint: BundleEndpoint) -> None:
    relay = start(endpoint, limits=RelayLimits(per_address=3))
    held = [relay.connect_securely() for _number in range(3)]
    with relay.connect() as further:
        assert further.recv(1) == b""
    held.pop().close()
    deadline = Deadline(5, relay.clock)
    while relay.server.counters.read().connections > 2 and not deadline.expired:
        deadline.pause(0.02)
    relay.connect_securely().close()
    for connection in held:
        connection.close()


def test_connections_of_all_are_bounded(start: Start, endpoint: BundleEndpoint) -> None:
    relay = start(endpoint, peers=("127.0.0.0/29",), limits=RelayLimits(connections=2))
    with relay.connect(source="127.0.0.1"), relay.connect(source="127.0.0.2"), relay.connect() as third:
        assert third.recv(1) == b""


def test_a_flood_leaves_the_relay_usable(start: Start, endpoint: BundleEndpoint) -> None:
    relay = start(endpoint, peers=("127.0.0.0/29",), limits=RelayLimits(per_address=8, handshake_seconds=0.5))
    flood = [relay.connect(source="127.0.0.2") for _number in range(100)]
    assert relay.status_of(request(LAYER_PATH)) == 200
    for connection in flood:
        connection.close()


def test_older_tls_is_refused(relay: RunningRelay) -> None:
    context = TlsSettings(ca_pem=relay.certificate).context()
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with relay.connect() as plain, pytest.raises(ssl.SSLError):
        context.wrap_socket(plain, server_hostname="127.0.0.1")


def test_stopping_cuts_what_is_under_way(start: Start, endpoint: BundleEndpoint) -> None:
    relay = start(endpoint)
    with relay.connect_securely() as idle:
        relay.server.stop()
        assert idle.recv(1) == b""


def test_its_time_ends_by_itself(start: Start, endpoint: BundleEndpoint) -> None:
    relay = start(endpoint, lifetime=2.0)
    with relay.connect_securely() as idle:
        assert idle.recv(1) == b""
    with pytest.raises(ConnectionRefusedError):
        relay.connect()


def test_a_port_in_use_is_passed_over(start: Start, endpoint: BundleEndpoint) -> None:
    relay = start(endpoint)
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        taken = holder.getsockname()[1]
        with pytest.raises(RelayError, match=f"port {taken}: Address already in use"):
            relay.server.listen("127.0.0.1", [taken])
