# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The documentation inside plugins: checked as a gate, and built as pages to read."""

from __future__ import annotations

import os
from pathlib import Path

from .collection_tree import collection_tree, search_path
from .virtual_environments import virtual_environment
from .workplace import Workplace, call

SITE_PAGE = Path("docs") / "site-variables.md"
_SPHINX = ["-q", "-D", "extensions=sphinx_antsibull_ext", "-D", "project=fieldops.openshift", "-D", "nitpicky=0", "-C"]


def lint_documentation(place: Workplace) -> str:
    """Check markup and references of all plugin documentation."""
    tree = collection_tree(place)
    return _antsibull(
        place, ["lint-collection-docs", "--plugin-docs", "--validate-collection-refs", "self", "--skip-rstcheck", tree]
    )


def build_documentation(place: Workplace) -> Path:
    """Build the pages of all plugins and return the one to start with."""
    home = place.cache / "docs"
    (home / "rst").mkdir(parents=True, exist_ok=True)
    _antsibull(
        place, ["collection", "--use-current", "--squash-hierarchy", "--dest-dir", home / "rst", "fieldops.openshift"]
    )
    environment = virtual_environment(place, "docs")
    call([environment / "bin" / "sphinx-build", *_SPHINX, "-b", "html", home / "rst", home / "html"])
    return home / "html" / "index.html"


def write_site_page(place: Workplace) -> Path:
    """Write the page of the variables of a site into the checkout and return its path."""
    environment = virtual_environment(place, "docs")
    tree = collection_tree(place)
    maker = "ansible_collections.fieldops.openshift.tests.structure.site_page"
    page = call([environment / "bin" / "python", "-m", maker], env={"PYTHONPATH": str(search_path(tree))})
    path = place.checkout / SITE_PAGE
    path.write_text(page)
    return path


def _antsibull(place: Workplace, words: list[str | Path]) -> str:
    environment = virtual_environment(place, "docs")
    path = os.pathsep.join([str(environment / "bin"), os.environ["PATH"]])
    collections = str(search_path(collection_tree(place)))
    return call(["antsibull-docs", *words], env={"PATH": path, "ANSIBLE_COLLECTIONS_PATH": collections})
