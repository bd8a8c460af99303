# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whole requests against a real server: statuses, retries, redirections, kept connections, limits, threads."""

from __future__ import annotations

import threading
import typing as t
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    Answer,
    Asked,
    ScriptedServer,
    Wire,
    hang_up,
    raw,
    reply,
)

Serve = Callable[..., ScriptedServer]
Connect = Callable[..., HttpClient]


def reset(wire: Wire, asked: Asked) -> None:
    del asked
    wire.reset()


def test_a_request_carries_what_was_given(serve: Serve, client: HttpClient, deadline: Deadline) -> None:
    server = serve(reply(201, b"made", X_Note="a"))
    answer = client.request("PUT", server.url("/v2/x?y=1"), deadline=deadline, headers={"X-A": "b"}, body=b"document")
    assert (answer.status, answer.body, answer.headers["x-note"]) == (201, b"made", "a")
    asked = server.asked[0]
    assert (asked.method, asked.target, asked.body) == ("PUT", "/v2/x?y=1", b"document")
    assert asked.headers == {
        "host": f"127.0.0.1:{server.port}",
        "x-a": "b",
        "user-agent": "fieldops.openshift",
        "accept-encoding": "identity",
        "content-length": "8",
    }


def test_an_empty_post_announces_its_length(serve: Serve, client: HttpClient, deadline: Deadline) -> None:
    server = serve(reply(202))
    client.request("POST", server.url(), deadline=deadline)
    assert server.asked[0].headers["content-length"] == "0"


@pytest.mark.parametrize("status", [200, 204, 304, 400, 401, 404, 418, 501])
def test_every_status_is_data(status: int, serve: Serve, client: HttpClient, deadline: Deadline) -> None:
    server = serve(reply(status))
    assert client.request("GET", server.url(), deadline=deadline).status == status
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(reply(503), id="503"),
        pytest.param(reply(429), id="429"),
        pytest.param(hang_up, id="hang-up"),
        pytest.param(reset, id="reset"),
        pytest.param(raw(b"", then="stall"), id="stall"),
        pytest.param(raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", then="close"), id="short-body"),
        pytest.param(raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", then="stall"), id="stalled-body"),
    ],
)
def test_transient_failures_are_tried_again(
    failure: Answer, serve: Serve, connect: Connect, deadline: Deadline, clock: t.Any
) -> None:
    server = serve(failure, failure, reply(200, b"fine"))
    client = connect(limits=HttpLimits(stall_seconds=0.5))
    assert client.request("GET", server.url(), deadline=deadline).body == b"fine"
    assert len(server.asked) == 3
    assert clock.slept == [0.25, 0.5]


def test_retry_after_is_heeded(serve: Serve, client: HttpClient, deadline: Deadline, clock: t.Any) -> None:
    server = serve(reply(429, Retry_After="20"), reply(503, Retry_After="Sat, 21 Nov 2026 22:01:00 GMT"), reply(200))
    assert client.request("GET", server.url(), deadline=deadline).status == 200
    assert clock.slept == [20.25, 60 - 20.25 + 0.5]


def test_a_wait_longer_than_the_deadline_is_not_begun(
    serve: Serve, client: HttpClient, deadline: Deadline, clock: t.Any
) -> None:
    server = serve(reply(429, Retry_After="3600"))
    answer = client.request("GET", server.url(), deadline=deadline)
    assert (answer.status, answer.retry_after, clock.slept) == (429, 3600.0, [])


def test_attempts_end_with_the_last_answer(serve: Serve, connect: Connect, deadline: Deadline) -> None:
    server = serve(reply(503, b"busy"))
    answer = connect(retry=RetryPolicy(attempts=3)).request("GET", server.url(), deadline=deadline)
    assert (answer.status, answer.body, len(server.asked)) == (503, b"busy", 3)


