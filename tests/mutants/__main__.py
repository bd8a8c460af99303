# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changes a module in one place after another; the unit tests that name it must notice each change.

``python -m ansible_collections.fieldops.openshift.tests.mutants MODULE ...``, such as ``_rollout/plan/order``, prints
each mutant that no test has noticed and that ``explained.json`` does not explain, and the counts of each module.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import json
import os
import re
import signal
import sys
import typing as t
from collections.abc import Sequence
from pathlib import Path

import hypothesis.strategies  # noqa: F401 - once here, not once for each mutant
import pytest

from ansible_collections.fieldops.openshift.tests.mutants.mutations import mutants_of

if t.TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "plugins" / "module_utils"
UNITS = ROOT / "tests" / "unit" / "plugins" / "module_utils"
EXPLAINED = Path(__file__).with_name("explained.json")
LONGEST = 60
"""Seconds after which tests that a mutant keeps from ending are ended; that it did so was noticed."""


class MutatedModule(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Has the module ``name`` imported from ``source`` in place of its file."""

    def __init__(self, name: str, source: str) -> None:
        self._name = name
        self._source = source

    def find_spec(self, fullname: str, path: t.Any, target: t.Any = None) -> ModuleSpec | None:  # noqa: ARG002
        return importlib.util.spec_from_loader(fullname, self) if fullname == self._name else None

    def get_source(self, fullname: str) -> str:  # noqa: ARG002
        return self._source


def main(modules: Sequence[str]) -> int:
    """Try all mutants of ``modules``; return 1 if one has survived without an explanation."""
    survivors = [_survivors(module) for module in modules]
    return int(any(survivors))


def _survivors(module: str) -> int:
    source, tests = (SOURCES / f"{module}.py").read_text(), tests_of(module)
    if _noticed(module, source, tests):
        raise SystemExit(f"the tests of {module} fail as it is")
    known = {(one["module"], one["was"], one["became"]) for one in json.loads(EXPLAINED.read_text())}
    tried = explained = survived = 0
    for mutant in mutants_of(source):
        tried += 1
        if _noticed(module, mutant.source, tests):
            continue
        if (module, mutant.was, mutant.became) in known:
            explained += 1
            continue
        survived += 1
        print(f"{module}.py:{mutant.line}\n  was    {mutant.was}\n  became {mutant.became}", flush=True)
    noticed = tried - explained - survived
    print(f"{module}: {tried} mutants, {noticed} noticed, {explained} explained, {survived} survived", flush=True)
    return survived


def tests_of(module: str) -> list[str]:
    """Return the unit tests that name ``module``, those of its room if there are none."""
    name = re.compile(re.escape(module.replace("/", ".")) + r"\b")
    tests = sorted(UNITS.rglob("test_*.py"))
    found = [path for path in tests if name.search(path.read_text())]
    return [str(path) for path in found or tests if found or path.is_relative_to(UNITS / Path(module).parent)]


def _noticed(module: str, source: str, tests: Sequence[str]) -> bool:
    """Return whether one of the tests fails with this source; a process of its own imports it."""
    child = os.fork()
    if child == 0:
        signal.alarm(LONGEST)
        os._exit(_run(module, source, tests))
    return os.waitpid(child, 0)[1] != 0


def _run(module: str, source: str, tests: Sequence[str]) -> int:
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    name = f"ansible_collections.fieldops.openshift.plugins.module_utils.{module.replace('/', '.')}"
    sys.meta_path.insert(0, MutatedModule(name, source))
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--assert=plain", "-m", "not long"]
    return int(pytest.main([f"--rootdir={ROOT}", *options, *tests]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
