# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Large bodies over connections that break, from servers that cut, lie, change their mind or ignore ranges."""

from __future__ import annotations

import gzip
import hashlib
import typing as t
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download
from ansible_collections.fieldops.openshift.plugins.module_utils._net.http_client import HttpClient
from ansible_collections.fieldops.openshift.plugins.module_utils._net.limits import HttpLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.retry import RetryPolicy
from ansible_collections.fieldops.openshift.plugins.module_utils._net.transfer_errors import TransferError
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.backoff import Backoff
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    InvalidInputError,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.scripted_server import (
    Answer,
    Asked,
    ScriptedServer,
    Wire,
    entity,
    raw,
    reply,
)

Serve = Callable[..., ScriptedServer]
Connect = Callable[..., HttpClient]

BLOB = hashlib.shake_256(b"blob").digest(1_500_000)
DIGEST = Digest(hashlib.sha256(BLOB).hexdigest())


def wanted(server: ScriptedServer, **settings: t.Any) -> Download:
    return Download(Url.parse(server.url("/blob?signature=geheim")), **settings)


def ranges(server: ScriptedServer) -> list[str | None]:
    return [asked.headers.get("range") for asked in server.asked]


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"size": len(BLOB), "digest": DIGEST}, id="size-and-digest"),
        pytest.param({"limit": len(BLOB), "digest": DIGEST}, id="digest-within-limit"),
        pytest.param({"size": len(BLOB)}, id="size-only"),
        pytest.param({"limit": 2_000_000}, id="limit-only"),
        pytest.param({"stop": len(BLOB), "digest": DIGEST}, id="stop-at-the-end"),
    ],
)
def test_a_whole_entity_arrives(
    settings: dict[str, t.Any], serve: Serve, client: HttpClient, deadline: Deadline, sink: t.Any
) -> None:
    server = serve(entity(BLOB, ETag='"1"'))
    received = fetch(client, wanted(server, **settings), sink, deadline=deadline)
    assert sink.content == BLOB
    assert (received.position, received.kept, received.skipped) == (len(BLOB), len(BLOB), 0)
    assert (received.requests, received.etag) == (1, '"1"')


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(raw(b"HTTP/1.0 200 OK\r\n\r\nbody", then="close"), id="until-close"),
        pytest.param(raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"), id="chunked"),
    ],
)
@pytest.mark.parametrize(
    "settings",
    [{"size": 4}, {"limit": 4, "digest": Digest(hashlib.sha256(b"body").hexdigest())}],
    ids=["size", "digest"],
)
def test_a_body_without_announced_length_arrives(
    answer: Answer, settings: dict[str, t.Any], serve: Serve, client: HttpClient, deadline: Deadline, sink: t.Any
) -> None:
    fetch(client, wanted(serve(answer), **settings), sink, deadline=deadline)
    assert sink.content == b"body"


def test_an_end_that_may_be_a_broken_connection_is_not_believed(
    serve: Serve, client: HttpClient, deadline: Deadline, sink: t.Any
) -> None:
    server = serve(raw(b"HTTP/1.0 200 OK\r\n\r\nbody", then="close"))
    with pytest.raises(TransferError, match="no length"):
        fetch(client, wanted(server, limit=100), sink, deadline=deadline)


@pytest.mark.parametrize("then", ["close", "reset", "stall"])
def test_what_breaks_off_is_resumed_where_it_was(
    then: str, serve: Serve, connect: Connect, deadline: Deadline, sink: t.Any
) -> None:
    client = connect(limits=HttpLimits(stall_seconds=0.5))
    cut = entity(BLOB, cut_after=600_000, then=then)
    server = serve(cut, cut, entity(BLOB))
    received = fetch(client, wanted(server, size=len(BLOB), digest=DIGEST), sink, deadline=deadline)
    assert sink.content == BLOB
    assert (received.requests, received.skipped) == (3, 0)
    starts = [0 if one is None else int(one[len("bytes=") : -1]) for one in ranges(server)]
    if then == "reset":
        assert starts == sorted(starts), "a reset may take received bytes with it, but none are asked for twice"
    else:
        assert starts == [0, 600_000, 1_200_000]


