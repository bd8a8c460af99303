# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every gate by name, in the order of its cost: what fails quickly comes first."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from .ansible_test import sanity
from .collection_tree import collection_tree, search_path
from .documentation import lint_documentation
from .interpreters import find_interpreter
from .lab import build_lab
from .virtual_environments import virtual_environment
from .workplace import GateError, Workplace, call

CORES = ("2.16", "2.20", "2.21")
TESTED_CORES = ("2.16", "2.21")
NODE_ROOMS = ("_terms", "_host", "_net")
NODE_PYTHON = "3.9"
LAB_TESTS = "tests/integration/lab"
API_PROGRAMS = ("etcd", "kube-apiserver")

Gate = Callable[[Workplace], str]


def lint_gates() -> dict[str, Gate]:
    """Return the gates that read the tree without running it, sanity included."""
    gates: dict[str, Gate] = {
        "ruff": _ruff,
        "mypy": _mypy,
        "yamllint": partial(_lint_command, argv=["yamllint", "--strict", "."]),
        "reuse": partial(_lint_command, argv=["reuse", "lint", "--quiet"]),
        "changelog": partial(_lint_command, argv=["antsibull-changelog", "lint"]),
        "structure": _structure,
        "documentation": lint_documentation,
        "ansible-lint": partial(_lint_command, argv=["ansible-lint", "--strict"]),
        "galaxy-importer": _galaxy_importer,
    }
    gates.update({f"playbook syntax, core {core}": partial(_playbook_syntax, core=core) for core in CORES})
    gates.update({f"sanity, core {core}": partial(sanity, core=core) for core in CORES})
    return gates


def unit_gates() -> dict[str, Gate]:
    """Return the unit tests on each ansible-core, and those of node-side code on the nodes' oldest Python."""
    gates: dict[str, Gate] = {
        f"unit, core {core}": partial(_pytest, core=core, folder="tests/unit") for core in TESTED_CORES
    }
    gates[f"unit, nodes' Python {NODE_PYTHON}"] = _node_units
    return gates


def integration_gates() -> dict[str, Gate]:
    """Return the tests of doors, modules and registry against real parts on each ansible-core."""
    gates: dict[str, Gate] = {"lab programs": partial(build_lab, names=API_PROGRAMS)}
    for core in TESTED_CORES:
        gates[f"integration, core {core}"] = partial(_pytest, core=core, folder="tests/integration", without=LAB_TESTS)
    for core in set(CORES) - set(TESTED_CORES):
        gates[f"modules, core {core}"] = partial(_pytest, core=core, folder="tests/integration/modules")
    return gates


def lab_gates() -> dict[str, Gate]:
    """Return the tests of the lab itself: its hosts, its outages and what it leaves behind. They need root."""
    return {"lab programs": build_lab, "lab": partial(_pytest, core=TESTED_CORES[-1], folder=LAB_TESTS)}


def _lint_command(place: Workplace, argv: list[str]) -> str:
    environment = virtual_environment(place, "lint")
    tree = collection_tree(place)
    path = os.pathsep.join([str(environment / "bin"), os.environ["PATH"]])
    return call(argv, cwd=tree, env={"PATH": path, "ANSIBLE_COLLECTIONS_PATH": str(search_path(tree))})


def _ruff(place: Workplace) -> str:
    return _lint_command(place, ["ruff", "check", "--quiet", "."]) + _lint_command(
        place, ["ruff", "format", "--check", "--quiet", "."]
    )


def _mypy(place: Workplace) -> str:
    environment = virtual_environment(place, "lint")
    tree = collection_tree(place)
    above = search_path(tree)
    inside = tree.relative_to(above)
    return call(
        [
            environment / "bin" / "mypy",
            "--config-file",
            inside / "pyproject.toml",
            inside / "plugins",
            inside / "tests",
        ],
        cwd=above,
        env={"MYPYPATH": str(above)},
    )


def _structure(place: Workplace) -> str:
    return _pytest(place, core=CORES[-1], folder="tests/structure")


def _pytest(place: Workplace, core: str, folder: str, without: str = "") -> str:
    environment = virtual_environment(place, f"core-{core}")
    tree = collection_tree(place)
    path = os.pathsep.join([str(environment / "bin"), os.environ["PATH"]])
    collections = str(search_path(tree))
    return call(
        ["pytest", "-q", *([f"--ignore={without}"] if without else []), folder],
        cwd=tree,
        env={"PATH": path, "PYTHONPATH": collections, "ANSIBLE_COLLECTIONS_PATH": collections},
        log=place.cache / "logs" / f"{folder.replace('/', '-')}-{core}.log",
        live=True,
    )


def _node_units(place: Workplace) -> str:
    if not find_interpreter(NODE_PYTHON):
        raise GateError(f"Python {NODE_PYTHON}, the oldest on nodes, is not installed here: install it and run again.")
    environment = virtual_environment(place, f"node-{NODE_PYTHON}", python=NODE_PYTHON)
    tree = collection_tree(place)
    folders = [f"tests/unit/plugins/module_utils/{room}" for room in NODE_ROOMS]
    return call([environment / "bin" / "pytest", "-q", *folders], cwd=tree, env={"PYTHONPATH": str(search_path(tree))})


def _playbook_syntax(place: Workplace, core: str) -> str:
    environment = virtual_environment(place, f"core-{core}")
    tree = collection_tree(place)
    playbooks = sorted((tree / "playbooks").glob("*.yml"))
    if not playbooks:
        raise GateError("no playbook found below playbooks/: this gate would prove nothing")
    return call(
        [environment / "bin" / "ansible-playbook", "--syntax-check", "-i", "localhost,", *playbooks],
        cwd=tree,
        env={"ANSIBLE_COLLECTIONS_PATH": str(search_path(tree))},
    )


def _galaxy_importer(place: Workplace) -> str:
    tree = collection_tree(place)
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "galaxy-importer.cfg"
        config.write_text("[galaxy-importer]\nCHECK_REQUIRED_TAGS = True\n")
        _lint_command(place, ["ansible-galaxy", "collection", "build", str(tree), "--output-path", folder])
        (archive,) = Path(folder).glob("*.tar.gz")
        environment = virtual_environment(place, "lint")
        output = call(
            [environment / "bin" / "python", "-m", "galaxy_importer.main", archive],
            cwd=Path(folder),
            env={
                "GALAXY_IMPORTER_CONFIG": str(config),
                "PATH": os.pathsep.join([str(environment / "bin"), os.environ["PATH"]]),
            },
        )
    objections = [line for line in output.splitlines() if line.startswith(("ERROR", "WARNING"))]
    if objections:
        raise GateError("\n".join(objections))
    return output
