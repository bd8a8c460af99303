# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Content from outside, guided by coverage: each reader of the collection for a while, two side by side."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .collection_tree import collection_tree, search_path
from .side_by_side import lanes_of_this_machine
from .virtual_environments import virtual_environment
from .workplace import Workplace, call, fail, say

_FUZZ = "ansible_collections.fieldops.openshift.tests.fuzz"
_NAMES = f"from {_FUZZ}.readers import READERS; print(*READERS)"
_KINDS = ("crash-*", "timeout-*", "oom-*")


def run_fuzz(place: Workplace, words: list[str]) -> int:
    """Read hostile content for ``words[0]`` seconds with each reader whose name contains ``words[1]``.

    What makes one fail is kept in ``tests/fuzz/found`` of the checkout. Returns 1 if there was any.
    """
    seconds, part = [*words, "", ""][:2]
    python = virtual_environment(place, "fuzz") / "bin" / "python"
    environment = {"PYTHONPATH": str(search_path(collection_tree(place))), "PYTHONDONTWRITEBYTECODE": "1"}
    chosen = [name for name in call([python, "-c", _NAMES], env=environment).split() if part in name]

    def failed(name: str) -> bool:
        folder = place.cache / "fuzz" / name
        folder.mkdir(parents=True, exist_ok=True)
        argv = [str(python), "-m", _FUZZ, name, seconds or "60", str(folder)]
        done = subprocess.run(argv, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
        say(f"{'ok  ' if done.returncode == 0 else 'FAIL'} {name}: {_count(done.stderr)} examples")
        if done.returncode:
            fail(f"{done.stdout}\n{done.stderr}"[-4000:])
            _keep(place, name, folder)
        return done.returncode != 0

    with ThreadPoolExecutor(lanes_of_this_machine()) as pool:
        failures = sum(pool.map(failed, chosen))
    say(f"{len(chosen)} readers, {failures} failed")
    return 1 if failures or not chosen else 0


def _count(output: str) -> str:
    counted = [line for line in output.splitlines() if line.startswith("stat::number_of_executed_units")]
    return counted[-1].split()[-1] if counted else "unknown"


def _keep(place: Workplace, name: str, folder: Path) -> None:
    for file in sorted(path for kind in _KINDS for path in folder.glob(kind)):
        kept = place.checkout / "tests" / "fuzz" / "found" / name / f"{file.name}.bin"
        kept.parent.mkdir(parents=True, exist_ok=True)
        file.replace(kept)
        fail(f"kept {kept.relative_to(place.checkout)}")