def test_attempts_count_anew_after_progress(
    serve: Serve, connect: Connect, deadline: Deadline, sink: t.Any, clock: t.Any
) -> None:
    server = serve(entity(BLOB[:100], cut_after=10))
    download = wanted(server, size=100, digest=Digest(hashlib.sha256(BLOB[:100]).hexdigest()))
    policy = RetryPolicy(attempts=2, backoff=Backoff(first=1.0))
    received = fetch(connect(retry=policy), download, sink, deadline=deadline)
    assert received.requests == 10
    assert all(pause <= 1.0 for pause in clock.slept)


def test_without_progress_attempts_end_and_the_position_is_told(
    serve: Serve, connect: Connect, deadline: Deadline, sink: t.Any
) -> None:
    server = serve(entity(BLOB, cut_after=600_000, ETag='"1"'), reply(503))
    client = connect(retry=RetryPolicy(attempts=3))
    with pytest.raises(TransferError) as caught:
        fetch(client, wanted(server, size=len(BLOB)), sink, deadline=deadline)
    error = caught.value
    assert (error.status, error.transient, len(server.asked)) == (503, True, 3)
    assert error.partial == {"position": 600_000, "etag": '"1"'}
    assert sink.content == BLOB[:600_000]


def test_a_later_call_continues_with_the_fed_hash(
    serve: Serve, client: HttpClient, deadline: Deadline, sink_with: t.Any
) -> None:
    server = serve(entity(BLOB))
    sink = sink_with(BLOB[:1000])
    received = fetch(
        client,
        wanted(server, size=len(BLOB), digest=DIGEST),
        sink,
        deadline=deadline,
        hasher=hashlib.sha256(BLOB[:1000]),
    )
    assert sink.content == BLOB
    assert (ranges(server), received.kept) == (["bytes=1000-"], len(BLOB) - 1000)


def test_a_later_call_continues_on_the_word_of_an_etag(
    serve: Serve, client: HttpClient, deadline: Deadline, sink_with: t.Any
) -> None:
    server = serve(entity(BLOB, ETag='"1"'))
    sink = sink_with(BLOB[:1000])
    fetch(client, wanted(server, size=len(BLOB), etag='"1"'), sink, deadline=deadline)
    assert sink.content == BLOB
    assert server.asked[0].headers["if-range"] == '"1"'


@pytest.mark.parametrize(
    "settings", [{"size": 100}, {"size": 100, "digest": DIGEST}], ids=["nothing-vouches", "hash-not-fed"]
)
def test_a_beginning_that_nothing_vouches_for_is_refused(
    settings: dict[str, t.Any], serve: Serve, client: HttpClient, deadline: Deadline, sink_with: t.Any
) -> None:
    server = serve(reply(200))
    with pytest.raises(InvalidInputError, match="already has content"):
        fetch(client, wanted(server, **settings), sink_with(b"x"), deadline=deadline)
    assert server.asked == []


@pytest.mark.parametrize(("settings", "start"), [({"start": 5, "stop": 9}, 4), ({"start": 5, "stop": 9}, 10)])
def test_a_sink_that_stands_elsewhere_is_refused(
    settings: dict[str, t.Any], start: int, serve: Serve, client: HttpClient, deadline: Deadline, sink_with: t.Any
) -> None:
    with pytest.raises(InvalidInputError, match="outside"):
        fetch(client, wanted(serve(reply(200)), **settings), sink_with(start=start), deadline=deadline)


def test_nothing_is_asked_when_all_is_there(
    serve: Serve, client: HttpClient, deadline: Deadline, sink_with: t.Any
) -> None:
    server = serve(reply(500))
    download = wanted(server, size=len(BLOB), digest=DIGEST)
    received = fetch(client, download, sink_with(BLOB), deadline=deadline, hasher=hashlib.sha256(BLOB))
    assert (received.requests, server.asked) == (0, [])
    with pytest.raises(TransferError, match="have the digest"):
        fetch(client, download, sink_with(BLOB), deadline=deadline, hasher=hashlib.sha256(b"other"))


