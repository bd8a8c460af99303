# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lab under the gates' interpreter: its programs built in sight, its commands, and the demonstration on it."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from .collection_tree import collection_tree, search_path
from .interpreters import interpreter
from .virtual_environments import GATES_PYTHON, virtual_environment
from .workplace import GateError, Workplace, call, fail

_LAB = "ansible_collections.fieldops.openshift.tests.lab"
_DEMO = "ansible_collections.fieldops.openshift.tests.demo"
_DEMO_ENVIRONMENT = "core-2.21"
_BUILD = f"import sys; from {_LAB}.preparation import build_programs; build_programs(sys.argv[1:])"

_PREPARE = f"import sys; from {_LAB}.preparation import prepare; prepare(programs=sys.argv[1:])"
_DEMO_PROGRAMS = ("node-controllers", "cluster-version-operator")


def build_lab(place: Workplace, names: Sequence[str] = ()) -> str:
    """Build the programs of the lab that are not in the cache yet, all of them unless ``names`` are given."""
    return _python(place, "-c", _BUILD, *names)


def what_hosts_lack() -> str:
    """Return why this machine cannot hold hosts of the lab, nothing where it can.

    Asked of the machine itself, by its own programs: what fails later is a defect, not a machine of another kind.
    """
    if os.geteuid():
        return "hosts of the lab need root"
    namespaces = ["unshare", "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup", "--fork", "true"]
    try:
        tried = subprocess.run(namespaces, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "hosts of the lab need Linux and unshare of util-linux"
    return f"hosts of the lab need namespaces: {tried.stderr.strip()}" if tried.returncode else ""


def what_real_boots_lack() -> str:
    """Return why no machine can boot images of bootc here, nothing where one can."""
    named = os.environ.get("FIELDOPS_BOOTC") or shutil.which("bootc")
    has_bootc = named is not None and Path(named).is_file()
    return what_hosts_lack() or ("" if has_bootc else "real boots need a program bootc, which FIELDOPS_BOOTC may name")


def run_lab(place: Workplace, words: list[str]) -> int:
    """Run a command of the lab in the foreground, from the tree as it is now, and return its exit status."""
    try:
        environment = virtual_environment(place, _DEMO_ENVIRONMENT)
    except GateError as error:
        fail(str(error))
        return 1
    variables = {**os.environ, "PYTHONPATH": str(search_path(collection_tree(place)))}
    return subprocess.run([environment / "bin" / "python", "-m", _LAB, *words], env=variables, check=False).returncode


def run_demo(place: Workplace, words: list[str]) -> int:
    """Prepare all that the demonstration needs, run it in the foreground, and return its exit status."""
    with ThreadPoolExecutor(1) as beside:
        prepared = beside.submit(_python, replace(place, gate="lab"), "-c", _PREPARE, *_DEMO_PROGRAMS)
        environment = virtual_environment(place, _DEMO_ENVIRONMENT)
        with contextlib.suppress(GateError):  # the demonstration comes to the same, and says so in its own words
            prepared.result()
    above = str(search_path(collection_tree(place)))
    path = os.pathsep.join([str(environment / "bin"), os.environ["PATH"]])
    variables = {**os.environ, "PATH": path, "PYTHONPATH": above}
    return subprocess.run([environment / "bin" / "python", "-m", _DEMO, *words], env=variables, check=False).returncode


def _python(place: Workplace, *words: str) -> str:
    above = str(search_path(collection_tree(place)))
    live = f"{place.gate} | " if place.gate else ""
    return call([interpreter(GATES_PYTHON), *words], env={"PYTHONPATH": above}, live=live)
