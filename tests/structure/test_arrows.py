# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rooms and doors: who may import whom, and who alone may touch the outside. See docs/architecture.md."""

from __future__ import annotations

import ast

import pytest

from ansible_collections.fieldops.openshift.tests.structure.source_tree import (
    DOMAINS,
    DOORS,
    GLUE,
    PREFIX,
    TERMS,
    SourceFile,
    plugin_files,
)

FILES = plugin_files()
ANY_FILE = pytest.mark.parametrize("source", FILES, ids=lambda source: source.name)

MAY_USE = {
    TERMS: frozenset(),
    **dict.fromkeys(DOORS, frozenset({TERMS})),
    "_bundle_files": frozenset({"_host", "_net", TERMS}),
    **dict.fromkeys(DOMAINS, DOORS | {TERMS}),
    GLUE: DOORS | {TERMS},
    "modules": DOMAINS | DOORS | {GLUE, TERMS},
    "plugin_utils": DOMAINS | DOORS | {GLUE, TERMS},
    "action": DOMAINS | DOORS | {GLUE, TERMS, "plugin_utils", "modules"},
    "connection": DOMAINS | DOORS | {GLUE, TERMS, "plugin_utils"},
    "inventory": DOMAINS | DOORS | {GLUE, TERMS, "plugin_utils"},
    "callback": frozenset({"plugin_utils"}),
    "lookup": DOMAINS | DOORS | {TERMS, "plugin_utils"},
    "filter": DOMAINS | {TERMS, "plugin_utils"},
    "test": DOMAINS | {TERMS, "plugin_utils"},
    "doc_fragments": frozenset(),
}

ONLY_BEHIND = {
    "kubernetes": "_cluster",
    "openshift": "_cluster",
    "urllib3": "_cluster",
    "subprocess": "_host",
    "fcntl": "_host",
    "socket": "_net",
    "ssl": "_net",
    "http.client": "_net",
    "urllib.request": "_net",
}

NOT_IN_PLANS = ("ansible", "os", "time", "tempfile", "shutil", "random", "threading", *ONLY_BEHIND)
WRITING_CALLS = frozenset({"write_text", "write_bytes", "replace", "rename", "unlink", "rmdir", "mkdir", "touch"})


def imports_any(source: SourceFile, names: tuple[str, ...]) -> list[str]:
    return [module for module in source.imports if any(module == n or module.startswith(n + ".") for n in names)]


@ANY_FILE
def test_rooms_are_known(source: SourceFile) -> None:
    assert source.room in MAY_USE, f"{source.name} stands in a room that docs/architecture.md does not know"


@ANY_FILE
def test_imports_go_downwards_only(source: SourceFile) -> None:
    assert source.rooms_used <= MAY_USE[source.room]


@ANY_FILE
def test_imports_are_absolute(source: SourceFile) -> None:
    assert not [module for module in source.imports if module.startswith(".")]


@ANY_FILE
def test_the_outside_is_reached_through_its_door(source: SourceFile) -> None:
    astray = {name: door for name, door in ONLY_BEHIND.items() if imports_any(source, (name,)) and source.room != door}
    assert not astray


@ANY_FILE
def test_of_the_rooms_only_the_glue_knows_ansible(source: SourceFile) -> None:
    if source.room in {*DOMAINS, *DOORS, TERMS}:
        assert not imports_any(source, ("ansible",))


@ANY_FILE
def test_files_are_written_by_the_host_door_alone(source: SourceFile) -> None:
    if source.room != "_host":
        assert not [ast.unparse(node) for node in ast.walk(source.tree) if _writes(node)]


@pytest.mark.parametrize("source", [f for f in FILES if f.is_plan], ids=lambda source: source.name)
def test_plans_are_pure(source: SourceFile) -> None:
    assert not imports_any(source, NOT_IN_PLANS)
    assert source.rooms_used <= {TERMS}
    own_work = [module for module in source.imports if module.startswith(PREFIX) and ".do." in module]
    assert not own_work
    assert not [ast.unparse(node) for node in ast.walk(source.tree) if _reads_the_clock(node)]


def test_files_import_each_other_without_circles() -> None:
    edges = {source.module: source.imports for source in FILES}
    finished: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module not in finished:
            for used in edges[module] & edges.keys():
                visit(used, (*path, module))
            finished.add(module)

    for module in edges:
        visit(module, ())


def _writes(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Name) and node.func.id == "open":
        modes = [
            arg.value
            for arg in [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "mode")]
            if isinstance(arg, ast.Constant)
        ]
        return any(set(str(mode)) & set("wax+") for mode in modes)
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in WRITING_CALLS:
        return False
    # str.replace and dataclasses.replace take arguments that no path method takes.
    return node.func.attr != "replace" or (isinstance(node.func.value, ast.Name) and node.func.value.id == "os")


def _reads_the_clock(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in {"now", "utcnow", "today", "monotonic"}
