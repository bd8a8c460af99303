# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The configuration of Sphinx for the documentation site. Nothing is fetched."""

from __future__ import annotations

import os
import typing as t
from pathlib import Path

project = "fieldops.openshift"
extensions = ["myst_parser", "sphinx_antsibull_ext", "sphinx.ext.intersphinx"]
html_theme = "furo"
html_title = project
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
myst_heading_anchors = 4
nitpicky = True
# The few pages of Ansible that generated pages refer to, from an inventory that is written beside the sources.
intersphinx_mapping = {"ansible": ("https://docs.ansible.com/ansible/latest", os.environ["ANSIBLE_INVENTORY_OF_PAGES"])}

CORRECTED = {
    ' role="heading"': ' role="heading" aria-level="2"',
    '<aside class="sidebar-drawer"': '<aside class="sidebar-drawer" aria-label="All pages"',
    '<aside class="toc-drawer"': '<aside class="toc-drawer" aria-label="This page"',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    ' aria-role="button"': "",
}
"""What people need who use a screen reader or no pointer, and what makes the pages leaves out."""


def correct(app: t.Any, _error: Exception | None) -> None:
    """Correct the finished pages."""
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text()
        for written, corrected in CORRECTED.items():
            text = text.replace(written, corrected)
        page.write_text(text)


def setup(app: t.Any) -> None:
    """Have Sphinx correct what it has built."""
    app.connect("build-finished", correct)
