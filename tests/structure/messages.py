# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the collection can print, and what of a quoted message is none of it.

A message is cut at punctuation and at what is filled in: names, numbers, times. Two neighbouring words of what is left
must be neighbours somewhere in the code, or stand where a text is filled into another one.
"""

from __future__ import annotations

import ast
import re
import typing as t
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain

from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT, plugin_files
from ansible_collections.fieldops.openshift.tests.structure.yaml_tree import yaml_files

WORD = re.compile(r"[A-Za-z]?[a-z']+")
NAMES = frozenset({"admin", "infra", "master", "technician", "worker"})
"""Words that stand for a name wherever a message shows one."""
LONG_TEXT = 5
"""Lines of what is no message: documentation of plugins, programs for nodes."""
_FILLED_IN = "{}"
_TEMPLATE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\\\d", re.DOTALL)
_QUOTED = re.compile(r"'([^'\n]*)'")
_STRIPPED = "()\"'`*"
_ENDS = ".,:;!?"


@dataclass(frozen=True)
class Texts:
    """Neighbouring words in texts, and the words with which texts, and the gaps in them, begin and end."""

    pairs: frozenset[tuple[str, str]]
    first: frozenset[str]
    last: frozenset[str]
    before_gaps: frozenset[str]
    after_gaps: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """Return the words of texts, in which ``{}`` stands for what is filled in."""
        split = [[list(_runs(part)) for part in text.split(_FILLED_IN)] for text in texts]
        runs = [run for parts in split for part in parts for run in part]
        return cls(
            frozenset(pair for run in runs for pair in zip(run, run[1:])),
            frozenset(run[0] for parts in split for run in parts[0][:1] if run),
            frozenset(run[-1] for parts in split for run in parts[-1][-1:] if run),
            frozenset(run[-1] for parts in split for part in parts[:-1] for run in part[-1:] if run),
            frozenset(run[0] for parts in split for part in parts[1:] for run in part[:1] if run),
        )

    def unknown_in(self, message: str) -> list[str]:
        """Return the runs of words in a message that these texts do not make."""
        return [" ".join(run) for run in _runs(message) if not all(map(self._knows, zip(run, run[1:])))]

    def _knows(self, pair: tuple[str, str]) -> bool:
        left, right = pair
        filled_in = left in self.before_gaps and right in self.first
        return pair in self.pairs or filled_in or (left in self.last and right in self.after_gaps)


@cache
def printed_texts() -> Texts:
    """Return the texts of plugins, roles, playbooks and admission policies."""
    return Texts.of(chain(_of_plugins(), _of_tasks(), _of_policies()))


def _runs(text: str) -> Iterator[list[str]]:
    """Yield the words between line ends, punctuation and what is no word; the first and last run may be empty."""
    run: list[str] = []
    for token in re.sub(r"\n|\s{2,}", " , ", text).split():
        bare = token.strip(_STRIPPED).rstrip(_ENDS).strip(_STRIPPED)
        is_word = WORD.fullmatch(bare) and bare not in NAMES and not (run and bare[0].isupper())
        if token[0] in _STRIPPED or not is_word:
            yield run
            run = []
        if is_word:
            run.append(bare.lower())
        if token[-1] in _ENDS + _STRIPPED:
            yield run
            run = []
    yield run


def _of_plugins() -> Iterator[str]:
    for file in plugin_files():
        docstrings = {id(node.value) for node in ast.walk(file.tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(file.tree):
            if isinstance(node, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else _FILLED_IN for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                yield from [node.value] if node.value.count("\n") < LONG_TEXT else []


def _of_tasks() -> Iterator[str]:
    for file in yaml_files():
        for text in _texts(file.content):
            yield _TEMPLATE.sub(_FILLED_IN, text)
            yield from chain.from_iterable(_QUOTED.findall(template) for template in _TEMPLATE.findall(text))


def _of_policies() -> Iterator[str]:
    for path in (ROOT / "extensions" / "rbac").glob("*.yml"):
        yield from _QUOTED.findall(path.read_text())


def _texts(part: t.Any) -> Iterator[str]:
    for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else []:
        yield from _texts(one)
    if isinstance(part, str):
        yield part
