# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What no plugin uses is not kept: no file that none imports, no name that occurs nowhere but where it is defined."""

from __future__ import annotations

import ast
import re
import typing as t
from collections import Counter
from collections.abc import Iterator
from functools import cache

from ansible_collections.fieldops.openshift.tests.structure.folders import each_folder, found_in_each
from ansible_collections.fieldops.openshift.tests.structure.source_tree import (
    COMMON_ACTION,
    PREFIX,
    SourceFile,
    is_common_action,
    plugin_files,
    reached,
)

Definition = ast.FunctionDef | ast.ClassDef

SHARED = ("module_utils", "plugin_utils")
CALLED_BY_LIBRARIES = {"makefile", "ActionModule"}
"""``http.client`` reads from its socket by the first, Ansible finds an action by the second."""
FILES = {source.module: source for source in plugin_files()}


def is_shared(source: SourceFile) -> bool:
    """Whether a file is there for plugins to import, and no plugin itself."""
    return any(source.module.startswith(f"{PREFIX}plugins.{folder}") for folder in SHARED)


def imported(source: SourceFile) -> Iterator[SourceFile]:
    """Yield the common action for an action that is that one, and what a file imports, as modules or names of them."""
    if is_common_action(source.path):
        yield SourceFile(COMMON_ACTION)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom):
            for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                if name in FILES:
                    yield FILES[name]


def test_every_file_is_imported_by_a_plugin() -> None:
    used = reached((source for source in FILES.values() if not is_shared(source)), imported)
    assert sorted(source.name for source in {*FILES.values()} - used if source.path.name != "__init__.py") == []


@cache
def words() -> Counter[str]:
    """Count every word in the plugins."""
    found: Counter[str] = Counter()
    for source in FILES.values():
        found.update(re.findall(r"\w+", source.path.read_text()))
    return found


def definitions(tree: ast.AST) -> Iterator[Definition]:
    """Yield functions and classes, but for methods of a class whose base is defined elsewhere: others call these."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef):
            yield node
            if not has_foreign_base(node):
                yield from definitions(node)
        elif isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.If | ast.Try):
            yield from definitions(node)


def has_foreign_base(node: ast.ClassDef) -> bool:
    """Whether a class stems from one of a library, such as ``socket.socket``."""
    return any(isinstance(base, ast.Attribute) for base in node.bases)


@cache
def read_names() -> frozenset[str]:
    """Return what is read as an attribute or by its name in quotes, or documented as part of a module's result."""
    found: set[str] = set()
    for source in FILES.values():
        described = r"|^ +(\w+):$" if source.room == "modules" else ""
        for names in re.findall(rf"\.(\w+)\b|[\"'](\w+)[\"']{described}", source.path.read_text(), flags=re.MULTILINE):
            found.update(names)
    return frozenset(found)


def fields(tree: ast.AST) -> Iterator[str]:
    """Yield the fields of classes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and is_name(one.target))


def constants(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a file gives to values."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        yield from (target.id for target in targets if is_name(target))


def is_name(node: ast.AST | None) -> t.TypeGuard[ast.Name]:
    """Whether something is a plain name."""
    return isinstance(node, ast.Name)


@cache
def uses_in_own_bodies() -> Counter[str]:
    """Count how often a name occurs in definitions of that name, its own name among them."""
    found: Counter[str] = Counter()
    for source in FILES.values():
        for node in definitions(source.tree):
            text = ast.get_source_segment(source.path.read_text(), node) or ""
            found[node.name] += len(re.findall(rf"\b{re.escape(node.name)}\b", text))
    return found


EACH_FOLDER = each_folder(source for source in FILES.values() if is_shared(source))


@EACH_FOLDER
def test_every_definition_is_used(sources: list[SourceFile]) -> None:
    def unused(source: SourceFile) -> list[str]:
        names = {node.name for node in definitions(source.tree) if not node.name.startswith("__")}
        return sorted(name for name in names - CALLED_BY_LIBRARIES if words()[name] <= uses_in_own_bodies()[name])

    assert found_in_each(sources, unused) == {}


@cache
def subclasses() -> dict[str, set[str]]:
    """Return the names of the classes that stem directly from each class."""
    found: dict[str, set[str]] = {}
    for source in FILES.values():
        for node in ast.walk(source.tree):
            for base in node.bases if isinstance(node, ast.ClassDef) else ():
                if isinstance(base, ast.Name):
                    found.setdefault(base.id, set()).add(t.cast("ast.ClassDef", node).name)
    return found


@cache
def qualified_names() -> frozenset[str]:
    """Return every ``name.attribute`` in the plugins."""
    return frozenset(
        found for source in FILES.values() for found in re.findall(r"\b\w+\.\w+\b", source.path.read_text())
    )


def of_the_class(node: ast.ClassDef) -> Iterator[str]:
    """Yield the methods that are called on the class, not on its instances."""
    for method in node.body:
        if isinstance(method, ast.FunctionDef):
            decorators = {one.id for one in method.decorator_list if is_name(one)}
            if decorators & {"classmethod", "staticmethod"}:
                yield method.name


@EACH_FOLDER
def test_every_method_of_a_class_is_called_on_it(sources: list[SourceFile]) -> None:
    """Many classes have an ``of`` or a ``parse``: their use of one says nothing of another."""

    def uncalled(source: SourceFile) -> list[str]:
        classes = [node for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef)]
        return [
            f"{node.name}.{name}"
            for node in classes
            for name in of_the_class(node)
            if not {f"{one}.{name}" for one in (node.name, *subclasses().get(node.name, ()))} & qualified_names()
            and not re.search(rf"\b(cls|self)\.{name}\b", ast.get_source_segment(source.path.read_text(), node) or "")
        ]

    assert found_in_each(sources, uncalled) == {}


@EACH_FOLDER
def test_every_constant_and_field_is_read(sources: list[SourceFile]) -> None:
    def unread(source: SourceFile) -> list[str]:
        return sorted(
            {name for name in constants(source.tree) if words()[name] < 2} | {*fields(source.tree)} - read_names()
        )

    assert found_in_each(sources, unread) == {}
