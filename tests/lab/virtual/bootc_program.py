# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real bootc, of which Debian has no package: a program that was built for it, or the machine's own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

VARIABLE = "FIELDOPS_BOOTC"
"""Names the program, built from bootc's sources for Debian."""


def found() -> Path | None:
    """Return where the program is, None without one."""
    named = os.environ.get(VARIABLE) or shutil.which("bootc")
    return Path(named) if named and Path(named).is_file() else None


def lacking() -> str | None:
    """Return why there is no real bootc here, None where there is."""
    if found():
        return None
    named = os.environ.get(VARIABLE)
    return f"{VARIABLE} names {named}, no file" if named else f"{VARIABLE} names no program bootc, nor is one installed"


def bootc_program() -> Path:
    """Return where the program is; raise LabError without one."""
    program = found()
    if program is None:
        advice = f"Build bootc for Debian and name it in {VARIABLE}."
        raise LabError("find bootc", on="this machine", seen=str(lacking()), advice=advice)
    return program
