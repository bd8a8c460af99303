# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Virtual environments in the cache, one for each file of tests/requirements, made anew when the files change."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path

from .interpreters import interpreter
from .workplace import Workplace, call, say

GATES_PYTHON = "3.12"


def virtual_environment(place: Workplace, name: str, python: str = GATES_PYTHON) -> Path:
    """Return the environment that holds ``tests/requirements/<name>.txt``, building it on first use."""
    requirements = place.checkout / "tests" / "requirements" / f"{name}.txt"
    stamp = _stamp(requirements, python)
    home = place.cache / "venvs" / f"{name}-{stamp}"
    with place.lock(f"venv-{name}"):
        if not (home / "complete").exists():
            say(f"     preparing environment {name} (Python {python})")
            shutil.rmtree(home, ignore_errors=True)
            call([interpreter(python), "-m", "venv", home])
            call([home / "bin" / "pip", "install", "--quiet", "--requirement", requirements])
            (home / "complete").touch()
    return home


def _stamp(requirements: Path, python: str) -> str:
    """Return a name for what the environment holds: the requirement files, those they include, the interpreter."""
    seen = hashlib.sha256(python.encode())
    pending = [requirements]
    while pending:
        text = pending.pop().read_text()
        seen.update(text.encode())
        pending += [(requirements.parent / name).resolve() for name in re.findall(r"^-r (\S+)$", text, re.MULTILINE)]
    return seen.hexdigest()[:12]
