# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Blobs from several sources: from whoever has them, resumed, proved, and never named before that."""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sink import BlobSink
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import (
    BlobSource,
    FolderSource,
    RelaySource,
    RelaySourceSpec,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.receive_blobs import (
    MOST_FAILURES,
    BlobReceiver,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PREFIX_STEP, Blob
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    InvalidInputError,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.blob_server import BlobServer
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import Medium

Seconds = Callable[[float], Deadline]
Http = Callable[[BlobServer], RelaySource]


@pytest.fixture
def folder(tmp_path: Path, medium: Medium) -> BundleFolder:
    made = BundleFolder(tmp_path / "staged")
    made.blobs.mkdir(parents=True)
    made.index_path.write_bytes(medium.index.as_bytes())
    return made


@pytest.fixture
def http() -> Iterator[Http]:
    """Make sources of servers, and close them in the end."""
    with contextlib.ExitStack() as closing:
        yield lambda server: closing.enter_context(
            contextlib.closing(RelaySource(RelaySourceSpec(server.url), SystemClock()))
        )


class Watched:
    """Is told how it goes on."""

    def __init__(self) -> None:
        self.bytes = 0
        self.after: Callable[[int], object] = lambda _count: None

    def there(self, count: int) -> None:
        self.bytes += count

    def arrived(self, count: int) -> None:
        self.bytes += count
        self.after(self.bytes)

    def finished(self, digest: Digest) -> None:
        """Nothing counts blobs here."""

    def waits_for(self, reason: str) -> None:
        raise AssertionError(reason)


def receiver(
    folder: BundleFolder,
    *sources: BlobSource,
    deadline: Deadline,
    patience: float = 1.0,
    watched: Watched | None = None,
) -> BlobReceiver:
    return BlobReceiver(folder, sources, deadline, watched or Watched(), patience=patience, mode=0o444)


def receive(folder: BundleFolder, medium: Medium, *sources: BlobSource, deadline: Deadline) -> BlobReceiver:
    """Receive the whole bundle and check every byte of it."""
    made = receiver(folder, *sources, deadline=deadline)
    made.receive(list(medium.index.blobs.values()))
    assert {path.name: path.read_bytes() for path in folder.blobs.iterdir()} == {
        digest.hex: content for digest, content in medium.stored.items()
    }
    return made


def test_from_a_folder(folder: BundleFolder, medium: Medium, seconds: Seconds) -> None:
    made = receive(folder, medium, FolderSource(medium.folder), deadline=seconds(30))
    assert made.by_source == {str(medium.folder): medium.index.size}


def test_from_a_server(http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds) -> None:
    assert receive(folder, medium, http(server), deadline=seconds(30)).received == medium.index.size


def test_blobs_are_read_only_and_of_all(folder: BundleFolder, medium: Medium, seconds: Seconds) -> None:
    receive(folder, medium, FolderSource(medium.folder), deadline=seconds(30))
    assert {path.stat().st_mode & 0o777 for path in folder.blobs.iterdir()} == {0o444}


def test_a_server_may_give_less_than_asked_for(
    http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds
) -> None:
    server.limit = 5_000_000
    receive(folder, medium, http(server), deadline=seconds(30))
    assert server.asked[medium.large.hex] == -(-len(medium.stored[medium.large]) // server.limit)


def test_a_connection_that_breaks_is_resumed_not_begun_anew(
    http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds
) -> None:
    server.cut = 9_000_000
    receive(folder, medium, http(server), deadline=seconds(30))
    assert server.given == medium.index.size


def test_what_is_proved_is_not_fetched_again(
    http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds
) -> None:
    blob = medium.index.blobs[medium.large]
    folder.part(blob.digest).write_bytes(medium.stored[medium.large][: PREFIX_STEP + 1000])
    receive(folder, medium, http(server), deadline=seconds(30))
    assert server.given == medium.index.size - PREFIX_STEP - 1000


@pytest.mark.parametrize(
    "left",
    [
        pytest.param(bytes(PREFIX_STEP + 1000), id="zeros after a power cut"),
        pytest.param(b"x" * 100_000_000, id="longer than the blob"),
    ],
)
def test_what_is_wrong_is_fetched_again(
    http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds, left: bytes
) -> None:
    folder.part(medium.large).write_bytes(left)
    receive(folder, medium, http(server), deadline=seconds(30))
    assert server.given == medium.index.size


def test_a_beginning_that_a_power_cut_spoilt_is_not_held_against_the_source(
    folder: BundleFolder, medium: Medium, seconds: Seconds
) -> None:
    for digest in medium.stored:
        folder.part(digest).write_bytes(bytes(1000))
    receive(folder, medium, FolderSource(medium.folder), deadline=seconds(30))


def test_a_source_of_wrong_bytes_is_not_asked_again(
    http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds
) -> None:
    server.wrong = True
    made = receive(folder, medium, http(server), FolderSource(medium.folder), deadline=seconds(30))
    assert made.by_source[str(medium.folder)] >= len(medium.stored[medium.large])
    assert sum(server.asked.values()) <= 4


def test_wrong_bytes_alone_end_it_and_nothing_gets_a_name(
    http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds
) -> None:
    server.wrong = True
    with pytest.raises(NoSourceError, match="it returned wrong bytes for sha256:"):
        receiver(folder, http(server), deadline=seconds(30)).receive(list(medium.index.blobs.values()))
    assert not [path for path in folder.blobs.iterdir() if not path.name.endswith(".part")]


def test_a_dead_source_is_routed_around(http: Http, folder: BundleFolder, medium: Medium, seconds: Seconds) -> None:
    with BlobServer(medium.folder) as dead:
        gone = http(dead)
    receive(folder, medium, gone, FolderSource(medium.folder), deadline=seconds(30))


def test_what_is_still_coming_is_waited_for(
    http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds
) -> None:
    server.status[medium.large.hex] = 503
    watched = Watched()
    made = receiver(folder, http(server), deadline=seconds(30), patience=20, watched=watched)

    def arrive(count: int) -> None:
        if count >= medium.index.size - len(medium.stored[medium.large]):
            server.status.clear()

    watched.after = arrive
    made.receive(list(medium.index.blobs.values()))
    assert folder.blob(medium.large).exists()
    assert server.asked[medium.large.hex] >= 2
    assert watched.bytes == medium.index.size


def test_what_one_source_lacks_comes_from_the_next(
    http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds, tmp_path: Path
) -> None:
    partly = tmp_path / "partly"
    shutil.copytree(medium.folder, partly)
    (partly / "blobs/sha256" / medium.large.hex).unlink()
    made = receive(folder, medium, FolderSource(partly), http(server), deadline=seconds(30))
    assert made.by_source[f"{server.url}/"] == len(medium.stored[medium.large])


def test_a_medium_that_lacks_a_blob_ends_it_at_once(
    folder: BundleFolder, medium: Medium, tmp_path: Path, seconds: Seconds
) -> None:
    partly = tmp_path / "partly"
    shutil.copytree(medium.folder, partly)
    (partly / "blobs/sha256" / medium.large.hex).unlink()
    deadline = seconds(30)
    with pytest.raises(NoSourceError, match="the file is missing") as ended:
        receiver(folder, FolderSource(partly), deadline=deadline).receive(list(medium.index.blobs.values()))
    assert medium.large.hex in ended.value.attempted
    assert deadline.elapsed < 10


def test_sources_that_give_nothing_are_given_up_with_what_each_said(
    http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds
) -> None:
    server.status.update({digest.hex: 404 for digest in medium.stored})
    with pytest.raises(NoSourceError, match="it does not have it: ") as ended:
        receiver(folder, http(server), deadline=seconds(30)).receive(list(medium.index.blobs.values()))
    assert f"{server.url}/" in ended.value.seen


def test_a_refused_token_is_not_tried_for_ever(
    http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds
) -> None:
    server.status.update({digest.hex: 401 for digest in medium.stored})
    with pytest.raises(NoSourceError, match="401"):
        receiver(folder, http(server), deadline=seconds(30), patience=20).receive(list(medium.index.blobs.values()))


def test_what_a_server_says_it_does_not_have_is_not_waited_for(
    http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds
) -> None:
    server.status[medium.large.hex] = 404
    deadline = seconds(60)
    with pytest.raises(NoSourceError, match="404"):
        receiver(folder, http(server), deadline=deadline, patience=50).receive(list(medium.index.blobs.values()))
    assert deadline.elapsed < 25
    assert len(list(folder.blobs.iterdir())) == len(medium.stored)


def test_the_deadline_ends_it(
    http: Http, folder: BundleFolder, medium: Medium, server: BlobServer, seconds: Seconds
) -> None:
    server.status.update({digest.hex: 503 for digest in medium.stored})
    with pytest.raises(DeadlineExceededError):
        receiver(folder, http(server), deadline=seconds(0.3), patience=20).receive(list(medium.index.blobs.values()))


def test_a_token_needs_an_encrypted_connection() -> None:
    with pytest.raises(InvalidInputError, match="unencrypted"):
        RelaySource(RelaySourceSpec("http://192.0.2.11:9443", token="secret"), SystemClock())


def test_media_that_are_damaged_in_one_place_give_all_the_rest(
    folder: BundleFolder, medium: Medium, tmp_path: Path, seconds: Seconds
) -> None:
    spoilt = tmp_path / "spoilt"
    shutil.copytree(medium.folder, spoilt)
    damaged = sorted(medium.stored)[:2]
    for digest in damaged:
        (spoilt / "blobs/sha256" / digest.hex).write_bytes(bytes(medium.index.blobs[digest].size))
    with pytest.raises(NoSourceError, match="receive 2 blobs") as ended:
        receiver(folder, FolderSource(spoilt), deadline=seconds(30)).receive(list(medium.index.blobs.values()))
    assert sorted(one["blob"] for one in ended.value.partial["blobs"]) == [str(digest) for digest in damaged]
    named = {path.name for path in folder.blobs.iterdir() if not path.name.endswith(".part")}
    assert named == {digest.hex for digest in medium.stored if digest not in damaged}


class Unreadable(FolderSource):
    """A medium that can be read in some places only; ``before`` is called before a blob is filled or refused."""

    def __init__(self, path: Path, readable: Collection[Digest], before: Callable[[Blob], object]) -> None:
        super().__init__(path)
        self._readable, self._before = readable, before

    def fill(self, blob: Blob, sink: BlobSink, stop: int, deadline: Deadline) -> None:
        self._before(blob)
        if blob.digest not in self._readable:
            raise NoSourceError("read the blob", on=str(blob.digest), seen="an I/O error", advice="")
        super().fill(blob, sink, stop, deadline)


def test_a_place_that_cannot_be_read_says_nothing_of_the_others(
    folder: BundleFolder, medium: Medium, seconds: Seconds
) -> None:
    blobs = sorted(medium.index.blobs.values(), key=lambda blob: str(blob.digest))
    source = Unreadable(medium.folder, [blob.digest for blob in blobs[1:]], lambda _blob: None)
    with pytest.raises(NoSourceError, match="an I/O error") as ended:
        BlobReceiver(folder, [source], seconds(30), Watched(), parallel=1).receive(blobs)
    assert [one["blob"] for one in ended.value.partial["blobs"]] == [str(blobs[0].digest)]
    assert all(folder.has(blob.digest, blob.size) for blob in blobs[1:])


def test_what_is_under_way_when_too_many_have_failed_is_not_given_up(
    folder: BundleFolder, medium: Medium, seconds: Seconds
) -> None:
    lost = [Blob(Digest(f"{number:064x}"), 1, "") for number in range(MOST_FAILURES + 5)]
    enough = threading.Event()
    refused: list[Digest] = []

    def before(blob: Blob) -> None:
        if blob.digest == medium.large:
            assert enough.wait(10)
        else:
            refused.append(blob.digest)
            if len(refused) == MOST_FAILURES:
                enough.set()

    source = Unreadable(medium.folder, [medium.large], before)
    large = medium.index.blobs[medium.large]
    made = BlobReceiver(folder, [source], seconds(30), Watched(), parallel=2)
    with pytest.raises(NoSourceError, match="an I/O error"):
        made.receive([large, *lost])
    assert folder.has(large.digest, large.size)
    assert len(refused) == MOST_FAILURES, "no further one is begun"


def test_step_by_step_two_damaged_copies_make_a_whole(
    folder: BundleFolder, medium: Medium, tmp_path: Path, seconds: Seconds
) -> None:
    copies = []
    for number, offset in enumerate((5, PREFIX_STEP + 5)):
        copies.append(tmp_path / f"copy-{number}")
        shutil.copytree(medium.folder, copies[-1])
        with (copies[-1] / "blobs/sha256" / medium.large.hex).open("r+b") as stream:
            stream.seek(offset)
            stream.write(b"\xff\xff")
    sources = [FolderSource(copy) for copy in copies]
    made = BlobReceiver(folder, sources, seconds(30), Watched(), stepwise=True)
    made.receive([medium.index.blobs[medium.large]])
    assert folder.blob(medium.large).read_bytes() == medium.stored[medium.large]
