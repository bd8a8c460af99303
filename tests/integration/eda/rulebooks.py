# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A rulebook of this collection, run by ansible-rulebook with its rule engine."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import typing as t
from collections.abc import Mapping
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.gates.virtual_environments import virtual_environment
from ansible_collections.fieldops.openshift.tests.gates.workplace import Workplace
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for

OLDEST_JAVA = 17


def java_home() -> Path:
    """Return the folder of a Java that the rule engine runs on; skip the test if this machine has none."""
    java = shutil.which("java")
    if java:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
        version = re.search(r'version "(\d+)', said)
        if version and int(version[1]) >= OLDEST_JAVA:
            return Path(java).resolve().parents[1]
    pytest.skip(f"The rule engine of ansible-rulebook needs Java {OLDEST_JAVA} or later, which is not installed.")


class Rulebook:
    """A running rulebook, for as long as the context lasts. What it says is in ``log``."""

    def __init__(self, name: str, folder: Path, inventory: Path, *words: str | Path) -> None:
        java = java_home()
        programs = virtual_environment(Workplace.here(), "rulebook") / "bin"
        path = os.pathsep.join([str(programs), str(java / "bin"), os.environ["PATH"]])
        environment = environment_for(folder, {"PATH": path, "JAVA_HOME": str(java)})
        self.log = folder / f"{name}.log"
        command = [programs / "ansible-rulebook", "-r", f"fieldops.openshift.{name}", "-i", inventory, *words]
        with self.log.open("w") as log:
            self._process = subprocess.Popen(
                command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def says(self, text: str) -> bool:
        """Whether a text is in the log; raises AssertionError if the program has ended without it."""
        said = self.log.read_text()
        assert text in said or self._process.poll() is None, said
        return text in said

    def __enter__(self) -> Rulebook:
        return self

    def __exit__(self, *_unused: object) -> None:
        self._process.terminate()
        self._process.wait()


def write_inventory(folder: Path, variables: Mapping[str, t.Any]) -> Path:
    """Write an inventory of a site whose hosts are not used."""
    path = folder / "site.json"
    local = {"ansible_connection": "local", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
    path.write_text(json.dumps({"all": {"hosts": {"localhost": local}, "vars": dict(variables)}}))
    return path
