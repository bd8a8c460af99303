# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A relay that passes on what it is still receiving itself: only what is proved, and that at once."""

from __future__ import annotations

import hashlib
import os
import threading
import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._net.download import fetch
from ansible_collections.fieldops.openshift.plugins.module_utils._net.download_request import Download
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.filling_endpoint import FillingEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.limits import RelayLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._net.urls import Url
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PREFIX_STEP
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.conftest import MemorySink
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.relay.conftest import RunningRelay
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.relay.sample_bundle import (
    LAYER,
    digest_of,
    write_bundle,
)

Start = Callable[..., RunningRelay]

LARGE = hashlib.shake_256(b"large").digest(2 * PREFIX_STEP + 1000)
NAME = digest_of(LARGE).hex
PATH = f"/blobs/sha256/{NAME}"
IMPATIENT = RelayLimits(patience_seconds=0.2, unbegun_seconds=0.1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bundle whose index is here and whose blobs are not."""
    write_bundle(tmp_path / "bundle", LARGE, LAYER)
    for blob in (tmp_path / "bundle/blobs/sha256").iterdir():
        blob.unlink()
    return tmp_path / "bundle"


@pytest.fixture
def endpoint(folder: Path) -> Iterator[FillingEndpoint]:
    opened = FillingEndpoint(folder, digest_of((folder / "index.json").read_bytes()), ".part")
    yield opened
    opened.close()


@pytest.fixture
def part(folder: Path) -> Path:
    return folder / f"blobs/sha256/{NAME}.part"


def held(endpoint: FillingEndpoint, path: str = PATH) -> int:
    entity = endpoint.find(path)
    assert entity is not None
    return entity.held_until(0)


@pytest.mark.parametrize(
    ("received", "proved"),
    [
        pytest.param(0, 0, id="nothing yet"),
        pytest.param(PREFIX_STEP - 1, 0, id="less than a piece"),
        pytest.param(PREFIX_STEP, PREFIX_STEP, id="one piece"),
        pytest.param(2 * PREFIX_STEP + 999, 2 * PREFIX_STEP, id="all but the last byte"),
        pytest.param(len(LARGE), len(LARGE), id="all, and the last piece is short"),
    ],
)
def test_whole_pieces_are_held(endpoint: FillingEndpoint, part: Path, received: int, proved: int) -> None:
    part.write_bytes(LARGE[:received])
    assert held(endpoint) == proved


def test_a_wrong_piece_is_not_held_and_neither_is_what_follows(endpoint: FillingEndpoint, part: Path) -> None:
    wrong = bytearray(LARGE)
    wrong[PREFIX_STEP + 5] ^= 1
    part.write_bytes(wrong)
    assert held(endpoint) == PREFIX_STEP
    part.write_bytes(LARGE)
    assert held(endpoint) == len(LARGE)


def test_what_was_begun_anew_is_proved_anew(endpoint: FillingEndpoint, part: Path) -> None:
    part.write_bytes(LARGE[: 2 * PREFIX_STEP])
    assert held(endpoint) == 2 * PREFIX_STEP
    part.write_bytes(b"")
    held(endpoint)
    part.write_bytes(bytes(PREFIX_STEP))
    assert held(endpoint) == 0


def test_a_blob_without_pieces_is_held_when_it_has_its_name(endpoint: FillingEndpoint, folder: Path) -> None:
    name = digest_of(LAYER).hex
    (folder / f"blobs/sha256/{name}.part").write_bytes(LAYER)
    assert held(endpoint, f"/blobs/sha256/{name}") == 0
    (folder / f"blobs/sha256/{name}.part").rename(folder / f"blobs/sha256/{name}")
    assert held(endpoint, f"/blobs/sha256/{name}") == len(LAYER)


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(lambda part: part.symlink_to("/etc/passwd"), id="a link"),
        pytest.param(os.mkfifo, id="a pipe"),
        pytest.param(lambda part: part.mkdir(), id="a folder"),
    ],
)
def test_what_is_no_file_is_not_opened(endpoint: FillingEndpoint, part: Path, plant: Callable[[Path], None]) -> None:
    plant(part)
    assert held(endpoint) == 0


def test_a_range_gets_what_is_there(start: Start, endpoint: FillingEndpoint, part: Path) -> None:
    part.write_bytes(LARGE[: PREFIX_STEP + 7])
    relay = start(endpoint, limits=IMPATIENT)
    with relay.client() as client:
        asked = {**relay.authorised, "Range": f"bytes={PREFIX_STEP - 3}-"}
        answer = client.request("GET", f"{relay.url}{PATH}", deadline=Deadline(10, relay.clock), headers=asked)
    assert (answer.status, answer.body) == (206, LARGE[PREFIX_STEP - 3 : PREFIX_STEP])
    assert answer.headers["Content-Range"] == f"bytes {PREFIX_STEP - 3}-{PREFIX_STEP - 1}/{len(LARGE)}"


@pytest.mark.parametrize(
    ("begun", "asked"),
    [
        pytest.param(True, "bytes=16777216-", id="a piece that is on its way"),
        pytest.param(True, None, id="the whole"),
        pytest.param(False, "bytes=0-", id="a blob that was not begun"),
    ],
)
def test_what_is_not_there_yet_may_be_asked_for_later(
    start: Start, endpoint: FillingEndpoint, part: Path, begun: bool, asked: str | None
) -> None:
    if begun:
        part.write_bytes(LARGE[:PREFIX_STEP])
    relay = start(endpoint, limits=IMPATIENT)
    headers = {**relay.authorised, **({"Range": asked} if asked else {})}
    with relay.client() as client:
        answer = client.request("GET", f"{relay.url}{PATH}", deadline=Deadline(10, relay.clock), headers=headers)
    assert (answer.status, answer.retry_after) == (503, 1.0)


def test_a_download_follows_the_growth(start: Start, endpoint: FillingEndpoint, part: Path) -> None:
    relay = start(endpoint)
    begun = threading.Event()

    class Watched(MemorySink):
        def write(self, chunk: memoryview) -> None:
            super().write(chunk)
            begun.set()

    sink = Watched()

    def grow() -> None:
        with part.open("wb", buffering=0) as stream:
            for first in range(0, len(LARGE), 1 << 20):
                stream.write(LARGE[first : first + (1 << 20)])
                if first > PREFIX_STEP:
                    assert begun.wait(10)
        part.rename(part.with_suffix(""))

    writer = threading.Thread(target=grow)
    writer.start()
    with relay.client() as client:
        wanted = Download(
            Url.parse(f"{relay.url}{PATH}"), stop=len(LARGE), digest=digest_of(LARGE), headers=relay.authorised
        )
        fetch(client, wanted, sink, deadline=Deadline(30, relay.clock))
    writer.join()
    assert bytes(sink.content) == LARGE


def test_a_chain_of_relays_passes_on_what_each_has_proved(start: Start, tmp_path: Path) -> None:
    folders = [tmp_path / f"node-{number}" for number in range(4)]
    for folder in folders:
        index = write_bundle(folder, LARGE)
        if folder != folders[0]:
            (folder / "blobs/sha256" / NAME).unlink()
    shelves = [FillingEndpoint(folder, index.digest, ".part") for folder in folders]
    relays = [start(endpoint) for endpoint in shelves]

    def stage(source: RunningRelay, folder: Path) -> None:
        part = folder / f"blobs/sha256/{NAME}.part"
        with part.open("wb", buffering=0) as stream, source.client(attempts=20) as client:
            sink = _FileSink(stream)
            url = Url.parse(f"{source.url}{PATH}")
            wanted = Download(url, size=len(LARGE), digest=digest_of(LARGE), headers=source.authorised)
            fetch(client, wanted, sink, deadline=Deadline(30, source.clock))
        part.rename(part.with_suffix(""))

    nodes = [threading.Thread(target=stage, args=pair) for pair in zip(relays, folders[1:])]
    for node in reversed(nodes):
        node.start()
    for node in nodes:
        node.join(30)
    assert [(folder / "blobs/sha256" / NAME).read_bytes() == LARGE for folder in folders] == [True] * 4
    assert relays[0].bytes_served(len(LARGE)) == len(LARGE), "the source gave everything once"
    for endpoint in shelves:
        endpoint.close()


class _FileSink:
    def __init__(self, stream: t.BinaryIO) -> None:
        self._stream = stream

    @property
    def position(self) -> int:
        return self._stream.tell()

    def write(self, chunk: memoryview) -> None:
        self._stream.write(chunk)
