# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The guide to failures, made of the error tree: each kind, what it means, and what its errors advise."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

Named = TypeVar("Named")

HEAD = """# Errors

Every error of a module states what was attempted, on which object, what was found and what to do. The result contains
these parts under `error`; `error.kind` is one of the following. The messages are the beginnings of those that modules
print, followed by the object and the cause. The actions are those that the errors recommend. In both, `...` stands for
names and numbers.

| Kind | Messages | Meaning | Recommended actions |
| --- | --- | --- | --- |
"""

ACTION = "Action:"
"""How the paragraph of a docstring starts that states what helps against each error of the class."""


@dataclass(frozen=True)
class ErrorKind:
    """A class of errors: its name in the code, its name in results, what it means, and what helps in all cases.

    The first paragraph of its docstring is the meaning, one that starts with "Action:" the action. ``attempt`` is what
    every error of the class attempted, None where each states it as its first argument.
    """

    name: str
    kind: str
    meaning: str
    action: str
    attempt: str | None


@dataclass(frozen=True)
class Maker:
    """A function that makes an error: its name, the class of the error, and which of its parameters is the advice."""

    name: str
    error: str
    parameter: str
    place: int


def error_page(module_utils: Path) -> str:
    """Return the page, in Markdown."""
    trees = {_module(path, module_utils): ast.parse(path.read_text()) for path in sorted(module_utils.rglob("*.py"))}
    texts = _Names({module: dict(_constants(tree)) for module, tree in trees.items()})
    makers = _Names({module: {one.name: one for one in _makers(tree)} for module, tree in trees.items()})
    constants = {module: texts.known_in(module, tree) for module, tree in trees.items()}
    kinds = {one.name: one for module, tree in trees.items() for one in _kinds(tree, constants[module])}
    messages: dict[str, set[str]] = defaultdict(set)
    advice: dict[str, set[str]] = defaultdict(set)
    for module, tree in trees.items():
        for name, text in _attempts(tree, constants[module]):
            if name in kinds and kinds[name].attempt is None:
                messages[kinds[name].kind].add(_message(text))
        for name, text in _advice(tree, makers.known_in(module, tree), constants[module]):
            if name in kinds:
                advice[kinds[name].kind].add(text)
    meanings: dict[str, set[str]] = defaultdict(set)
    for one in kinds.values():
        meanings[one.kind].add(one.meaning)
        if one.action:
            advice[one.kind].add(one.action)
        if one.attempt:
            messages[one.kind].add(_message(one.attempt))
    return HEAD + "".join(
        f"| `{kind}` | {_cell(messages[kind])} | {_cell(meanings[kind])} | {_cell(advice[kind])} |\n"
        for kind in sorted(meanings)
    )


def _module(path: Path, module_utils: Path) -> str:
    return ".".join(path.relative_to(module_utils).with_suffix("").parts)


class _Names(Generic[Named]):
    """What names stand for in each file, by module."""

    def __init__(self, defined: Mapping[str, Mapping[str, Named]]) -> None:
        self._defined = defined
        found = [(name, value) for names in defined.values() for name, value in names.items() if name[0] != "_"]
        owners = Counter(name for name, _value in found)
        self._unique = {name: value for name, value in found if owners[name] == 1}

    def known_in(self, module: str, tree: ast.Module) -> dict[str, Named]:
        """Return the names of a file: its own, those that it imports, and public ones that only one file has."""
        imported: dict[str, Named] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                names = self._defined.get((node.module or "").rpartition(".module_utils.")[2], {})
                imported |= {alias.name: names[alias.name] for alias in node.names if alias.name in names}
        return {**self._unique, **imported, **self._defined[module]}


def _message(attempt: str) -> str:
    return f"Could not {attempt.removesuffix(' ...')} ..."


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
                yield _error_kind(node, kind, constants)


def _error_kind(node: ast.ClassDef, kind: str, constants: Mapping[str, str]) -> ErrorKind:
    meaning, *rest = (ast.get_docstring(node) or "").split("\n\n")
    action = next((text[len(ACTION) :].strip() for text in rest if text.startswith(ACTION)), "")
    return ErrorKind(node.name, kind, meaning, action, _attempt_of(node, constants))


def _attempt_of(node: ast.ClassDef, constants: Mapping[str, str]) -> str | None:
    """Return what the constructor of a class passes on as what was attempted, None where it is its own argument."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "super().__init__" and call.args:
            return None if ast.unparse(call.args[0]) == "attempted" else next(_texts(call.args[0], constants), "")
    return None


def _makers(tree: ast.Module) -> Iterator[Maker]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        names = [one.arg for one in function.args.args if one.arg not in ("self", "cls")]
        for call in ast.walk(function):
            value = _keyword(call) if isinstance(call, ast.Call) else None
            if isinstance(call, ast.Call) and isinstance(value, ast.Name) and value.id in names:
                yield Maker(function.name, _called(call), value.id, names.index(value.id))


def _attempts(tree: ast.Module, constants: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what was attempted where an error is made, with the name of its class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            for text in _texts(node.args[0], constants):
                if any(letter.isalpha() for letter in text):
                    yield _called(node), text


def _advice(tree: ast.Module, makers: Mapping[str, Maker], constants: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what is advised where an error is made, with the name of its class."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name, value = _called(node), _keyword(node)
        maker = makers.get(name)
        if maker:
            name, value = maker.error, value or _given(node, maker)
        for text in _texts(value, constants):
            yield name, text


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _keyword(call: ast.Call, name: str = "advice") -> ast.expr | None:
    return next((one.value for one in call.keywords if one.arg == name), None)


def _given(call: ast.Call, maker: Maker) -> ast.expr | None:
    return call.args[maker.place] if maker.place < len(call.args) else _keyword(call, maker.parameter)


def _texts(value: ast.expr | None, constants: Mapping[str, str]) -> Iterator[str]:
    if isinstance(value, ast.IfExp):
        yield from _texts(value.body, constants)
        yield from _texts(value.orelse, constants)
    elif value is not None and (text := _text(value) or constants.get(ast.unparse(value), "")):
        yield text


def _text(node: ast.expr) -> str:
    """Return a text as it stands in the code, with dots for what is filled in; nothing for what is made elsewhere."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "..." for part in node.values)
    return ""


def _cell(texts: set[str]) -> str:
    shown = (" ".join(text.split()).replace("``", "`").replace("|", "\\|") for text in sorted(texts) if text.strip("."))
    return "<br>".join(shown)
