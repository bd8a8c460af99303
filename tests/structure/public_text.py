# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What people read of the collection, file by file: pages, documentation of plugins, texts of tasks, messages."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import yaml

Passage = tuple[int, str]
"""The line that a text begins in, and the text."""
_COMMENT = re.compile(r"(?:^ *#.*\n)+", re.MULTILINE)
"""Lines of YAML that are comments and follow one another."""


def passages(path: Path) -> list[Passage]:
    """Return what is read of a file; see ``plain_english.yml``."""
    text = path.read_text()
    if path.suffix == ".py":
        return list(_of_python(ast.parse(text)))
    if path.suffix in (".yml", ".yaml"):
        return list(_of_yaml(yaml.compose(text)))
    return [(1, text)]


def inner_passages(path: Path) -> list[Passage]:
    """Return the comments of a file and, of Python, the docstrings: what only people read who change it."""
    if path.suffix != ".py":
        text = path.read_text()
        return [(text.count("\n", 0, one.start()) + 1, one[0].replace("#", " ")) for one in _COMMENT.finditer(text)]
    docstrings = [
        (node.lineno, str(node.value.value))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    with tokenize.open(path) as lines:
        tokens = list(tokenize.generate_tokens(lines.readline))
    return docstrings + [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]


def found_in(passage: Passage, word: str) -> list[tuple[int, str]]:
    """Return where a passage has a word, as line and match."""
    first, text = passage
    pattern = re.compile(rf"(?<![\w./-])(?:{word})(?![\w-])".replace(" ", r"\s+"), re.IGNORECASE)
    return [(first + text.count("\n", 0, match.start()), match[0]) for match in pattern.finditer(text)]


def short_description(path: Path) -> str:
    """Return the one of a plugin, or nothing."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and _is(node, "DOCUMENTATION"):
            return str(yaml.safe_load(str(node.value.value)).get("short_description") or "")
    return ""


def _is(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def _of_python(tree: ast.Module) -> Iterator[Passage]:
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docstrings and " " in str(node.value):
            yield node.lineno, str(node.value)


def _of_yaml(node: yaml.Node | None) -> Iterator[Passage]:
    if isinstance(node, yaml.MappingNode):
        for _key, value in node.value:
            yield from _of_yaml(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _of_yaml(value)
    elif isinstance(node, yaml.ScalarNode):
        yield node.start_mark.line + 1, node.value
