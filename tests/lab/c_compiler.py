# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine's C compiler, for the few small programs of the lab that are not Go."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError


def compile_c(arguments: Sequence[str]) -> None:
    """Run ``cc``; anything but success raises LabError with what it said."""
    try:
        done = subprocess.run(["cc", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise _failure(arguments, str(error)) from error
    if done.returncode:
        raise _failure(arguments, done.stderr)


def _failure(arguments: Sequence[str], seen: str) -> LabError:
    return LabError("compile", on=arguments[-1], seen=seen, advice="Install a C compiler and libc's headers.")
