# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Python interpreters: the gates run under 3.12, node-side code also under 3.9."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .workplace import GateError, say


def interpreter(version: str) -> Path:
    """Return a working Python of ``version`` such as ``3.12``, installing it where Debian has it.

    Raise GateError saying what is missing where none can be had.
    """
    found = find_interpreter(version) or _install(version)
    if not found:
        raise GateError(
            f"Python {version} is needed and was not found. Looked for python{version} on PATH, below "
            f"$PYENV_ROOT/versions and among this system's packages. Install it (for instance with your "
            f"distribution's packages, pyenv or uv) so that 'python{version}' works, then run the same command again."
        )
    return found


def find_interpreter(version: str) -> Path | None:
    """Return a Python of ``version`` that really starts: version managers leave names on PATH that do not."""
    for candidate in _candidates(version):
        probe = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
        try:
            seen = subprocess.run([candidate, "-c", probe], capture_output=True, text=True, timeout=30, check=False)
        except OSError:
            continue
        if seen.stdout.strip() == version:
            return candidate
    return None


def _candidates(version: str) -> Iterator[Path]:
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        path = Path(folder) / f"python{version}"
        if path.is_file() and "shims" not in path.parts:
            yield path
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"), reverse=True)


def _install(version: str) -> Path | None:
    package = f"python{version}"
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return None
    listed = subprocess.run(["apt-cache", "policy", package], capture_output=True, text=True, check=False)
    if "Candidate: (none)" in listed.stdout or not listed.stdout.strip():
        return None
    say(f"     installing {package} and {package}-venv")
    subprocess.run(
        ["apt-get", "install", "-y", "-q", "--no-install-recommends", package, f"{package}-venv"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    return find_interpreter(version)
