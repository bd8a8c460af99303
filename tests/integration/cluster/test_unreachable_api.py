# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An API that is away, hangs, comes back, or is not an API at all."""

from __future__ import annotations

import contextlib
import threading
import time
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.pod_logs import read_log
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.server_time import server_time
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP, LEASE, NODE
from ansible_collections.fieldops.openshift.tests.integration.cluster.network import (
    DRIPPING_BODY,
    DRIPPING_HEAD,
    DRIPPING_REFUSAL,
    DrippingServer,
    EchoServer,
    Forwarder,
    SilentServer,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster.objects import config_map
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

CANARY = "canary-5f1c0b"
READ = Call("get", NODE, "worker-0")


def within(seconds: float) -> Deadline:
    return Deadline(seconds, SystemClock())


@pytest.fixture
def client(own_server: ApiServer, connect: t.Any, library: str) -> ClusterClient:
    assert library
    made: ClusterClient = connect(kubeconfig=str(own_server.kubeconfig))
    return made


@pytest.mark.usefixtures("library")
def test_nobody_listens(connect: t.Any) -> None:
    client = connect(host="https://127.0.0.1:1", api_key=CANARY)
    answer = client.attempt(READ)
    assert (answer.status, answer.reason, answer.transient, answer.ok) == (None, "ConnectionRefused", True, False)
    with pytest.raises(
        ApiError, match=r"on the API server 127\.0\.0\.1:1: ConnectionRefused.*Check host and port"
    ) as error:
        client.get(NODE, "worker-0", deadline=within(0.1))
    assert error.value.transient
    assert error.value.status is None


@pytest.mark.usefixtures("library")
def test_a_silent_address_is_given_up_in_time(connect: t.Any, black_hole: SilentServer) -> None:
    client = connect(host=black_hole.url, api_key=CANARY)
    started = time.monotonic()
    with pytest.raises(ApiError, match=r"Timeout: no answer arrived in time.*no firewall drops the packets"):
        client.get(NODE, "worker-0", deadline=within(1.2))
    assert time.monotonic() - started < 4


@pytest.mark.usefixtures("library")
def test_one_attempt_is_one_connection_and_one_request(
    connect: t.Any, echo_server: EchoServer, forwarder: Forwarder
) -> None:
    forwarder.closed = True
    assert connect(host=forwarder.url, api_key=CANARY).attempt(READ).status is None
    assert forwarder.taken == 1
    for status in (302, 429, 503):
        echo_server.status, echo_server.requests = status, 0
        assert connect(host=echo_server.url, api_key=CANARY).attempt(READ).status == status
        assert echo_server.requests == 1


def test_a_name_that_does_not_exist(connect: t.Any) -> None:
    client = connect(host="https://api.invalid:6443", api_key=CANARY)
    with pytest.raises(ApiError, match=r"api\.invalid:6443: NameNotResolved.*DNS servers"):
        client.get(NODE, "worker-0", deadline=within(0.1))


def test_a_server_without_tls(connect: t.Any, echo_server: EchoServer) -> None:
    client = connect(host=echo_server.url.replace("http:", "https:"), api_key=CANARY)
    assert client.attempt(READ).reason == "TlsHandshakeFailed"


def test_a_server_that_hangs_ends_the_request_and_comes_back(client: ClusterClient, own_server: ApiServer) -> None:
    assert client.get(NODE, "worker-0") is None
    own_server.freeze()
    begun = time.monotonic()
    try:
        answer = client.attempt(READ, at_most=1.0)
    finally:
        own_server.thaw()
    assert (answer.status, answer.reason) == (None, "Timeout")
    assert 0.9 < time.monotonic() - begun < 4
    assert client.get(NODE, "worker-0") is None


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    "head",
    [
        pytest.param(DRIPPING_HEAD, id="head"),
        pytest.param(DRIPPING_BODY, id="body"),
        pytest.param(DRIPPING_REFUSAL, id="refusal"),
    ],
)
def test_a_server_that_drips_is_given_up_in_time(connect: t.Any, head: bytes) -> None:
    with DrippingServer(head) as server:
        begun = time.monotonic()
        with pytest.raises(ApiError, match=r"SlowAnswer: the answer was incomplete after 1 s.*load of the API server"):
            connect(host=server.url, api_key=CANARY).get(NODE, "worker-0", deadline=within(1.2))
        assert time.monotonic() - begun < 4


@pytest.mark.usefixtures("library")
def test_a_server_that_drips_records_of_tls_is_given_up_in_time(connect: t.Any, api_server: ApiServer) -> None:
    pair = api_server.authority.issue("dripping", "dripping", hosts=["127.0.0.1"])
    with DrippingServer(DRIPPING_BODY, pair) as server:
        client = connect(host=server.url, api_key=CANARY, ca_cert=str(api_server.ca_file))
        begun = time.monotonic()
        with pytest.raises(ApiError, match=r"SlowAnswer: the answer was incomplete after 1 s"):
            client.get(NODE, "worker-0", deadline=within(1.2))
        assert time.monotonic() - begun < 4


