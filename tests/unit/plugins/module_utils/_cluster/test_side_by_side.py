# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import threading

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.side_by_side import side_by_side

LANES = 3


def test_answers_are_in_the_order_of_the_items() -> None:
    later = threading.Event()

    def work(item: int) -> int:
        if item == 1:
            assert later.wait(10), "the second goes on while the first waits"
        if item == LANES:
            later.set()
        return item * 10

    assert side_by_side(work, range(7), LANES) == [0, 10, 20, 30, 40, 50, 60]
    assert side_by_side(work, [], LANES) == []


def test_after_an_error_no_further_one_is_begun_and_what_is_under_way_ends() -> None:
    begun, ended = [], []
    under_way = threading.Barrier(LANES)
    failed = threading.Event()

    def work(item: int) -> None:
        begun.append(item)
        if 1 <= item <= LANES:
            under_way.wait(10)
        if item == 2:
            failed.set()
            raise ValueError(item)
        if item:
            assert failed.wait(10)
            # As long as a request takes, so that the error is seen meanwhile.
            threading.Event().wait(0.01)
        ended.append(item)

    with pytest.raises(ValueError, match="2"):
        side_by_side(work, range(1000), LANES)
    assert {0, 1, 3} <= set(ended)
    assert set(ended) == set(begun) - {2}
    assert len(begun) < 1000


def test_one_refusal_of_the_first_is_enough() -> None:
    begun = []

    def work(item: int) -> None:
        begun.append(item)
        raise ValueError(item)

    with pytest.raises(ValueError, match="0"):
        side_by_side(work, range(9), LANES)
    assert begun == [0]
