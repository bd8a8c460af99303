# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Public text is plain technical English: it does without the words that ``plain_english.yml`` lists."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.structure.public_text import (
    found_in,
    inner_passages,
    passages,
    short_description,
)
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

RULES = yaml.safe_load(Path(__file__).with_name("plain_english.yml").read_text())
INSTEAD = {one["word"]: one["instead"] for one in RULES["words"]}
FILES = sorted({path for glob in RULES["files"] for path in ROOT.glob(glob)})
INSIDE = {path for glob in RULES["inside"] for path in ROOT.glob(glob)}
PLUGINS = [path for path in FILES if path.suffix == ".py"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_public_text_does_without_listed_words(path: Path) -> None:
    texts = passages(path) + (inner_passages(path) if path in INSIDE else [])
    found = [
        f"line {line}: {match!r}; write instead: {instead}"
        for word, instead in INSTEAD.items()
        for text in texts
        for line, match in found_in(text, word)
    ]
    assert not found, "\n".join(found)


def test_modules_are_described_by_what_they_do() -> None:
    refused = tuple(f"{word} " for word in RULES["short_descriptions"]["refused"])
    described = {path.name: short_description(path) for path in PLUGINS}
    found = {name: text for name, text in described.items() if text.lower().startswith(refused)}
    assert found == {}, RULES["short_descriptions"]["instead"]


@pytest.mark.parametrize("glob", [*RULES["files"], *RULES["inside"]])
def test_every_entry_names_files(glob: str) -> None:
    assert list(ROOT.glob(glob))


@pytest.mark.parametrize("entry", RULES["words"], ids=lambda entry: entry["word"])
def test_every_expression_is_found(entry: dict[str, str]) -> None:
    assert found_in((1, entry["refused"]), entry["word"])


@pytest.mark.parametrize(
    ("name", "text", "read"),
    [
        ("page.md", "One.\n\nTwo `three`.\n", [(1, "One.\n\nTwo `three`.\n")]),
        ("tasks.yml", "---\n# nobody\n- name: Drain\n  debug: {msg: Drained}\n", [(3, "Drain"), (4, "Drained")]),
        ("plugin.py", '"""A docstring."""\nTEXT = "two words"\nKEY = "one"\n', [(2, "two words")]),
        ("printed.py", 'print(f"{name} is drained")\n', [(1, " is drained")]),
    ],
)
def test_what_is_read_of_a_file(tmp_path: Path, name: str, text: str, read: list[tuple[int, str]]) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert passages(path) == read


def test_docstrings_and_comments_are_read_of_what_is_inside(tmp_path: Path) -> None:
    path = tmp_path / "room.py"
    path.write_text('"""Of the file."""\n\nKEY = "two words"  # a remark\n"""Of the key."""\n')
    assert inner_passages(path) == [(1, "Of the file."), (4, "Of the key."), (3, "# a remark")]


def test_comments_are_read_of_tasks(tmp_path: Path) -> None:
    path = tmp_path / "tasks.yml"
    path.write_text("---\n- name: Drain\n  # A remark\n  # of two lines.\n  debug:\n")
    assert inner_passages(path) == [(3, "    A remark\n    of two lines.\n")]


def test_a_word_is_found_across_lines_and_not_in_names() -> None:
    text = "a look that is worth\nwhile, on\na gateway or sub-way"
    assert found_in((4, text), "worth ?while") == [(4, "worth\nwhile")]
    assert found_in((1, "gateway sub-way docs/way.md"), "ways?") == []
