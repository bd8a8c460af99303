# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Functions stay short enough to be read at a glance, and say what they take and give."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.structure.folders import each_folder, found_in_each
from ansible_collections.fieldops.openshift.tests.structure.source_tree import (
    ROOT,
    SourceFile,
)

LONGEST = 40
FILES = [
    SourceFile(path)
    for folder in ("plugins", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "output" not in path.parts
]
MODULES = [source for source in FILES if Path(source.name).parent == Path("plugins/modules")]


def functions(source: SourceFile) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(source.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def lines_of_code(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function without its docstring."""
    docstring = ast.get_docstring(function, clean=False)
    described = function.body[0].end_lineno - function.body[0].lineno + 1 if docstring is not None else 0  # type: ignore[operator]
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1 - described


@each_folder(FILES)
def test_functions_are_short(sources: list[SourceFile]) -> None:
    def long(source: SourceFile) -> list[str]:
        return [f"{f.name}: {lines_of_code(f)} lines" for f in functions(source) if lines_of_code(f) >= LONGEST]

    assert found_in_each(sources, long) == {}


@each_folder(FILES)
def test_functions_are_annotated(sources: list[SourceFile]) -> None:
    assert found_in_each(sources, lambda source: [f.name for f in functions(source) if f.returns is None]) == {}


@pytest.mark.parametrize("source", MODULES, ids=lambda source: source.name)
def test_modules_hold_no_logic(source: SourceFile) -> None:
    outermost = [node for node in source.tree.body if isinstance(node, ast.FunctionDef)]
    assert {function.name: lines_of_code(function) <= 25 for function in outermost} == {"main": True}


@each_folder(source for source in FILES if source.name.startswith("plugins/module_utils"))
def test_public_functions_and_classes_say_what_they_are_for(sources: list[SourceFile]) -> None:
    def undescribed(source: SourceFile) -> list[str]:
        silent = [node.name for node in public_definitions(source.tree) if not ast.get_docstring(node)]
        return silent if ast.get_docstring(source.tree) else ["the file", *silent]

    assert found_in_each(sources, undescribed) == {}


def public_definitions(container: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """Return the public functions and classes of a module, and the public methods of those classes."""
    for node in container.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public_definitions(node)
