# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The kit for all laptops: the pip in it finds all packages in it, for each Python on both architectures.

Pip runs on this machine and is told what it runs on: ``platform`` answers the markers of requirements, its options
choose the wheels. Only the start of what it installs requires such a laptop.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.kit.kit_lock import (
    KitLock,
    KitTarget,
    pip_requirements,
)

pytestmark = pytest.mark.long

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
MACHINES = ("x86_64", "aarch64")
OLDEST_GLIBC = 28
"""The minor version of that of RHEL 8, which is the oldest laptop; all earlier wheels run with it (PEP 600)."""
PIP = """\
import platform, runpy, sys
wheel, python, machine, *words = sys.argv[1:]
platform.machine = lambda: machine
platform.python_version = lambda: python + ".0"
platform.python_version_tuple = lambda: tuple((python + ".0").split("."))
sys.path.insert(0, wheel)
sys.argv = ["pip", *words]
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""


@pytest.fixture(scope="module")
def kit(kit_for: Callable[[str], Path]) -> Path:
    return kit_for("")


def resolved(kit: Path, target: KitTarget, *requirements: str | Path) -> dict[str, str]:
    """Return the digest of each file that pip would install from the kit alone, by the name of the file."""
    (pip,) = (kit / "wheels" / one.file for one in locked(kit).of(target) if one.name == "pip")
    glibc = [f"manylinux_2_{minor}_{target.machine}" for minor in range(OLDEST_GLIBC, 4, -1)]
    platforms = [word for name in (*glibc, f"manylinux2014_{target.machine}") for word in ("--platform", name)]
    words = ["--isolated", "--no-input", "--no-index", f"--find-links={kit / 'wheels'}", "--only-binary=:all:"]
    words += ["--quiet", "--dry-run", "--ignore-installed", "--report=-", f"--python-version={target.python}"]
    program = [sys.executable, "-I", "-c", PIP, str(pip), target.python, target.machine]
    command = [*program, "install", *words, *platforms, *map(str, requirements)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = [one["download_info"] for one in json.loads(done.stdout)["install"]]
    return {one["url"].rpartition("/")[2]: one["archive_info"]["hashes"]["sha256"] for one in found}


def locked(kit: Path) -> KitLock:
    return KitLock.from_document(json.loads((kit / "kit.json").read_text()))


def test_it_is_for_each_python_and_both_architectures(kit: Path) -> None:
    assert {str(one) for one in locked(kit).targets} == {f"{one}-{other}" for one in PYTHONS for other in MACHINES}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("python", PYTHONS)
def test_pip_finds_in_it_all_that_its_requirements_lead_to(
    kit: Path, python: str, machine: str, tmp_path: Path
) -> None:
    lock, target = locked(kit), KitTarget(python, machine)
    pinned = tmp_path / "requirements.txt"
    pinned.write_text(pip_requirements(lock.of(target)))
    wheels = {one.file: one.sha256 for one in lock.of(target)}
    assert resolved(kit, target, "--require-hashes", "-r", pinned) == wheels
    assert resolved(kit, target, *lock.requirements) == wheels