def test_an_empty_entity_is_an_entity(serve: Serve, client: HttpClient, deadline: Deadline, sink: t.Any) -> None:
    empty = Digest(hashlib.sha256().hexdigest())
    assert fetch(client, wanted(serve(reply(200)), limit=10, digest=empty), sink, deadline=deadline).position == 0


def test_a_sink_at_the_end_of_an_entity_of_unknown_size_learns_so(
    serve: Serve, client: HttpClient, deadline: Deadline, sink_with: t.Any
) -> None:
    server = serve(reply(416, Content_Range=f"bytes */{len(BLOB)}"))
    download = wanted(server, limit=2_000_000, digest=DIGEST)
    received = fetch(client, download, sink_with(BLOB), deadline=deadline, hasher=hashlib.sha256(BLOB))
    assert (received.position, received.kept) == (len(BLOB), 0)


def test_sections_are_fetched_side_by_side(
    serve: Serve, connect: Connect, deadline: Deadline, sink_with: t.Any
) -> None:
    server = serve(entity(BLOB, ETag='"1"'))
    client = connect(limits=HttpLimits())
    bounds = [(0, 400_000), (400_000, 800_000), (800_000, 1_200_000), (1_200_000, len(BLOB))]

    def section(limits: tuple[int, int]) -> bytes:
        part = sink_with(start=limits[0])
        fetch(client, wanted(server, start=limits[0], stop=limits[1], size=len(BLOB)), part, deadline=deadline)
        return bytes(part.content)

    with ThreadPoolExecutor(4) as threads:
        assert b"".join(threads.map(section, bounds)) == BLOB
    assert set(ranges(server)) == {f"bytes={first}-{stop - 1}" for first, stop in bounds}


def test_a_server_that_ignores_ranges_is_read_from_its_beginning(
    serve: Serve, client: HttpClient, deadline: Deadline, sink: t.Any
) -> None:
    cut = raw(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(BLOB) + BLOB[:600_000], then="close")
    server = serve(cut, reply(200, BLOB))
    received = fetch(client, wanted(server, size=len(BLOB), digest=DIGEST), sink, deadline=deadline)
    assert sink.content == BLOB
    assert (received.kept, received.skipped, received.requests) == (len(BLOB), 600_000, 2)


def test_a_section_of_a_server_that_ignores_ranges_costs_no_more_than_its_end(
    serve: Serve, client: HttpClient, deadline: Deadline, sink_with: t.Any
) -> None:
    sink = sink_with(start=100)
    received = fetch(client, wanted(serve(reply(200, BLOB)), start=100, stop=200), sink, deadline=deadline)
    assert (sink.content, received.skipped, received.kept) == (BLOB[100:200], 100, 100)


def test_a_part_shorter_than_asked_for_is_continued_at_once(
    serve: Serve, client: HttpClient, deadline: Deadline, sink: t.Any, clock: t.Any
) -> None:
    def at_most_half_a_megabyte(wire: Wire, asked: Asked) -> None:
        first = int(asked.headers["range"].removeprefix("bytes=").split("-")[0])
        body = BLOB[first : first + 500_000]
        content_range = f"bytes {first}-{first + len(body) - 1}/{len(BLOB)}"
        reply(206, body, Content_Range=content_range)(wire, asked)

    server = serve(at_most_half_a_megabyte)
    fetch(client, wanted(server, stop=len(BLOB), digest=DIGEST), sink, deadline=deadline)
    assert sink.content == BLOB
    assert (len(server.asked), server.connections, clock.slept) == (3, 1, [])


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(entity(BLOB[::-1], ETag='"2"'), id="part-of-another"),
        pytest.param(reply(200, BLOB[::-1], ETag='"2"'), id="if-range-says-so"),
        pytest.param(entity(BLOB[::-1]), id="etag-gone"),
        pytest.param(entity(BLOB[::-1], ETag='W/"1"'), id="etag-weak"),
    ],
)
def test_an_entity_that_changed_meanwhile_is_noticed(
    second: Answer, serve: Serve, client: HttpClient, deadline: Deadline, sink: t.Any
) -> None:
    server = serve(entity(BLOB, cut_after=1000, ETag='"1"'), second)
    with pytest.raises(TransferError, match="the entity has changed") as caught:
        fetch(client, wanted(server, size=len(BLOB)), sink, deadline=deadline)
    assert server.asked[1].headers["if-range"] == '"1"'
    assert not caught.value.transient
    assert caught.value.partial["position"] == 1000


