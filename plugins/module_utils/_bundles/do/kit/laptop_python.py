# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The interpreters of a laptop: looked for by name, asked what they are."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import KitTarget
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_python import (
    PROBE,
    Interpreter,
    best,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    FieldOpsError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

SECONDS = 30.0


def find_python(targets: Sequence[KitTarget], wanted: str | None, clock: Clock) -> Interpreter:
    """Return the interpreter ``wanted``, or the newest on PATH that has wheels; raise MissingRequirementError."""
    found = [_asked(path, targets, clock) for path in _candidates(targets, wanted)]
    chosen = best(found)
    if chosen is None:
        raise MissingRequirementError(
            "find a Python to install with",
            on="this machine",
            seen="; ".join(f"{one}: {one.objection}" for one in found),
            advice="Install one of the supported versions of Python with its module venv, or specify one with "
            "--python.",
        )
    return chosen


def _candidates(targets: Sequence[KitTarget], wanted: str | None) -> list[str]:
    if wanted:
        return [shutil.which(wanted) or wanted]
    names = [f"python{python}" for python in dict.fromkeys(target.python for target in targets)]
    # The same name may be on PATH more than once, and the first may be an empty shell of a version manager.
    folders = os.get_exec_path()
    found = (shutil.which(name, path=folder) for name in [*names, "python3"] for folder in folders)
    paths = [*(path for path in found if path), sys.executable]
    return list({os.path.realpath(path): path for path in reversed(paths)}.values())[::-1]


def _asked(path: str, targets: Sequence[KitTarget], clock: Clock) -> Interpreter:
    try:
        ended = Host(clock).run([path, "-I", "-c", PROBE], deadline=Deadline(SECONDS, clock), ok=None)
    except FieldOpsError:
        return Interpreter.judged(path, "", targets)
    return Interpreter.judged(path, ended.stdout, targets)