def test_attempts_end_with_the_last_error(serve: Serve, connect: Connect, deadline: Deadline) -> None:
    server = serve(hang_up)
    with pytest.raises(TransferError, match="closed during the transfer") as caught:
        connect(retry=RetryPolicy(attempts=3)).request("GET", server.url("/x?q=geheim"), deadline=deadline)
    assert caught.value.transient
    assert len(server.asked) == 3


@pytest.mark.parametrize("failure", [pytest.param(reply(503), id="503"), pytest.param(hang_up, id="hang-up")])
def test_a_post_is_sent_once(failure: Answer, serve: Serve, client: HttpClient, deadline: Deadline) -> None:
    server = serve(failure, reply(200))
    try:
        status = client.request("POST", server.url(), deadline=deadline, body=b"x").status
    except TransferError:
        status = 0
    assert status in (0, 503)
    assert len(server.asked) == 1


def test_a_connection_is_used_again(serve: Serve, client: HttpClient, deadline: Deadline) -> None:
    server = serve(reply(200, b"x" * 100))
    for method in ("GET", "HEAD", "GET", "PUT"):
        client.request(method, server.url(), deadline=deadline)
    assert [asked.connection for asked in server.asked] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(reply(200, b"x", Connection="close"), id="connection-close"),
        pytest.param(raw(b"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx"), id="http-1.0"),
        pytest.param(
            raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n"), id="more-than-announced"
        ),
    ],
)
def test_a_connection_that_cannot_be_trusted_is_not_used_again(
    answer: Answer, serve: Serve, client: HttpClient, deadline: Deadline
) -> None:
    server = serve(answer)
    assert [client.request("GET", server.url(), deadline=deadline).body for _again in range(2)] == [b"x", b"x"]
    assert server.connections == 2


def test_a_connection_dropped_while_idle_goes_unnoticed(
    serve: Serve, client: HttpClient, deadline: Deadline, clock: t.Any
) -> None:
    server = serve(reply(200, b"x"))
    client.request("GET", server.url(), deadline=deadline)
    server.drop_connections()
    assert client.request("POST", server.url(), deadline=deadline).status == 200
    assert (server.connections, clock.slept) == (2, [])


@pytest.mark.parametrize("drop", [hang_up, reset])
def test_a_connection_dropped_at_the_next_request_is_replaced_once_in_silence(
    drop: Answer, serve: Serve, client: HttpClient, deadline: Deadline, clock: t.Any
) -> None:
    server = serve(reply(200), drop, reply(200, b"fine"))
    client.request("GET", server.url(), deadline=deadline)
    assert client.request("GET", server.url(), deadline=deadline).body == b"fine"
    assert [asked.connection for asked in server.asked] == [1, 1, 2]
    assert clock.slept == []


def test_a_post_on_a_dropped_connection_is_not_repeated(serve: Serve, client: HttpClient, deadline: Deadline) -> None:
    server = serve(reply(200), hang_up, reply(200))
    client.request("GET", server.url(), deadline=deadline)
    with pytest.raises(TransferError):
        client.request("POST", server.url(), deadline=deadline)
    assert len(server.asked) == 2


def test_a_connection_is_not_kept_for_ever(serve: Serve, client: HttpClient, deadline: Deadline, clock: t.Any) -> None:
    server = serve(reply(200))
    client.request("GET", server.url(), deadline=deadline)
    clock.advance(51)
    client.request("GET", server.url(), deadline=deadline)
    assert server.connections == 2


def test_threads_share_the_client_with_a_connection_each(serve: Serve, connect: Connect, deadline: Deadline) -> None:
    together = threading.Barrier(4, timeout=10)

    def answer(wire: Wire, asked: Asked) -> None:
        together.wait()
        reply(200, asked.target.encode())(wire, asked)

    server = serve(answer)
    client = connect(limits=HttpLimits(connect_seconds=5, stall_seconds=20, idle_connections=3))
    with ThreadPoolExecutor(4) as threads:
        for round_number in range(3):
            targets = [f"/{round_number}/{n}" for n in range(4)]
            answers = threads.map(lambda one: client.request("GET", server.url(one), deadline=deadline).body, targets)
            assert list(answers) == [target.encode() for target in targets]
    assert server.connections == 4 + 1 + 1, "three of four connections are kept from round to round"