def test_with_a_digest_the_etag_of_another_backend_does_not_matter(
    serve: Serve, client: HttpClient, deadline: Deadline, sink: t.Any
) -> None:
    server = serve(entity(BLOB, cut_after=1000, ETag='"backend-1"'), entity(BLOB, ETag='"backend-2"'))
    fetch(client, wanted(server, size=len(BLOB), digest=DIGEST), sink, deadline=deadline)
    assert sink.content == BLOB
    assert "if-range" not in server.asked[1].headers


def test_without_digest_and_strong_etag_nothing_is_resumed(
    serve: Serve, client: HttpClient, deadline: Deadline, sink: t.Any
) -> None:
    server = serve(entity(BLOB, cut_after=1000, ETag='W/"1"'), entity(BLOB))
    with pytest.raises(TransferError, match="closed during the transfer"):
        fetch(client, wanted(server, size=len(BLOB)), sink, deadline=deadline)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("answer", "settings", "seen"),
    [
        pytest.param(reply(200, BLOB), {"size": 1000}, "1500000 bytes instead of 1000", id="longer-than-known"),
        pytest.param(reply(200, b"x"), {"size": 1000}, "1 bytes instead of 1000", id="shorter-than-known"),
        pytest.param(reply(200, BLOB), {"limit": 1000}, "more than the 1000 bytes", id="announced-beyond-limit"),
        pytest.param(
            raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n"),
            {"limit": 4},
            "more than the 4 bytes",
            id="chunked-beyond-limit",
        ),
        pytest.param(
            raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n"),
            {"size": 4},
            "longer than it should be",
            id="chunked-longer-than-known",
        ),
        pytest.param(reply(200, gzip.compress(BLOB), Content_Encoding="gzip"), {"limit": 10**7}, "encoded", id="gzip"),
        pytest.param(reply(206, b"x" * 9, Content_Range="bytes 0-8/9"), {"size": 9}, "but the whole", id="206"),
        pytest.param(reply(206, b"x" * 8, Content_Range="bytes 1-8/9"), {"stop": 8}, "1-8, but 0-7", id="other-range"),
        pytest.param(reply(206, b"x" * 8), {"stop": 8}, "does not describe", id="no-content-range"),
        pytest.param(
            reply(206, b"--x", Content_Type="multipart/byteranges; boundary=x"),
            {"stop": 8},
            "not describe",
            id="multipart",
        ),
        pytest.param(reply(200, b"x" * 4), {"stop": 8}, "only 4 bytes", id="too-short-for-the-section"),
        pytest.param(reply(416, Content_Range="bytes */4"), {"stop": 8}, "status 416", id="416"),
        pytest.param(reply(404), {"size": 8}, "status 404", id="404"),
        pytest.param(reply(401), {"size": 8}, "status 401", id="401"),
        pytest.param(reply(204), {"size": 8}, "status 204", id="204"),
        pytest.param(reply(304), {"size": 8}, "status 304", id="304"),
    ],
)
def test_an_answer_that_is_not_what_was_asked_for_is_refused(
    answer: Answer,
    settings: dict[str, t.Any],
    seen: str,
    serve: Serve,
    client: HttpClient,
    deadline: Deadline,
    sink: t.Any,
) -> None:
    server = serve(answer)
    with pytest.raises(TransferError) as caught:
        fetch(client, wanted(server, **settings), sink, deadline=deadline)
    assert seen in caught.value.seen
    assert not caught.value.transient
    assert len(server.asked) == 1
    assert len(sink.content) <= settings.get("size", settings.get("limit", 0))
    assert "geheim" not in str(caught.value)