READS: dict[str, t.Callable[[ClusterClient], object]] = {
    "object": lambda client: client.get(NODE, "worker-0", deadline=within(1.0)),
    "list": lambda client: client.list_objects(NODE, deadline=within(1.0)),
    "kind": lambda client: client.serves(LEASE),
    "time": lambda client: server_time(client, within(1.0)),
    "log": lambda client: read_log(client, "none", "default", "main", lines=1),
}


@pytest.mark.parametrize("read", [pytest.param(name, id=name) for name in READS])
def test_each_read_that_drips_through_tls_ends(
    connect: t.Any, forwarder: Forwarder, api_server: ApiServer, monkeypatch: pytest.MonkeyPatch, read: str
) -> None:
    monkeypatch.setattr("ansible_collections.fieldops.openshift.plugins.module_utils._cluster.pod_logs.READ_TIMEOUT", 1)
    known = connect(kubeconfig=str(api_server.kubeconfig), host=forwarder.url)
    client = ClusterClient(known.access, known.clock, patience=1.0)
    assert client.get(NODE, "worker-0") is None
    forwarder.drips = True
    begun = time.monotonic()
    with client, pytest.raises(ApiError, match=r"SlowAnswer|Timeout"):
        READS[read](client)
    assert time.monotonic() - begun < 4


def test_reads_wait_for_a_server_that_starts_again(client: ClusterClient, own_server: ApiServer) -> None:
    assert client.get(NODE, "worker-0") is None
    own_server.stop()
    assert client.attempt(READ).status is None
    starting = threading.Thread(target=own_server.start)
    starting.start()
    try:
        assert client.get(NODE, "worker-0", deadline=within(30)) is None
    finally:
        starting.join()


@pytest.mark.parametrize(("patience", "sees"), [(0.1, False), (60.0, True)], ids=["impatient", "patient"])
def test_how_long_a_restart_is_waited_for_is_chosen(
    client: ClusterClient, own_server: ApiServer, patience: float, *, sees: bool
) -> None:
    own_server.stop()
    starting = threading.Timer(1.0, own_server.start)
    starting.start()
    chosen = ClusterClient(client.access, client.clock, patience=patience)
    try:
        with contextlib.nullcontext() if sees else pytest.raises(ApiError, match="ConnectionRefused"):
            assert chosen.get(NODE, "worker-0") is None
    finally:
        starting.join()


@pytest.mark.parametrize("verb", ["apply", "create", "patch", "delete"])
def test_writes_wait_for_a_server_that_starts_again(
    client: ClusterClient, own_server: ApiServer, library: str, verb: str
) -> None:
    name = f"written-{verb}-{library}"
    body = config_map(name, "default")
    if verb in ("patch", "delete"):
        client.create(CONFIG_MAP, body)
    writes: dict[str, t.Callable[[], object]] = {
        "apply": lambda: client.apply(body),
        "create": lambda: client.create(CONFIG_MAP, body),
        "patch": lambda: client.patch(CONFIG_MAP, name, {"data": {"a": "b"}}, "default"),
        "delete": lambda: client.delete(CONFIG_MAP, name, "default"),
    }
    own_server.stop()
    starting = threading.Timer(1.0, own_server.start)
    starting.start()
    try:
        writes[verb]()
    finally:
        starting.join()
    assert (client.get(CONFIG_MAP, name, "default") is None) == (verb == "delete")


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("status", [200, 302, 400, 403, 500, 503])
def test_a_server_that_is_no_api_and_repeats_credentials(connect: t.Any, echo_server: EchoServer, status: int) -> None:
    echo_server.status = status
    client = connect(host=echo_server.url, api_key=CANARY)
    answer = client.attempt(READ)
    assert answer.status == status
    assert not answer.ok
    with pytest.raises(ApiError) as refused:
        client.get(NODE, "worker-0", deadline=within(0.1))
    assert CANARY not in f"{answer!r} {refused.value} {refused.value!r} {refused.value.seen}"
    assert status == 200 or "********" in answer.message


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    "page",
    [
        "[]",
        "7",
        "{}",
        '{"kind": "Surprise"}',
        '{"kind": "APIGroupList", "groups": [7]}',
        '{"kind": "APIGroupList", "groups": [{"name": "x"}]}',
        '{"kind": "APIResourceList", "groups": [], "resources": [{"kind": "Node"}]}',
        '{"kind": "APIResourceList", "groups": [], "resources": 7}',
    ],
)
def test_a_server_whose_json_is_no_discovery(connect: t.Any, echo_server: EchoServer, page: str) -> None:
    echo_server.status, echo_server.page = 200, page
    answer = connect(host=echo_server.url, api_key=CANARY).attempt(READ)
    assert (answer.status, answer.reason, answer.ok) == (200, "UnreadableAnswer", False)


@pytest.mark.usefixtures("library")
def test_passwords_are_hidden_as_they_are_sent(connect: t.Any, echo_server: EchoServer) -> None:
    client = connect(host=echo_server.url, username="me", password=CANARY)
    answer = client.attempt(READ)
    assert "authorization: Basic ********" in answer.message
