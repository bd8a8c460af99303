# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Links in pages lead to what is there, in a checkout and in the installed archive."""

from __future__ import annotations

import fnmatch
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("roles/*/README.md")])
LEFT_OUT = yaml.safe_load((ROOT / "galaxy.yml").read_text())["build_ignore"]
LINK = re.compile(r"\]\((?!https?://)([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


@cache
def anchors(path: Path) -> set[str]:
    """Return what the headings of a page are called in links, as forges and Sphinx make it."""
    titles = re.findall(r"^#+ (.*)$", FENCED.sub("", path.read_text()), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def links() -> list[tuple[str, str]]:
    """Return every link to a file or heading of the collection, with the page that has it."""
    return [(str(page.relative_to(ROOT)), target) for page in PAGES for target in LINK.findall(page.read_text())]


@pytest.mark.parametrize(("page", "target"), links())
def test_a_link_leads_to_what_is_there(page: str, target: str) -> None:
    name, _hash, anchor = target.partition("#")
    path = (ROOT / page).parent / name if name else ROOT / page
    assert path.exists()
    assert not anchor or anchor in anchors(path)


@pytest.mark.parametrize(("page", "target"), links())
def test_what_is_linked_to_is_in_the_archive(page: str, target: str) -> None:
    path = ((ROOT / page).parent / target.partition("#")[0]).resolve().relative_to(ROOT)
    assert not [glob for glob in LEFT_OUT for part in (path, *path.parents) if fnmatch.fnmatch(str(part), glob)]


def test_there_is_no_address_of_a_future_home() -> None:
    """They are set when a release is built (``tests/gates/archive.py``)."""
    metadata = yaml.safe_load((ROOT / "galaxy.yml").read_text())
    assert [metadata.get(name, "") for name in ("repository", "documentation", "homepage", "issues")] == [""] * 4
    assert [page.name for page in PAGES if "placeholder" in page.read_text()] == []
