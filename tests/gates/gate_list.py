# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Every gate by name, in the order of its cost: what fails quickly comes first."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from .ansible_test import sanity
from .archive import PUBLISHED, build_archive
from .collection_tree import collection_tree, search_path
from .documentation import build_documentation, lint_documentation
from .interpreters import find_interpreter
from .lab import build_lab, what_hosts_lack, what_real_boots_lack
from .side_by_side import Gate, Shared
from .virtual_environments import virtual_environment
from .workplace import GateError, Workplace, call

CORES = ("2.16", "2.20", "2.21")
OLDEST, NEWEST = CORES[0], CORES[-1]
SANITY_OF_OLDER = ("compile", "import", "validate-modules")
NODE_ROOMS = ("_terms", "_host", "_net", "_bundle_files", "_etcd", "_support")
NODE_PYTHON = "3.9"

UNIT = Path(__file__).parents[1] / "unit"
INTEGRATION = Path(__file__).parents[1] / "integration"
ON_HOSTS = (
    *("cluster_version", "image_stores", "lab", "machine_config_hosts", "node_images"),
    *("os_images", "os_switch", "reach", "real_boots", "rollout", "site"),
)
"""Folders whose tests run on hosts of the lab. Of those marked as long they keep some for ``make test``."""
LACKS = {"real_boots": what_real_boots_lack}
"""What tells why the tests of a folder cannot run here, where that is more than what hosts need."""
SLOW = (
    *("cluster_update", "lab", "modules", "os_images", "site_phases"),
    *("site", "node_images", "rollout", "image_mode"),
)
"""Folders whose tests take longest, in the order in which they begin, before the others: so no lane waits for them in
the end. Those that compute stand beside those that wait for hosts."""
LONG = "pytest.mark.long"
"""How tests are marked that ``make test-all`` runs and ``make test`` leaves out."""
SHORT = ("-m", "not long")

PLAYS = "modules"
CANARY = f"{PLAYS}/test_credentials_stay_hidden.py"
"""Runs on every core: what is logged differs from core to core."""
DIRECT = f"{PLAYS}/test_direct_execution.py"
"""Runs on every core likewise: how an action starts its module differs from core to core."""
FORKED = f"{PLAYS}/test_play_processes.py"
"""Runs on every core likewise: what is forked for tests has to be what each core makes of its program."""
PLAYS_ON_EVERY_CORE = (CANARY, DIRECT, FORKED)
PLAYS_ON_OLDEST = (
    *PLAYS_ON_EVERY_CORE,
    f"{PLAYS}/test_change_modules.py",
    f"{PLAYS}/test_require_change_window_role.py",
    f"{PLAYS}/test_cluster_health_info.py",
    f"{PLAYS}/test_site_guard.py",
    f"{PLAYS}/test_site_variables.py",
)
"""Plays, roles, filters and action plugins as the oldest core runs them; what modules do is the same on all."""

COMPILER, ANSIBLE_TEST, HOSTS = Shared("compiler"), Shared("ansible-test"), Shared("hosts", at_once=2)
"""A compiler uses every core. ansible-test repairs an environment of its own that it finds unfinished, even if
another one is at work on it."""

LAB_PROGRAMS = Gate("lab programs", build_lab, shares=COMPILER, lacks=what_hosts_lack)
CONTROL_PLANE = (
    *("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"),
    *("cluster-version-operator", "node-controllers", "machine-config-operator", "machine-config-controller"),
    "machine-os-builder",
)
CONTROL_PLANE_PROGRAMS = Gate("control plane programs", partial(build_lab, names=CONTROL_PLANE), shares=COMPILER)
PROGRAMS = (CONTROL_PLANE_PROGRAMS, LAB_PROGRAMS)
SPELLED = (
    *("CONTRIBUTING.md", "README.md", "changelogs", "docs", "extensions", "galaxy.yml", "meta", "playbooks", "roles"),
    *("plugins/doc_fragments", "plugins/lookup", "plugins/modules"),
)
"""What people read. Other code has names that look like misspelt words."""
WORKERS = 2
"""Processes of each gate that runs slow tests: they wait more than they compute."""


