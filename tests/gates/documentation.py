# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The documentation of the collection's plugins: read as a gate, and built with all pages as a site to read."""

from __future__ import annotations

import json
import os
import re
import shutil
import zlib
from collections.abc import Iterable
from pathlib import Path

from .collection_tree import collection_tree, search_path
from .error_page import error_page
from .virtual_environments import virtual_environment
from .workplace import Workplace, call

CONFIGURATION = Path(__file__).parent / "documentation_site"
PARTS_OF_SITE = ("README.md", "CONTRIBUTING.md", "LICENSES", "bindep.txt", "docs", "requirements.txt", "roles")
"""Pages, and the files that they link to."""
REFERENCE = "reference"
PAGES_OF_ANSIBLE = {
    "action_plugins": "plugins/action.html",
    "ansible_collections.ansible.builtin.debug_module": "collections/ansible/builtin/debug_module.html",
    "ansible_collections.ansible.builtin.default_callback": "collections/ansible/builtin/default_callback.html",
    "ansible_collections.ansible.builtin.fetch_module": "collections/ansible/builtin/fetch_module.html",
    "ansible_collections.ansible.builtin.raw_module": "collections/ansible/builtin/raw_module.html",
    "ansible_collections.ansible.builtin.slurp_module": "collections/ansible/builtin/slurp_module.html",
    "callback_plugins": "plugins/callback.html",
    "ansible_configuration_settings": "reference_appendices/config.html",
    "common_return_values": "reference_appendices/common_return_values.html",
}
"""What generated pages refer to by label, so that their links lead there although nothing is fetched."""
VARIABLES_OF_ANSIBLE = (
    *("ANSIBLE_CACHE_PLUGIN", "ANSIBLE_CACHE_PLUGIN_CONNECTION", "ANSIBLE_CACHE_PLUGIN_PREFIX"),
    *("ANSIBLE_CACHE_PLUGIN_TIMEOUT", "ANSIBLE_DISPLAY_SKIPPED_HOSTS", "ANSIBLE_SHOW_CUSTOM_STATS"),
)
"""Environment variables that generated pages refer to, described on the page of Ansible's settings."""
_INVENTORY = "# Sphinx inventory version 2\n# Project: ansible\n# Version: latest\n# Compressed using zlib:\n"
_LINKED_PAGE = re.compile(r"\]\(((?:\.\./)?[\w-]+)\.md\)")


def lint_documentation(place: Workplace) -> str:
    """Check markup and references of all plugin documentation."""
    tree = collection_tree(place)
    return _antsibull(
        place, ["lint-collection-docs", "--plugin-docs", "--validate-collection-refs", "self", "--skip-rstcheck", tree]
    )


def build_documentation(place: Workplace, home: Path) -> Path:
    """Build the site of pages, roles and plugins in ``home``, refuse warnings, and return the page to start with."""
    sources, pages = home / "sources", home / "html"
    shutil.rmtree(home, ignore_errors=True)
    (sources / REFERENCE).mkdir(parents=True)
    tree = collection_tree(place)
    for name in PARTS_OF_SITE:
        copied = shutil.copytree if (tree / name).is_dir() else shutil.copy
        copied(tree / name, sources / name)
    options: list[str | Path] = ["--use-current", "--squash-hierarchy", "--dest-dir", sources / REFERENCE]
    _antsibull(place, ["collection", *options, "fieldops.openshift"])
    roles = [path.parent.name for path in tree.glob("roles/*/README.md")]
    (sources / "index.md").write_text(contents_of((tree / "docs" / "README.md").read_text(), roles))
    (sources / "errors.md").write_text(error_page(tree / "plugins" / "module_utils"))
    (home / "ansible.inv").write_bytes(inventory_of_ansible())
    environment = virtual_environment(place, "docs")
    call([environment / "bin" / "python", CONFIGURATION / "draw_diagrams.py", sources])
    call(
        [environment / "bin" / "sphinx-build", "-q", "-W", "--keep-going", "-c", CONFIGURATION, sources, pages],
        env={"ANSIBLE_INVENTORY_OF_PAGES": str(home / "ansible.inv"), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return pages / "index.html"


def contents_of(overview: str, roles: Iterable[str]) -> str:
    """Return the page of contents: the pages that each section of ``docs/README.md`` links to, roles and plugins.

    A page that is linked there nowhere is in no contents, which Sphinx warns of.
    """
    text, listed = "# fieldops.openshift\n", {"../README"}
    text += _toctree("Start", ["README", "docs/README"])
    for section in overview.split("\n## ")[1:]:
        found = [name for name in dict.fromkeys(_LINKED_PAGE.findall(section)) if name not in listed]
        listed.update(found)
        text += _toctree(section.splitlines()[0], [os.path.normpath(f"docs/{name}") for name in found])
    text += _toctree("Errors", ["errors"])
    text += _toctree("Roles", [f"{role} <roles/{role}/README>" for role in sorted(roles)])
    return text + _toctree("Plugins", [f"{REFERENCE}/*"])


def inventory_of_ansible() -> bytes:
    """Return the inventory of ``PAGES_OF_ANSIBLE`` and ``VARIABLES_OF_ANSIBLE`` as Sphinx reads it."""
    settings = PAGES_OF_ANSIBLE["ansible_configuration_settings"]
    lines = [f"{label} std:label -1 {uri} {label}\n" for label, uri in PAGES_OF_ANSIBLE.items()]
    lines += [f"{name} std:envvar -1 {settings}#envvar-{name} {name}\n" for name in VARIABLES_OF_ANSIBLE]
    return _INVENTORY.encode() + zlib.compress("".join(lines).encode())


def write_pages(place: Workplace) -> list[Path]:
    """Write the files that are made of others into the checkout and return their paths."""
    environment = virtual_environment(place, "docs")
    tree = collection_tree(place)
    maker = "ansible_collections.fieldops.openshift.tests.structure.made_pages"
    made = call([environment / "bin" / "python", "-m", maker], env={"PYTHONPATH": str(search_path(tree))})
    pages = {place.checkout / name: text for name, text in json.loads(made).items()}
    for path, text in pages.items():
        path.write_text(text)
    return list(pages)


def _toctree(caption: str, pages: list[str]) -> str:
    if not pages:
        return ""
    entries = "\n".join(pages)
    return f"\n```{{toctree}}\n:caption: {caption}\n:glob:\n:maxdepth: 1\n\n{entries}\n```\n"


def _antsibull(place: Workplace, words: list[str | Path]) -> str:
    environment = virtual_environment(place, "docs")
    path = os.pathsep.join([str(environment / "bin"), os.environ["PATH"]])
    collections = str(search_path(collection_tree(place)))
    return call(["antsibull-docs", *words], env={"PATH": path, "ANSIBLE_COLLECTIONS_PATH": collections})
