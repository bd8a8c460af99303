# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The benchmarks, one after another: side by side they would measure each other."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from .collection_tree import collection_tree, search_path
from .virtual_environments import virtual_environment
from .workplace import Workplace, fail, say

_MODULE = "ansible_collections.fieldops.openshift.tests.benchmarks"
_RUN_AS_PROGRAM = 'if __name__ == "__main__":'


def run_benchmarks(place: Workplace, part: str) -> int:
    """Run in the foreground those whose names contain ``part``; return 1 if one failed or none was found."""
    environment = virtual_environment(place, "core-2.21")
    tree = collection_tree(place)
    chosen = [name for name in benchmark_names(tree / "tests" / "benchmarks") if part in name]
    path = os.pathsep.join([str(environment / "bin"), os.environ["PATH"]])
    above = str(search_path(tree))
    variables = {**os.environ, "PATH": path, "PYTHONPATH": above, "ANSIBLE_COLLECTIONS_PATH": above}
    failed = []
    for name in chosen:
        say(f"---- benchmark {name}")
        words = [str(environment / "bin" / "python"), "-m", f"{_MODULE}.{name}"]
        if subprocess.run(words, env=variables, cwd=tree, check=False).returncode:
            failed.append(name)
    for name in failed:
        fail(f"failed: benchmark {name}")
    return 1 if failed or not chosen else 0


def benchmark_names(folder: Path) -> list[str]:
    """Return the names of the programs in the folder; its other files are what they share."""
    return sorted(path.stem for path in folder.glob("*.py") if _RUN_AS_PROGRAM in path.read_text())