def test_damage_on_the_way_is_noticed_and_not_tried_again(
    serve: Serve, client: HttpClient, deadline: Deadline, sink: t.Any
) -> None:
    damaged = BLOB[:700_000] + bytes([BLOB[700_000] ^ 1]) + BLOB[700_001:]
    server = serve(entity(damaged))
    with pytest.raises(TransferError, match=f"instead of {DIGEST}") as caught:
        fetch(client, wanted(server, size=len(BLOB), digest=DIGEST), sink, deadline=deadline)
    assert (caught.value.transient, len(server.asked)) == (False, 1)


def test_a_body_shorter_than_its_chunks_should_give_is_resumed(
    serve: Serve, client: HttpClient, deadline: Deadline, sink: t.Any
) -> None:
    short = raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n" + BLOB[:5] + b"\r\n0\r\n\r\n")
    server = serve(short, entity(BLOB))
    fetch(client, wanted(server, size=len(BLOB), digest=DIGEST), sink, deadline=deadline)
    assert sink.content == BLOB
    assert ranges(server) == [None, "bytes=5-"]


def test_every_attempt_begins_at_the_original_url(
    serve: Serve, client: HttpClient, deadline: Deadline, sink: t.Any
) -> None:
    storage = serve(entity(BLOB, cut_after=1000), entity(BLOB))
    tickets = [reply(307, Location=storage.url(f"/signed?ticket={n}")) for n in (1, 2)]
    registry = serve(*tickets)
    download = wanted(registry, size=len(BLOB), digest=DIGEST, headers={"Authorization": "Bearer geheim"})
    fetch(client, download, sink, deadline=deadline)
    assert [asked.target for asked in storage.asked] == ["/signed?ticket=1", "/signed?ticket=2"]
    assert [asked.headers["authorization"] for asked in registry.asked] == ["Bearer geheim"] * 2
    assert all("authorization" not in asked.headers for asked in storage.asked)


def test_what_the_sink_raises_comes_through(serve: Serve, client: HttpClient, deadline: Deadline) -> None:
    class Full:
        position = 0

        def write(self, chunk: memoryview) -> None:
            raise OSError(28, f"No space left for {len(chunk)} bytes")

    server = serve(entity(BLOB))
    with pytest.raises(OSError, match="No space left"):
        fetch(client, wanted(server, size=len(BLOB)), Full(), deadline=deadline)
    assert len(server.asked) == 1


def test_the_deadline_ends_a_download_and_the_position_is_told(
    serve: Serve, connect: Connect, sink: t.Any, running_clock: t.Any
) -> None:
    server = serve(entity(BLOB, cut_after=600_000, then="stall"))
    client = connect(running_clock, limits=HttpLimits(stall_seconds=60))
    with pytest.raises(DeadlineExceededError) as caught:
        fetch(client, wanted(server, size=len(BLOB)), sink, deadline=Deadline(0.4, running_clock))
    assert caught.value.partial["position"] == 600_000


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({}, id="unbounded"),
        pytest.param({"start": -1, "limit": 1}, id="negative-start"),
        pytest.param({"start": 5, "stop": 4}, id="ends-before-it-begins"),
        pytest.param({"start": 5, "size": 4}, id="begins-after-the-end"),
        pytest.param({"stop": 5, "size": 4}, id="stops-after-the-end"),
        pytest.param({"size": 4, "etag": 'W/"1"'}, id="weak-etag"),
        pytest.param({"size": 4, "etag": '"1"\r\nX: y'}, id="etag-with-line-break"),
        pytest.param({"size": 4, "headers": {"range": "bytes=0-1"}}, id="own-range"),
    ],
)
def test_a_download_without_sense_is_refused(settings: dict[str, t.Any]) -> None:
    with pytest.raises(InvalidInputError):
        Download(Url.parse("https://a/"), **settings)
