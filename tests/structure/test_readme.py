# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The README has what certification of content requires, and what a reader needs first."""

from __future__ import annotations

import re

from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

SECTIONS = [
    *("Description", "Requirements", "Installation", "Use cases", "Testing", "Contributing", "Support"),
    *("Release notes and roadmap", "Related information", "License"),
]
"""In the order of the template for certified content."""
TEXT = (ROOT / "README.md").read_text()


def test_the_readme_has_the_sections_of_certified_content() -> None:
    titles = re.findall(r"^## (.*)$", TEXT, flags=re.MULTILINE)
    assert [title for title in titles if title in SECTIONS] == SECTIONS


def test_the_readme_starts_with_three_lines_a_picture_and_two_commands() -> None:
    _title, lines, picture, commands = TEXT.split("-->\n\n")[1].split("\n\n")[:4]
    assert len(lines.splitlines()) <= 3
    image = picture.partition("](")[2].removesuffix(")")
    assert "prefers-color-scheme: dark" in (ROOT / image).read_text()
    assert re.findall(r"^make \w+", commands, flags=re.MULTILINE) == ["make demo", "make test"]


def test_the_readme_has_the_releases_of_openshift() -> None:
    requirements = TEXT.split("\n## Requirements\n")[1].split("\n## ")[0]
    assert re.findall(r"^\| (Target|Source) release \|", requirements, flags=re.MULTILINE) == ["Target", "Source"]
