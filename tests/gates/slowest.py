# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which gates and tests of a run took longest: where time can be saved."""

from __future__ import annotations

import re

ROWS = 10
_TEST = re.compile(r"^\s*(?P<seconds>[0-9.]+)s (?P<phase>call|setup|teardown)\s+(?P<name>\S.*)$", re.MULTILINE)


class Slowest:
    """The gates that passed, and the tests that pytest lists by their durations. Several threads may note theirs."""

    def __init__(self) -> None:
        self._gates: list[tuple[float, str]] = []
        self._spent = 0.0
        self._tests: list[tuple[float, str]] = []

    def note(self, gate: str, seconds: float, spent: float, output: str) -> None:
        """Take note of a gate with its output; ``spent`` are seconds of processors."""
        self._gates.append((seconds, f"{gate} ({spent:.0f} s of processors)"))
        self._spent += spent
        found = [(float(one["seconds"]), f"{one['name']} ({one['phase']})") for one in _TEST.finditer(output)]
        self._tests.extend(found)

    def lines(self) -> list[str]:
        """Return the slowest gates and then the slowest tests, one a line, and what all gates together have used."""
        slowest = [
            f"slowest {kind}: {seconds:7.1f} s  {name}"
            for kind, group in (("gate", self._gates), ("test", self._tests))
            for seconds, name in sorted(group, reverse=True)[:ROWS]
        ]
        return [*slowest, f"all gates together: {self._spent:.0f} s of processors"]
