# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
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
    slowest.note("ruff", 2.5, "All checks passed!")
    slowest.note("integration", 125.0, OUTPUT)
    assert [line.split()[1:] for line in slowest.lines()] == [
        ["gate:", "125.0", "s", "integration"],
        ["gate:", "2.5", "s", "ruff"],
        ["test:", "116.3", "s", "tests/integration/test_bundles.py::test_repair", "(call)"],
        ["test:", "8.6", "s", "tests/integration/test_bundles.py::test_look[first", "one]", "(setup)"],
    ]


def test_no_more_than_a_few_are_named() -> None:
    slowest = Slowest()
    for number in range(ROWS + 5):
        slowest.note(f"gate {number}", float(number), "")
    assert len(slowest.lines()) == ROWS
