# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long a client bears a server that is slow, and one that asks it to wait."""

from __future__ import annotations

import hashlib
import threading
import typing as t
from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    Asked,
    ScriptedServer,
    Wire,
    drip,
    entity,
    reply,
)

Serve = Callable[..., ScriptedServer]
Connect = Callable[..., HttpClient]

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
BODY = b"x" * 100_000
IMPATIENT = HttpLimits(stall_seconds=20, slowest_rate=10_000, slow_seconds=0.4)


def download(server: ScriptedServer) -> Download:
    return Download(Url.parse(server.url("/blob")), size=len(BODY), digest=Digest(hashlib.sha256(BODY).hexdigest()))


class TestSlowSources:
    @pytest.mark.parametrize(
        ("at_once", "slowly"),
        [
            pytest.param(HEAD, BODY, id="body"),
            pytest.param(CHUNKED, b"1\r\nx\r\n" * 10_000, id="chunked body"),
            pytest.param(b"HTTP/1.1 200 OK\r\n", b"X-Header: value\r\n" * 1000, id="headers"),
        ],
    )
    def test_a_source_that_drips_counts_as_stalled(
        self, at_once: bytes, slowly: bytes, serve: Serve, connect: Connect, running_clock: t.Any
    ) -> None:
        server = serve(drip(at_once, slowly))
        client = connect(running_clock, limits=IMPATIENT)
        with pytest.raises(TransferError, match=r"fewer than 10000 bytes per second") as caught:
            client.request("GET", server.url(), deadline=Deadline(30, running_clock))
        assert (caught.value.transient, caught.value.slow, len(server.asked)) == (True, True, 1)

    def test_a_download_that_drips_keeps_what_came_and_is_not_asked_for_there_again(
        self, serve: Serve, connect: Connect, running_clock: t.Any, sink: t.Any
    ) -> None:
        server = serve(drip(HEAD + b"xx", BODY))
        client = connect(running_clock, limits=IMPATIENT)
        with pytest.raises(TransferError) as caught:
            fetch(client, download(server), sink, deadline=Deadline(30, running_clock))
        assert caught.value.slow
        assert 2 <= caught.value.partial["position"] == len(sink.content) < 4000
        assert len(server.asked) == 1

    def test_a_server_may_think_before_it_answers(self, serve: Serve, connect: Connect, running_clock: t.Any) -> None:
        def ponder(wire: Wire, asked: Asked) -> None:
            threading.Event().wait(3 * IMPATIENT.slow_seconds)
            reply(200, b"considered")(wire, asked)

        client = connect(running_clock, limits=IMPATIENT)
        answer = client.request("GET", serve(ponder).url(), deadline=Deadline(30, running_clock))
        assert answer.body == b"considered"

    def test_a_slow_disk_is_not_held_against_the_source(
        self, serve: Serve, connect: Connect, running_clock: t.Any, sink_with: t.Any
    ) -> None:
        slow = sink_with()
        write = slow.write

        def take_long(chunk: memoryview) -> None:
            threading.Event().wait(2 * IMPATIENT.slow_seconds)
            write(chunk)

        slow.write = take_long
        halves = (entity(BODY, cut_after=50_000), entity(BODY))
        fetch(
            connect(running_clock, limits=IMPATIENT),
            download(serve(*halves)),
            slow,
            deadline=Deadline(30, running_clock),
        )
        assert slow.content == BODY

    def test_by_default_a_kilobyte_a_second_over_a_minute_is_enough(self) -> None:
        assert (HttpLimits().slowest_rate, HttpLimits().slow_seconds) == (1024, 60.0)


class TestWaits:
    @pytest.mark.parametrize(
        ("asked", "attempts"),
        [
            pytest.param("300", 2, id="five minutes"),
            pytest.param("301", 1, id="longer"),
            pytest.param("Sun, 22 Nov 2026 04:00:00 GMT", 1, id="tomorrow"),
        ],
    )
    def test_a_wait_is_borne_for_five_minutes_and_no_longer(
        self, asked: str, attempts: int, serve: Serve, connect: Connect, clock: t.Any
    ) -> None:
        server = serve(reply(429, Retry_After=asked), reply(200))
        connect().request("GET", server.url(), deadline=Deadline(86_400, clock))
        assert len(server.asked) == attempts
        assert sum(clock.slept) <= 301

    def test_the_bound_is_a_policy(self, serve: Serve, connect: Connect, clock: t.Any) -> None:
        server = serve(reply(429, Retry_After="3600"), reply(200, b"at last"))
        client = connect(retry=RetryPolicy(longest_asked=3600))
        assert client.request("GET", server.url(), deadline=Deadline(86_400, clock)).body == b"at last"

    def test_a_wait_that_is_too_long_is_named_in_minutes(self, serve: Serve, connect: Connect, clock: t.Any) -> None:
        server = serve(reply(429, Retry_After="3600"))
        with pytest.raises(TransferError, match=r"status 429 and requested a wait of 60 min\."):
            connect().request("GET", server.url(), deadline=Deadline(86_400, clock)).require(200)

    def test_a_long_wait_is_announced_before_it_begins(self, serve: Serve, connect: Connect, clock: t.Any) -> None:
        said: list[tuple[str, int]] = []
        server = serve(reply(429, Retry_After="240"), reply(503, Retry_After="2"), reply(200))
        client = connect(notice=lambda sentence: said.append((sentence, len(clock.slept))))
        client.request("GET", server.url("/v2/?q=geheim"), deadline=Deadline(86_400, clock))
        wait = "requests a wait of 4 min; the next attempt follows after that"
        assert said == [(f"127.0.0.1:{server.port} {wait}", 0)], "two seconds are not worth a sentence"
