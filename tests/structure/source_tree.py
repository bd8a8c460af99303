# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The collection's Python files as the structure tests see them: where they stand and what they import."""

from __future__ import annotations

import ast
import typing as t
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

Node = t.TypeVar("Node")

ROOT = Path(__file__).resolve().parents[2]
COMMON_ACTION = ROOT / "plugins" / "plugin_utils" / "_module_action.py"
"""The action of a module that needs the common one and nothing else."""
PREFIX = "ansible_collections.fieldops.openshift."

TERMS = "_terms"
DOORS = frozenset({"_bundle_files", "_cluster", "_host", "_net"})
GLUE = "_run"
DOMAINS = frozenset(
    {
        "_changes",
        "_bundles",
        "_node_images",
        "_os_images",
        "_boot_images",
        "_rollout",
        "_cluster_update",
        "_etcd",
        "_support",
        "_fleet",
        "_reports",
    }
)


@dataclass(frozen=True)
class SourceFile:
    """One file; ``name`` is its path below the collection's root, for messages."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path.relative_to(ROOT))

    @property
    def module(self) -> str:
        return PREFIX + ".".join(self.path.relative_to(ROOT).with_suffix("").parts)

    @property
    def room(self) -> str:
        """Return the room below module_utils, or the kind of plugin elsewhere."""
        parts = self.path.relative_to(ROOT / "plugins").parts
        return parts[1] if parts[0] == "module_utils" else parts[0]

    @property
    def is_plan(self) -> bool:
        return "plan" in self.path.relative_to(ROOT).parts

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text(), filename=self.name)

    @cached_property
    def imports(self) -> frozenset[str]:
        """Return every module this file imports anywhere in it, those for type checking included."""
        found: set[str] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                found.add("." * node.level + (node.module or ""))
        return frozenset(found)

    @property
    def rooms_used(self) -> frozenset[str]:
        """Return the rooms and kinds of plugin that this file imports from, its own left out."""
        return frozenset(_room(module) for module in self.imports if module.startswith(PREFIX)) - {self.room}


def is_common_action(path: Path) -> bool:
    """Whether a file is a link to the common action, or a copy of it, which gates and archives contain instead."""
    return path.read_bytes() == COMMON_ACTION.read_bytes()


def _room(module: str) -> str:
    parts = module[len(PREFIX) :].split(".")
    return parts[2] if parts[1] == "module_utils" else parts[1]


def reached(starts: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Return ``starts`` and everything that is reached from them over ``neighbours``."""
    found: set[Node] = set()
    pending = [*starts]
    while pending:
        one = pending.pop()
        if one not in found:
            found.add(one)
            pending += neighbours(one)
    return found


def plugin_files() -> list[SourceFile]:
    """Return every Python file below plugins/."""
    return [SourceFile(path) for path in sorted((ROOT / "plugins").rglob("*.py"))]