def lint_gates() -> list[Gate]:
    """Return the gates that read the tree without running it, sanity included."""
    gates = [
        Gate("ruff", _ruff),
        Gate("mypy", _mypy),
        Gate("yamllint", partial(_lint_command, argv=["yamllint", "--strict", "."])),
        Gate("reuse", partial(_lint_command, argv=["reuse", "lint", "--quiet"])),
        Gate("spelling", partial(_lint_command, argv=["codespell", "--builtin", "clear,rare", *SPELLED])),
        Gate("changelog", partial(_lint_command, argv=["antsibull-changelog", "lint"])),
        Gate("structure", partial(_pytest, core=NEWEST, paths=["tests/structure"])),
        *(Gate(f"sanity, core {core}", partial(_sanity, core=core), shares=ANSIBLE_TEST) for core in CORES[::-1]),
        Gate("documentation", lint_documentation),
        Gate("ansible-lint", partial(_lint_command, argv=["ansible-lint", "--strict"])),
        Gate("galaxy-importer", _galaxy_importer),
        *(Gate(f"playbook syntax, core {core}", partial(_playbook_syntax, core=core)) for core in CORES),
    ]
    return [replace(gate, yields=True) for gate in gates]


def unit_gates(*, whole: bool = False) -> list[Gate]:
    """Return all on the newest ansible-core, what meets it on the oldest too, node-side code on the oldest Python.

    Unless it is the ``whole``, what is long is left out.
    """
    all_units = ["tests/unit", *([] if whole else SHORT)]
    gates = [
        Gate(f"unit, core {OLDEST}", partial(_pytest, core=OLDEST, paths=_units_that_meet_ansible(), workers=WORKERS)),
        Gate(f"unit, core {NEWEST}", partial(_pytest, core=NEWEST, paths=all_units, workers=WORKERS)),
        Gate(f"unit, nodes' Python {NODE_PYTHON}", _node_units),
    ]
    return [replace(gate, yields=True) for gate in gates]


def _units_that_meet_ansible() -> list[str]:
    """Return the unit tests of plugins and of the one room that imports ansible-core (``tests/structure``)."""
    plugins = [path.name for path in sorted((UNIT / "plugins").iterdir()) if path.is_dir()]
    folders = ["module_utils/_run", *(name for name in plugins if name not in ("module_utils", "__pycache__"))]
    return [f"tests/unit/plugins/{folder}" for folder in folders]


def integration_gates(*, whole: bool = False) -> list[Gate]:
    """Return first what builds programs of the lab, then the gates of each folder of tests on real parts.

    Unless it is the ``whole``, what is long is left out.
    """
    between = [_integration(PLAYS, core, PLAYS_ON_EVERY_CORE) for core in CORES[1:-1]]
    others = [_integration(PLAYS, OLDEST, PLAYS_ON_OLDEST), *between]
    folders = _folders(lambda text: whole or f"pytestmark = {LONG}" not in text)
    ordered = [*(name for name in SLOW if name in folders), *(name for name in folders if name not in SLOW)]
    return [*PROGRAMS, *(_integration(name, NEWEST, whole=whole) for name in ordered), *others]


def further_gates() -> list[Gate]:
    """Return the whole sanity of each core and the documentation site, which take too long for each change."""
    return [
        Gate("documentation site", _documentation_site),
        *(
            Gate(f"whole sanity, core {core}", partial(_sanity, core=core, whole=True), shares=ANSIBLE_TEST)
            for core in CORES
        ),
    ]


def _folders(holds: Callable[[str], bool]) -> list[str]:
    """Return the folders of integration tests that have a file for whose text ``holds`` is true."""
    found = (path for path in INTEGRATION.rglob("test_*.py") if holds(path.read_text()))
    return sorted({path.relative_to(INTEGRATION).parts[0] for path in found})