def test_redirections_are_followed_on_the_kept_connection(serve: Serve, client: HttpClient, deadline: Deadline) -> None:
    server = serve(reply(301, b"moved", Location="/b"), reply(307, Location="c?d=e"), reply(200, b"here"))
    answer = client.request("GET", server.url("/a"), deadline=deadline)
    assert (answer.body, answer.url.full) == (b"here", server.url("/c?d=e"))
    assert [asked.connection for asked in server.asked] == [1, 1, 1]


def test_credentials_stay_behind_at_another_origin(serve: Serve, client: HttpClient, deadline: Deadline) -> None:
    storage = serve(reply(200, b"blob"))
    registry = serve(reply(307, Location=storage.url("/blob?signature=1")))
    headers = {"Authorization": "Bearer geheim", "X-Token": "geheim", "Accept": "a/b"}
    answer = client.request("GET", registry.url(), deadline=deadline, headers=headers, sensitive=["x-token"])
    assert answer.body == b"blob"
    assert registry.asked[0].headers["authorization"] == "Bearer geheim"
    assert {"authorization", "x-token"}.isdisjoint(storage.asked[0].headers)
    assert storage.asked[0].headers["accept"] == "a/b"
    assert storage.asked[0].headers["host"] == f"127.0.0.1:{storage.port}"


def test_a_circle_of_redirections_ends(serve: Serve, client: HttpClient, deadline: Deadline) -> None:
    server = serve(reply(302, Location="/again?q=geheim"))
    with pytest.raises(TransferError, match="redirected more than 5 times") as caught:
        client.request("GET", server.url(), deadline=deadline)
    assert len(server.asked) == 6
    assert "geheim" not in str(caught.value)


def test_a_redirection_that_breaks_off_is_followed_all_the_same(
    serve: Serve, client: HttpClient, deadline: Deadline
) -> None:
    cut = raw(b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 10\r\n\r\nhalf", then="close")
    server = serve(cut, reply(200, b"here"))
    assert client.request("GET", server.url(), deadline=deadline).body == b"here"


def test_the_deadline_ends_a_request_that_trickles(serve: Serve, connect: Connect, running_clock: t.Any) -> None:
    def trickle(wire: Wire, asked: Asked) -> None:
        del asked
        wire.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        while True:
            wire.send(b"x")
            wire.socket.settimeout(0.02)
            try:
                if not wire.socket.recv(1):
                    return
            except TimeoutError:
                continue
            except OSError as exc:
                if "timed out" not in str(exc):
                    raise

    server = serve(trickle)
    client = connect(running_clock)
    with pytest.raises(DeadlineExceededError, match="still in progress"):
        client.request("GET", server.url(), deadline=Deadline(0.3, running_clock))


def test_the_deadline_cuts_a_stall_short(serve: Serve, connect: Connect, running_clock: t.Any) -> None:
    server = serve(raw(b"", then="stall"))
    client = connect(running_clock, limits=HttpLimits(stall_seconds=60))
    with pytest.raises(DeadlineExceededError):
        client.request("GET", server.url(), deadline=Deadline(0.2, running_clock))


def test_nothing_is_sent_after_the_deadline(serve: Serve, client: HttpClient, deadline: Deadline, clock: t.Any) -> None:
    server = serve(reply(200))
    clock.advance(601)
    with pytest.raises(DeadlineExceededError):
        client.request("GET", server.url(), deadline=deadline)
    assert server.asked == []


def test_a_closed_client_keeps_no_connection(serve: Serve, connect: Connect, deadline: Deadline) -> None:
    server = serve(reply(200))
    with connect() as client:
        client.request("GET", server.url(), deadline=deadline)
    client.request("GET", server.url(), deadline=deadline)
    client.request("GET", server.url(), deadline=deadline)
    assert server.connections == 3
