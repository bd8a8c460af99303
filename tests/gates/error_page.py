# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The guide to failures, made of the error tree: each kind, what it means, and what its errors advise."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

HEAD = """# Errors

Every error of a module states what was attempted, on which object, what was found and what to do. The result contains
these parts under `error`; `error.kind` is one of the following. The actions are those that the errors recommend, with
`...` in place of names and numbers.

| Kind | Meaning | Recommended actions |
| --- | --- | --- |
"""


@dataclass(frozen=True)
class ErrorKind:
    """A class of errors: its name in the code, its name in results, and what it means."""

    name: str
    kind: str
    meaning: str


def error_page(module_utils: Path) -> str:
    """Return the page, in Markdown."""
    trees = [ast.parse(path.read_text()) for path in sorted(module_utils.rglob("*.py"))]
    constants = {name: value for tree in trees for name, value in _constants(tree)}
    kinds = {one.name: one for tree in trees for one in _kinds(tree, constants)}
    advice: dict[str, set[str]] = defaultdict(set)
    for tree in trees:
        for name, text in _advice(tree):
            if name in kinds:
                advice[kinds[name].kind].add(text)
    meanings: dict[str, set[str]] = defaultdict(set)
    for one in kinds.values():
        meanings[one.kind].add(one.meaning)
    return HEAD + "".join(
        f"| `{kind}` | {_cell(meanings[kind])} | {_cell(advice[kind])} |\n" for kind in sorted(meanings)
    )


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            yield ast.unparse(node.targets[0]), str(node.value.value)


def _kinds(tree: ast.Module, constants: Mapping[str, str]) -> Iterator[ErrorKind]:
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name.endswith("Error")]
    for node in classes:
        for part in node.body:
            if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "kind":
                kind = _text(part.value) or constants[ast.unparse(part.value)]
                yield ErrorKind(node.name, kind, (ast.get_docstring(node) or "").split("\n\n")[0])


def _advice(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield what is advised where an error is made, with the name of its class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "advice" and (text := _text(keyword.value)):
                    yield ast.unparse(node.func).rpartition(".")[2], text


def _text(node: ast.expr) -> str:
    """Return a text as it stands in the code, with dots for what is filled in; nothing for what is made elsewhere."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "..." for part in node.values)
    return ""


def _cell(texts: set[str]) -> str:
    shown = (" ".join(text.split()).replace("``", "`").replace("|", "\\|") for text in sorted(texts) if text != "...")
    return "<br>".join(shown)