def _integration(name: str, core: str, chosen: Sequence[str] = (), *, whole: bool = False) -> Gate:
    """Return the gate of a folder, or of those of its files that are ``chosen``."""
    label, paths = f"integration {name}, core {core}", [f"tests/integration/{path}" for path in chosen or [name]]
    paths += [] if whole else SHORT
    # What is long runs on hosts, or mounts.
    if name in ON_HOSTS or (whole and name in _folders(lambda text: LONG in text)):
        lacks = LACKS.get(name, what_hosts_lack)
        return Gate(label, partial(_pytest, core=core, paths=paths), shares=HOSTS, lacks=lacks)
    return Gate(label, partial(_pytest, core=core, paths=paths, workers=WORKERS))


def _lint_command(place: Workplace, argv: list[str]) -> str:
    environment = virtual_environment(place, "lint")
    tree = collection_tree(place)
    path = os.pathsep.join([str(environment / "bin"), os.environ["PATH"]])
    return call(argv, cwd=tree, env={"PATH": path, "ANSIBLE_COLLECTIONS_PATH": str(search_path(tree))})


def _ruff(place: Workplace) -> str:
    return _lint_command(place, ["ruff", "check", "--quiet", "."]) + _lint_command(
        place, ["ruff", "format", "--check", "--quiet", "."]
    )


def _sanity(place: Workplace, core: str, *, whole: bool = False) -> str:
    """Read the tree as the newest core does, and what is installed as each older one does.

    What the older ones alone object to is nearly always found by the tests of ``SANITY_OF_OLDER``. pylint, which takes
    longer than all others, reads the plugins: what is not installed ruff and mypy read too.
    """
    if whole:
        return sanity(place, core, installed=core != NEWEST)
    if core != NEWEST:
        return sanity(place, core, *(f"--test={name}" for name in SANITY_OF_OLDER), installed=True)
    return sanity(place, core, "--skip-test=pylint") + sanity(place, core, "--test=pylint", "plugins/")


def _documentation_site(place: Workplace) -> str:
    return f"built {build_documentation(place, place.cache / 'docs')}"


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


def _pytest(place: Workplace, core: str, paths: Sequence[str], workers: int = 0) -> str:
    environment = virtual_environment(place, f"core-{core}")
    tree = collection_tree(place)
    path = os.pathsep.join([str(environment / "bin"), os.environ["PATH"]])
    collections = str(search_path(tree))
    return call(
        ["pytest", *_pytest_options(workers), *paths],
        cwd=tree,
        env={
            "PATH": path,
            "PYTHONPATH": collections,
            "ANSIBLE_COLLECTIONS_PATH": collections,
            "FIELDOPS_SEEN": str(place.seen),
            **_bytecode(place),
        },
        log=place.cache / "logs" / f"{place.tree.name}.log",
        live=f"{place.gate} | ",
    )


def _bytecode(place: Workplace) -> dict[str, str]:
    """Return what lets Python keep what it compiles, in the cache: each process of tests imports a thousand files."""
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(place.cache / "bytecode")}


def _pytest_options(workers: int) -> list[str]:
    side_by_side = ["-n", str(workers), "--dist", "loadfile"] if workers else []
    return ["-q", *side_by_side, "--durations=10", "--durations-min=5"]


def _node_units(place: Workplace) -> str:
    if not find_interpreter(NODE_PYTHON):
        raise GateError(f"Python {NODE_PYTHON}, the oldest on nodes, is not installed here: install it and run again.")
    environment = virtual_environment(place, f"node-{NODE_PYTHON}", python=NODE_PYTHON)
    tree = collection_tree(place)
    folders = [f"tests/unit/plugins/module_utils/{room}" for room in NODE_ROOMS]
    return call(
        [environment / "bin" / "pytest", *_pytest_options(WORKERS), *folders, *SHORT],
        cwd=tree,
        env={"PYTHONPATH": str(search_path(tree)), **_bytecode(place)},
        live=f"{place.gate} | ",
    )


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
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "galaxy-importer.cfg"
        # The gate ansible-lint reads the same files and more, and is not given up after 180 s as the importer does it.
        config.write_text("[galaxy-importer]\nCHECK_REQUIRED_TAGS = True\nRUN_ANSIBLE_LINT = False\n")
        archive = build_archive(place, Path(folder), PUBLISHED)
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
