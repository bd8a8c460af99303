# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import threading

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.parallel import (
    StoppedError,
    StopSign,
    in_parallel,
)


def test_results_come_in_the_order_of_the_items() -> None:
    assert in_parallel(lambda number: number * 2, range(50), workers=4, stop=StopSign()) == list(range(0, 100, 2))


def test_nothing_to_do_is_done() -> None:
    assert in_parallel(lambda number: number, [], workers=4, stop=StopSign()) == []


def test_the_first_error_stops_the_others_and_is_the_one_that_is_told() -> None:
    stop, begun = StopSign(), threading.Event()

    def work(number: int) -> int:
        if number == 0:
            begun.wait(10)
            raise KeyError(number)
        begun.set()
        for _turn in range(1000):
            stop.heed()
            threading.Event().wait(0.01)
        return number

    with pytest.raises(KeyError):
        in_parallel(work, range(100), workers=2, stop=stop)
    with pytest.raises(StoppedError):
        stop.heed()
