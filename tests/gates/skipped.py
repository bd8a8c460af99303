# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Tests that gates have skipped, by pytest's own summary: a gate that passes without them has not tested all."""

from __future__ import annotations

import re
from collections import Counter

_SKIPPED = re.compile(r"^SKIPPED \[(?P<count>[0-9]+)\] \S+: (?P<reason>.*)$", re.MULTILINE)


class Skipped:
    """How many tests of each gate were skipped for which reason. Several threads may note theirs."""

    def __init__(self) -> None:
        self._tests: Counter[tuple[str, str]] = Counter()

    def note(self, gate: str, output: str) -> None:
        """Take note of what a gate that passed has skipped, by its output."""
        for one in _SKIPPED.finditer(output):
            self._tests[gate, one["reason"]] += int(one["count"])

    def lines(self) -> list[str]:
        """Return a line for each reason."""
        return [f"{count} tests of {gate}: {reason}" for (gate, reason), count in sorted(self._tests.items())]

    def count(self) -> str:
        """Return what follows the number of gates, nothing where all tests ran."""
        return f", {self._tests.total()} tests skipped" if self._tests else ""
