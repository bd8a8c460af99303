# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs gates by group, the documentation's build and the lab's commands: see the Makefile."""

from __future__ import annotations

import sys
import time

from .documentation import build_documentation
from .gate_list import Gate, integration_gates, lab_gates, lint_gates, unit_gates
from .lab import run_lab
from .workplace import GateError, Workplace, fail, say

GROUPS = {
    "lint": lint_gates,
    "unit": unit_gates,
    "integration": integration_gates,
    "lab-test": lab_gates,
    "test": lambda: {**lint_gates(), **unit_gates(), **integration_gates()},
}


def main(arguments: list[str]) -> int:
    """Run the gates of one group, all of them even when some fail; return the exit status.

    A second argument chooses the gates whose names contain it.
    """
    place = Workplace.here()
    if arguments == ["docs"]:
        say(f"read {build_documentation(place)}")
        return 0
    if arguments[:1] == ["lab"]:
        return run_lab(place, arguments[1:])
    if len(arguments) not in (1, 2) or arguments[0] not in GROUPS:
        fail(f"usage: python3 -m tests.gates docs|lab|{'|'.join(GROUPS)} [part of a gate's name]")
        return 2
    part = "".join(arguments[1:])
    chosen = {name: gate for name, gate in GROUPS[arguments[0]]().items() if part in name}
    failed = [name for name, gate in chosen.items() if not _passes(place, name, gate)]
    for name in failed:
        fail(f"failed: {name}")
    say(f"{len(chosen) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not chosen else 0


def _passes(place: Workplace, name: str, gate: Gate) -> bool:
    say(f"---- {name}")
    started = time.monotonic()
    try:
        output = gate(place)
    except GateError as error:
        fail(str(error))
        say(f"FAIL {name} ({time.monotonic() - started:.1f} s)")
        return False
    last = output.strip().splitlines()[-1:]
    say(f"ok   {name} ({time.monotonic() - started:.1f} s) {' '.join(last)}".rstrip())
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
