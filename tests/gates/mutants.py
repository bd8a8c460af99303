# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Mutants of the code that decides: each must make a unit test fail."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .collection_tree import collection_tree, search_path
from .side_by_side import lanes_of_this_machine
from .virtual_environments import virtual_environment
from .workplace import Workplace, fail, say

_ROOMS = ("_changes", "_rollout")
_MUTANTS = "ansible_collections.fieldops.openshift.tests.mutants"


def run_mutants(place: Workplace, words: list[str]) -> int:
    """Try the mutants of each plan whose name contains ``words[0]``; return 1 if one survives unexplained."""
    part = "".join(words)
    python = virtual_environment(place, "mutants") / "bin" / "python"
    tree = collection_tree(place)
    environment = {**os.environ, "PYTHONPATH": str(search_path(tree)), "PYTHONDONTWRITEBYTECODE": "1"}

    def survives(module: str) -> bool:
        argv = [str(python), "-m", _MUTANTS, module]
        done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
        (fail if done.returncode else say)((done.stdout + done.stderr).strip())
        return done.returncode != 0

    chosen = [module for module in _modules(tree) if part in module]
    with ThreadPoolExecutor(lanes_of_this_machine()) as pool:
        failures = sum(pool.map(survives, chosen))
    say(f"{len(chosen)} modules, mutants survive in {failures}")
    return 1 if failures or not chosen else 0


def _modules(tree: Path) -> list[str]:
    sources = tree / "plugins" / "module_utils"
    found = [path for room in _ROOMS for path in sorted((sources / room / "plan").glob("*.py"))]
    return [str(path.relative_to(sources).with_suffix("")) for path in found]
