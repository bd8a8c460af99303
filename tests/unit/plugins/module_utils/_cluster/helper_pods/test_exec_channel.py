# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How commands in pods end, and how they are found to have been cut."""

from __future__ import annotations

import socket
import time
import typing as t
from collections.abc import Callable, Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.exec_channel import (
    ExecChannel,
    ExecRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._cluster.helper_pods.played_api import (
    PlayedApiServer,
    frame,
    status,
)

Play = Callable[..., PlayedApiServer]

TOKEN = "canary-0123456789"
REQUEST = ExecRequest("fieldops-reach-night", "node-worker-0", "helper", ["/bin/sh", "-c", "id; exit 1"])
FORBIDDEN = b'{"kind":"Status","status":"Failure","reason":"Forbidden","code":403,"message":"no, TOKEN"}'


@pytest.fixture
def play() -> Iterator[Play]:
    servers: list[PlayedApiServer] = []

    def _play(**script: t.Any) -> PlayedApiServer:
        servers.append(PlayedApiServer(**script))
        return servers[-1]

    yield _play
    for server in servers:
        server.close()


def converse(server: PlayedApiServer, deadline: Deadline, given: tuple[bytes, ...] = ()) -> tuple[int, bytes, bytes]:
    access = resolve_access({"host": server.url, "api_key": TOKEN}, {})
    out, err = bytearray(), bytearray()
    with ExecChannel(access, REQUEST, deadline) as channel:
        ended = channel.converse(given, out.extend, err.extend, deadline)
    return ended, bytes(out), bytes(err)


@pytest.mark.parametrize(
    ("last", "code"),
    [
        pytest.param(status(status="Success"), 0, id="success"),
        pytest.param(
            status(
                status="Failure",
                reason="NonZeroExitCode",
                details={"causes": [{"reason": "ExitCode", "message": "137"}]},
            ),
            137,
            id="another status",
        ),
    ],
)
def test_the_status_comes_on_its_own_channel(play: Play, clock: Clock, last: bytes, code: int) -> None:
    said = frame(b"\x01out") + frame(b"\x02err") + frame(b"") + frame(b"\x09?") + frame(b"p", kind=9) + last
    assert converse(play(answer=said), Deadline(20, clock)) == (code, b"out", b"err")


def test_the_request_carries_token_and_words(play: Play, clock: Clock) -> None:
    server = play(answer=status(status="Success"))
    converse(server, Deadline(20, clock))
    assert b"Authorization: Bearer " + TOKEN.encode() in server.asked
    assert b"command=id%3B+exit+1" in server.asked
    assert b"v4.channel.k8s.io" in server.asked


@pytest.mark.parametrize(
    "script",
    [
        pytest.param({"answer": frame(b"\x01half") + frame(b"\x03\xe8", kind=8)}, id="the connection was closed"),
        pytest.param({"answer": frame(b"\x03not JSON")}, id="the status is none"),
        pytest.param({"answer": status(status="Failure", message="container not found")}, id="no exit status"),
        pytest.param({"answer": b"\xf0\x00"}, id="no message of the protocol"),
        pytest.param({"refusal": b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"}, id="a gateway"),
    ],
)
def test_what_breaks_may_be_tried_again(play: Play, clock: Clock, script: dict[str, bytes]) -> None:
    with pytest.raises(ApiError) as caught:
        converse(play(**script), Deadline(20, clock))
    assert caught.value.transient
    assert TOKEN not in str(caught.value)


def test_a_refusal_is_told_without_the_token(play: Play, clock: Clock) -> None:
    body = FORBIDDEN.replace(b"TOKEN", TOKEN.encode())
    head = b"HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    with pytest.raises(ApiError) as caught:
        converse(play(refusal=head + body), Deadline(20, clock))
    assert (caught.value.status, caught.value.transient) == (403, False)
    assert TOKEN not in str(caught.value)


def test_nobody_listens(clock: Clock) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
    access = resolve_access({"host": url, "api_key": TOKEN}, {})
    with pytest.raises(ApiError, match="refused") as caught:
        ExecChannel(access, REQUEST, Deadline(5, clock))
    assert caught.value.transient


def test_a_deadline_ends_the_wait(play: Play, clock: Clock) -> None:
    late = Deadline(0, clock)
    with pytest.raises(DeadlineExceededError, match="node-worker-0"):
        converse(play(answer=frame(b"\x01working")), late)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param({"refusal": b"HTTP/1.1 101 Switching Protocols\r\nX-Blanks:"}, id="handshake"),
        pytest.param({"answer": b"\x82\x7e\xff\xff"}, id="message"),
    ],
)
def test_what_drips_ends_with_the_deadline(play: Play, script: dict[str, bytes]) -> None:
    begun = time.monotonic()
    with pytest.raises(ApiError, match="Timeout"):
        converse(play(**script, drips=True), Deadline(1, SystemClock()))
    assert time.monotonic() - begun < 4
