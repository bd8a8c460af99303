# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rooms and doors: who may import whom, and who alone may touch the outside. See docs/architecture.md."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable

from ansible_collections.fieldops.openshift.tests.structure.folders import each_folder, found_in_each
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
MOST_FILES = 20
EACH_FOLDER = each_folder(FILES)

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


@EACH_FOLDER
def test_rooms_are_known(sources: list[SourceFile]) -> None:
    unknown = {source.name for source in sources if source.room not in MAY_USE}
    assert unknown == set(), "docs/architecture.md does not know their room"


@EACH_FOLDER
def test_imports_go_downwards_only(sources: list[SourceFile]) -> None:
    assert found_in_each(sources, lambda source: source.rooms_used - MAY_USE[source.room]) == {}


@EACH_FOLDER
def test_imports_are_absolute(sources: list[SourceFile]) -> None:
    assert found_in_each(sources, lambda source: [name for name in source.imports if name.startswith(".")]) == {}


@EACH_FOLDER
def test_only_types_of_libraries_are_imported_on_a_condition(sources: list[SourceFile]) -> None:
    def conditional(source: SourceFile) -> list[str]:
        inside = [node for block in source.tree.body if isinstance(block, ast.If) for node in block.body]
        modules = [node.module or "" for node in inside if isinstance(node, ast.ImportFrom)]
        return [module for module in modules if module.startswith(PREFIX)]

    assert found_in_each(sources, conditional) == {}


@EACH_FOLDER
def test_the_outside_is_reached_through_its_door(sources: list[SourceFile]) -> None:
    def astray(source: SourceFile) -> list[str]:
        others = tuple(name for name, door in ONLY_BEHIND.items() if source.room != door)
        return imports_any(source, others)

    assert found_in_each(sources, astray) == {}


@EACH_FOLDER
def test_of_the_rooms_only_the_glue_knows_ansible(sources: list[SourceFile]) -> None:
    rooms = [source for source in sources if source.room in {*DOMAINS, *DOORS, TERMS}]
    assert found_in_each(rooms, lambda source: imports_any(source, ("ansible",))) == {}


@EACH_FOLDER
def test_files_are_written_by_the_host_door_alone(sources: list[SourceFile]) -> None:
    others = [source for source in sources if source.room != "_host"]
    assert found_in_each(others, lambda source: _all_that(source, _writes)) == {}


@each_folder(source for source in FILES if source.is_plan)
def test_plans_are_pure(sources: list[SourceFile]) -> None:
    def impure(source: SourceFile) -> list[str]:
        own_work = [module for module in source.imports if module.startswith(PREFIX) and ".do." in module]
        others = sorted(source.rooms_used - {TERMS})
        return [*imports_any(source, NOT_IN_PLANS), *own_work, *others, *_all_that(source, _reads_the_clock)]

    assert found_in_each(sources, impure) == {}


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


def test_a_do_folder_of_many_files_has_subfolders_by_subject() -> None:
    folders = Counter(source.path.parent for source in FILES if source.path.parent.name == "do")
    assert {str(folder): count for folder, count in folders.items() if count > MOST_FILES} == {}


def _all_that(source: SourceFile, check: Callable[[ast.AST], bool]) -> list[str]:
    return [ast.unparse(node) for node in ast.walk(source.tree) if check(node)]


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
