# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which of the interpreters of a laptop a kit is installed with."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterable
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import KitTarget

PROBE = """\
import json, platform, sys, sysconfig
try:
    import venv
except ImportError:
    venv = None
print(json.dumps({
    "python": "%d.%d" % sys.version_info[:2],
    "version": platform.python_version(),
    "machine": platform.machine(),
    "implementation": sys.implementation.name,
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "venv": venv is not None,
    "bits": 64 if sys.maxsize > 2**32 else 32,
}))
"""
"""What an interpreter is asked to run; any Python 3 can."""


@dataclass(frozen=True)
class Interpreter:
    """An interpreter at ``path``; ``objection`` says why it cannot be used, empty for one that can."""

    path: str
    version: str
    target: KitTarget
    objection: str = ""

    @classmethod
    def judged(cls, path: str, answer: str, targets: Iterable[KitTarget]) -> Interpreter:
        """Return the interpreter that gave ``answer`` to ``PROBE``, for a kit with wheels for ``targets``."""
        try:
            seen = json.loads(answer)
            target = KitTarget(seen["python"], seen["machine"])
            return cls(path, seen["version"], target, _objection(seen, target, tuple(targets)))
        except (ValueError, KeyError, TypeError):
            return cls(path, "unknown", KitTarget("0.0", "unknown"), "it does not start")

    def __str__(self) -> str:
        return f"Python {self.version} at {self.path}"


def best(found: Iterable[Interpreter]) -> Interpreter | None:
    """Return the newest usable interpreter, the first of equals; None where none is."""
    usable = [one for one in found if not one.objection]
    return max(usable, key=lambda one: one.target.minor, default=None)


def _objection(seen: t.Any, target: KitTarget, targets: tuple[KitTarget, ...]) -> str:
    if seen["implementation"] != "cpython" or seen["free_threaded"] or seen["bits"] != 64:
        return "the kit has wheels for 64-bit CPython with a global interpreter lock only"
    if target not in targets:
        pythons = ", ".join(dict.fromkeys(one.python for one in targets))
        machines = ", ".join(dict.fromkeys(one.machine for one in targets))
        return f"the kit has wheels for Python {pythons} on {machines}, not for {target.python} on {target.machine}"
    return "" if seen["venv"] else "its module venv is not installed"
