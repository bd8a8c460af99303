# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The Molecule scenario starts a lab, runs the collection against it, and leaves nothing."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.standing import MODULE

COLLECTION = Path(__file__).parents[3]
BINARIES = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    found = environment_for(tmp_path, {"MOLECULE_EPHEMERAL_DIRECTORY": str(tmp_path / "scenario"), "NO_COLOR": "1"})
    program = shutil.which("molecule", path=BINARIES)
    assert program, "molecule is not installed"
    kept = os.environ.get("FIELDOPS_CACHE") or str(Path.home() / ".cache" / "fieldops-openshift")
    return {**found, "FIELDOPS_CACHE": kept, "PATH": os.pathsep.join([str(Path(program).parent), found["PATH"]])}


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="node hosts need root")
def test_the_scenario_runs_from_its_beginning_to_its_end(environment: Mapping[str, str]) -> None:
    directory = environment["MOLECULE_EPHEMERAL_DIRECTORY"]
    done = subprocess.run(
        ["molecule", "test"], cwd=COLLECTION, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for phase in ("create", "converge", "idempotence", "verify", "destroy"):
        assert f"default > {phase}: Executed: Successful" in done.stdout + done.stderr
    name = f"molecule-{hashlib.sha256(directory.encode()).hexdigest()[:12]}"
    status = [sys.executable, "-m", MODULE, "status", "--name", name]
    assert subprocess.run(status, env=environment, capture_output=True, check=False).returncode == 1
    assert not [path for path in Path(directory).glob("*") if path.is_symlink()]
