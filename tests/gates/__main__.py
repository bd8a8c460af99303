# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs gates by group, the documentation, the lab, the demonstration and the benchmarks: see the Makefile."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

from .archive import build_archive
from .benchmarks import run_benchmarks
from .documentation import build_documentation, write_pages
from .documented_results import forget_results, never_seen
from .fuzz import run_fuzz
from .gate_list import PROGRAMS, further_gates, integration_gates, lint_gates, unit_gates
from .kit import build_kit
from .lab import run_demo, run_lab
from .mutants import run_mutants
from .side_by_side import Gate, lanes_of_this_machine, run_side_by_side
from .skipped import Skipped
from .slowest import Slowest
from .workplace import SPENT, GateError, Workplace, fail, say


def _test_gates(*, whole: bool = False) -> list[Gate]:
    """Return the gates of every change. What is built for the last ones comes first, and is built beside the others."""
    return [*PROGRAMS, *lint_gates(), *unit_gates(whole=whole), *integration_gates(whole=whole)[len(PROGRAMS) :]]


GROUPS = {
    "lint": lint_gates,
    "unit": unit_gates,
    "integration": integration_gates,
    "test": _test_gates,
    "test-all": lambda: [*_test_gates(whole=True), *further_gates()],
}


def main(arguments: list[str]) -> int:
    """Run the gates of one group, all of them even when some fail; return the exit status.

    A second argument chooses the gates whose names contain it.
    """
    place = Workplace.here()
    word, *others = arguments or [""]
    if word in COMMANDS:
        try:
            return COMMANDS[word](place, others)
        except GateError as error:
            fail(str(error))
            return 1
    if word not in GROUPS or len(others) > 1:
        fail(f"usage: python3 -m tests.gates {'|'.join([*COMMANDS, *GROUPS])} [part of a gate's name]")
        return 2
    part = "".join(others)
    return _run(place, [gate for gate in GROUPS[word]() if part in gate.name], whole=arguments == ["test-all"])


def _docs(place: Workplace, _words: list[str]) -> int:
    say(f"read {build_documentation(place, place.cache / 'docs')}")
    return 0


def _pages(place: Workplace, _words: list[str]) -> int:
    for page in write_pages(place):
        say(f"written {page}")
    return 0


def _archive(place: Workplace, words: list[str]) -> int:
    say(f"written {build_archive(place, Path.cwd(), ''.join(words))}")
    return 0


def _bench(place: Workplace, words: list[str]) -> int:
    return run_benchmarks(place, "".join(words))


COMMANDS = {
    "docs": _docs,
    "pages": _pages,
    "archive": _archive,
    "kit": build_kit,
    "lab": run_lab,
    "demo": run_demo,
    "bench": _bench,
    "fuzz": run_fuzz,
    "mutants": run_mutants,
}


def _run(place: Workplace, named: list[Gate], *, whole: bool) -> int:
    """Run gates, and say at the end what was slow, what failed and what did not run; return the exit status.

    What no test's results have had is judged where the ``whole`` is run: a part of the tests does not see all.
    """
    started = time.monotonic()
    lacking = {gate.name: lack for gate in named if (lack := gate.lacks())}
    chosen = [gate for gate in named if gate.name not in lacking]
    slowest, skipped = Slowest(), Skipped()

    def passes(gate: Gate) -> bool:
        return _passes(replace(place, gate=gate.name), gate, slowest, skipped)

    forget_results(place)
    failed = run_side_by_side(chosen, passes, lanes_of_this_machine())
    unseen = never_seen(place) if whole and not failed and not lacking else []
    for line in slowest.lines():
        say(line)
    for line in (
        *(f"failed: {name}" for name in failed),
        *(f"NOT RUN on this machine: {name}: {lack}" for name, lack in sorted(lacking.items())),
        *(f"NOT RUN on this machine: {line}" for line in skipped.lines()),
        *(f"documented, and in no result of any test: {name}" for name in unseen),
    ):
        fail(line)
    counts = f"{len(chosen) - len(failed)} passed, {len(failed)} failed, {len(lacking)} skipped"
    say(f"{counts}{skipped.count()} in {time.monotonic() - started:.0f} s")
    return 1 if failed or unseen or not chosen else 0


def _passes(place: Workplace, gate: Gate, slowest: Slowest, skipped: Skipped) -> bool:
    say(f"---- {gate.name}")
    started = time.monotonic()
    SPENT.seconds = 0.0
    try:
        output = gate.run(place)
    except GateError as error:
        fail(f"---- {gate.name} failed\n{error}")
        say(f"FAIL {gate.name} ({time.monotonic() - started:.1f} s)")
        return False
    seconds = time.monotonic() - started
    slowest.note(gate.name, seconds, SPENT.seconds, output)
    skipped.note(gate.name, output)
    last = output.strip().splitlines()[-1:]
    say(f"ok   {gate.name} ({seconds:.1f} s, {SPENT.seconds:.1f} s of processors) {' '.join(last)}".rstrip())
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
