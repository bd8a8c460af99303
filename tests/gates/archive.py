# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The archive that is installed on sites, and what is in it."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from .collection_tree import collection_tree
from .virtual_environments import virtual_environment
from .workplace import GateError, Workplace, call

PUBLISHED = "https://git.example.org/fieldops/openshift"
"""An address for checks of an archive that nobody installs: importers demand one."""
PATHS = {"repository": "", "documentation": "/blob/main/docs/README.md", "homepage": "", "issues": "/issues"}
"""The addresses of a collection, below that of its repository."""
_REPOSITORY = re.compile(r"^repository: .*$", re.MULTILINE)


def build_archive(place: Workplace, folder: Path, address: str = "") -> Path:
    """Build the archive of this checkout in ``folder`` and return its path.

    ``address`` is that of the repository where a release is published; without it the archive names none. Raise
    GateError for what is no address.
    """
    tree = collection_tree(place)
    if not address:
        return _built(place, tree, folder)
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(shutil.copytree(tree, Path(scratch) / "openshift", ignore=shutil.ignore_patterns(".git")))
        galaxy = copy / "galaxy.yml"
        galaxy.write_text(with_addresses(galaxy.read_text(), address))
        return _built(place, copy, folder)


def with_addresses(galaxy: str, address: str) -> str:
    """Return the metadata with the addresses of a release; raise GateError for what is no address."""
    parts = urlsplit(address)
    if parts.scheme != "https" or not parts.hostname or parts.path.strip("/") == "":
        raise GateError(f"{address!r} is not the address of a repository, such as {PUBLISHED}")
    lines = "\n".join(f"{name}: {address.rstrip('/')}{path}" for name, path in PATHS.items())
    return _REPOSITORY.sub(lines, galaxy)


def _built(place: Workplace, tree: Path, folder: Path) -> Path:
    _galaxy(place, "build", tree, "--output-path", folder, "--force")
    (archive,) = folder.glob("*.tar.gz")
    return archive


def installed_tree(place: Workplace) -> Path:
    """Return the root of the collection as it is installed, without tests, below a search path of its own."""
    above = place.tree / "installed"
    shutil.rmtree(above, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        archive = build_archive(place, Path(folder))
        _galaxy(place, "install", archive, "--collections-path", above, "--no-deps", "--offline", "--force")
    return above / "ansible_collections" / "fieldops" / "openshift"


def _galaxy(place: Workplace, *words: str | Path) -> None:
    environment = virtual_environment(place, "lint")
    path = os.pathsep.join([str(environment / "bin"), os.environ["PATH"]])
    call(["ansible-galaxy", "collection", *words], env={"PATH": path})
