# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The blocks of code on the pages of the collection, and the commands in them."""

from __future__ import annotations

import re

from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("roles/*/README.md")])
BLOCK = re.compile(r"^ *```(\w+)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


def blocks(*languages: str) -> list[tuple[str, str]]:
    """Return every block of code in one of the languages, with the page that has it."""
    found = [(str(page.relative_to(ROOT)), block) for page in PAGES for block in BLOCK.findall(page.read_text())]
    return [(page, text) for page, (language, text) in found if language in languages]


def commands(program: str) -> list[tuple[str, str]]:
    """Return every command of a program, continued lines joined, with its page."""
    texts = [(page, text.replace("\\\n", "")) for page, text in blocks("shell", "console", "bash")]
    lines = [(page, line.strip().removeprefix("$ ")) for page, text in texts for line in text.splitlines()]
    return [(page, line) for page, line in lines if line.startswith(f"{program} ")]
