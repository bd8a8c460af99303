# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t
from concurrent.futures import ThreadPoolExecutor

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.transfer_progress import TransferProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import GIB, MIB
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import digest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock


class Reporter:
    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.counts: list[dict[str, t.Any]] = []

    def report(self, sentence: str | None = None, **counts: t.Any) -> None:
        self.counts.append(counts)
        if sentence is not None:
            self.sentences.append(sentence)


@pytest.mark.parametrize(
    ("there", "arrived", "seconds", "sentence"),
    [
        pytest.param(GIB, 0, 20.0, "copied 1.0 GiB of 16.0 GiB", id="nothing moved, so no rate"),
        pytest.param(0, 4 * GIB, 40.0, "copied 4.0 GiB of 16.0 GiB, 102.4 MiB/s, about 2 min left", id="a rate"),
        pytest.param(8 * GIB, 4 * GIB, 40.0, "copied 12.0 GiB of 16.0 GiB, 102.4 MiB/s, about 40 s left", id="resumed"),
        pytest.param(0, GIB, 3600.0, "copied 1.0 GiB of 16.0 GiB, 291.3 KiB/s, about 15.0 h left", id="hours"),
    ],
)
def test_it_says_how_far_how_quick_and_how_long(there: int, arrived: int, seconds: float, sentence: str) -> None:
    clock, reporter = FakeClock(), Reporter()
    progress = TransferProgress(reporter, clock, "copied", 16 * GIB)
    clock.sleep(seconds)
    progress.there(there)
    clock.sleep(0.0)
    progress.arrived(arrived)
    progress.waits_for("nothing")
    assert reporter.sentences[-1] == f"{sentence}; waiting: nothing"


def test_images_are_counted_as_their_blobs_get_complete() -> None:
    clock, reporter = FakeClock(), Reporter()
    progress = TransferProgress(reporter, clock, "fetched")
    progress.expect(10 * MIB, [[digest("a"), digest("b")], [digest("b"), digest("c")]])
    assert reporter.sentences == ["image 1 of 2, fetched 0 B of 10.0 MiB"]
    for name in ("a", "b"):
        progress.finished(digest(name))
    clock.sleep(20)
    progress.arrived(MIB)
    assert reporter.sentences[-1].startswith("image 2 of 2, fetched 1.0 MiB of 10.0 MiB")


def test_it_names_the_servers_that_are_asked_now() -> None:
    clock, reporter = FakeClock(), Reporter()
    progress = TransferProgress(reporter, clock, "fetched", 16 * GIB)
    progress.asks("quay.io")
    progress.asks("mirror.example")
    with ThreadPoolExecutor(1) as other:
        other.submit(progress.asks, "cdn.example").result()
    clock.sleep(40)
    progress.arrived(4 * GIB)
    assert reporter.sentences == [
        "fetched 4.0 GiB of 16.0 GiB from cdn.example, mirror.example, 102.4 MiB/s, about 2 min left"
    ]


def test_numbers_come_often_and_sentences_as_fast_as_one_reads() -> None:
    clock, reporter = FakeClock(), Reporter()
    progress = TransferProgress(reporter, clock, "verified", 100)
    for _number in range(100):
        clock.sleep(0.5)
        progress.arrived(1)
    assert len(reporter.counts) == 100
    assert 4 <= len(reporter.sentences) <= 6
    assert progress.received == 100
