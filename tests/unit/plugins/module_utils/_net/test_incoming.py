# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bodies as servers send them, well-formed and not."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    Answer,
    ScriptedServer,
    raw,
    reply,
)

Serve = Callable[..., ScriptedServer]

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        pytest.param(reply(200, b"small"), b"small", id="content-length"),
        pytest.param(raw(CHUNKED + b"3\r\nsma\r\n2;x=y\r\nll\r\n0\r\nT: u\r\n\r\n"), b"small", id="chunked"),
        pytest.param(raw(CHUNKED + b"0\r\n\r\n"), b"", id="chunked-empty"),
        pytest.param(raw(b"HTTP/1.0 200 OK\r\n\r\nsmall", then="close"), b"small", id="until-close"),
        pytest.param(
            raw(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"), b"x", id="100"
        ),
        pytest.param(reply(200, b"", Content_Encoding="identity"), b"", id="identity"),
        pytest.param(
            raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx"), b"x", id="length-repeated"
        ),
    ],
)
def test_a_body_is_read_to_its_end(
    answer: Answer, body: bytes, serve: Serve, client: HttpClient, deadline: Deadline
) -> None:
    assert client.request("GET", serve(answer).url(), deadline=deadline).body == body


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(reply(304, Content_Length=10), id="304"),
        pytest.param(raw(b"HTTP/1.1 204 No\r\n\r\n"), id="204"),
        pytest.param(raw(CHUNKED + b"2\r\nab\r\n0\r\n\r\n"), id="chunked"),
    ],
)
def test_the_connection_is_in_order_afterwards(
    answer: Answer, serve: Serve, client: HttpClient, deadline: Deadline
) -> None:
    server = serve(answer, reply(200, b"next"))
    client.request("GET", server.url(), deadline=deadline)
    assert client.request("GET", server.url(), deadline=deadline).body == b"next"
    assert server.connections == 1


@pytest.mark.parametrize(
    ("answer", "seen"),
    [
        pytest.param(raw(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"), "not one number", id="negative"),
        pytest.param(raw(b"HTTP/1.1 200 OK\r\nContent-Length: 0x5\r\n\r\n"), "not one number", id="hexadecimal"),
        pytest.param(
            raw(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"), "not one number", id="two"
        ),
        pytest.param(
            raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"), "not chunked", id="transfer-coding"
        ),
        pytest.param(reply(200, gzip.compress(b"x"), Content_Encoding="gzip"), "encoded", id="gzip-unasked"),
        pytest.param(raw(b"HTTP/1.1 103 Early Hints\r\n\r\n"), "status 103", id="interim"),
        pytest.param(raw(b"SSH-2.0-OpenSSH_9.2\r\n", then="close"), "not HTTP", id="ssh"),
        pytest.param(raw(b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n"), "not HTTP", id="200-headers"),
        pytest.param(raw(b"HTTP/1.1 200 " + b"x" * 70000 + b"\r\n"), "not HTTP", id="endless-status-line"),
    ],
)
def test_a_malformed_answer_is_refused_at_once(
    answer: Answer, seen: str, serve: Serve, client: HttpClient, deadline: Deadline
) -> None:
    server = serve(answer)
    with pytest.raises(TransferError) as caught:
        client.request("GET", server.url(), deadline=deadline)
    assert seen in caught.value.seen
    assert not caught.value.transient
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(b"zz\r\n", id="size-not-a-number"),
        pytest.param(b"5\r\nab", id="cut-in-a-chunk"),
        pytest.param(b"2\r\nab\r\n", id="cut-between-chunks"),
        pytest.param(b"-5\r\n" + b"x" * 5000, id="negative-size"),
    ],
)
def test_broken_chunks_never_pass_for_a_body(
    block: bytes, serve: Serve, client: HttpClient, deadline: Deadline
) -> None:
    with pytest.raises(TransferError):
        client.request("GET", serve(raw(CHUNKED + block, then="close")).url(), deadline=deadline)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(reply(200, b"x" * 101), id="announced"),
        pytest.param(raw(CHUNKED + b"65\r\n" + b"x" * 101 + b"\r\n0\r\n\r\n"), id="chunked"),
        pytest.param(raw(b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 101, then="close"), id="until-close"),
    ],
)
def test_a_document_is_bounded(
    answer: Answer, serve: Serve, connect: Callable[..., HttpClient], deadline: Deadline
) -> None:
    client = connect(limits=HttpLimits(document_bytes=100))
    with pytest.raises(TransferError, match="larger than 100 bytes"):
        client.request("GET", serve(answer).url(), deadline=deadline)
    assert client.request("GET", serve(reply(200, b"x" * 100)).url(), deadline=deadline).body == b"x" * 100


def test_bytes_before_a_failure_are_not_lost(serve: Serve, client: HttpClient, deadline: Deadline) -> None:
    server = serve(raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", then="close"))
    view = memoryview(bytearray(100))
    with client.stream("GET", server.url(), deadline=deadline) as incoming:
        assert incoming.length == 10
        count = incoming.fill(view)
        assert bytes(view[:count]) == b"half"
        with pytest.raises(TransferError, match="closed during the transfer"):
            incoming.fill(view)


def test_an_unread_body_costs_the_connection_and_a_read_one_does_not(
    serve: Serve, client: HttpClient, deadline: Deadline
) -> None:
    server = serve(reply(200, b"x" * 10))
    with client.stream("GET", server.url(), deadline=deadline):
        pass
    with client.stream("GET", server.url(), deadline=deadline) as incoming:
        assert incoming.read_all(10) == b"x" * 10
    client.request("GET", server.url(), deadline=deadline)
    assert [asked.connection for asked in server.asked] == [1, 2, 2]
