# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What took longest in a run: gates by their own times, tests by what pytest says of them."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.tests.gates.slowest import ROWS, Slowest

OUTPUT = """\
============================= slowest 10 durations =============================
116.34s call     tests/integration/test_bundles.py::test_repair
8.62s setup    tests/integration/test_bundles.py::test_look[first one]
2 passed in 125.0s
"""


def test_the_slowest_come_first() -> None:
    slowest = Slowest()
    slowest.note("ruff", 2.5, 2.0, "All checks passed!")
    slowest.note("integration", 125.0, 201.4, OUTPUT)
    assert slowest.lines() == [
        "slowest gate:   125.0 s  integration (201 s of processors)",
        "slowest gate:     2.5 s  ruff (2 s of processors)",
        "slowest test:   116.3 s  tests/integration/test_bundles.py::test_repair (call)",
        "slowest test:     8.6 s  tests/integration/test_bundles.py::test_look[first one] (setup)",
        "all gates together: 203 s of processors",
    ]


def test_no_more_than_a_few_are_named() -> None:
    slowest = Slowest()
    for number in range(ROWS + 5):
        slowest.note(f"gate {number}", float(number), 1.0, "")
    assert len(slowest.lines()) == ROWS + 1
