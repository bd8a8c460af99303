# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The archive that is installed on sites, and what is in it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from .collection_tree import collection_tree
from .virtual_environments import virtual_environment
from .workplace import Workplace, call


def build_archive(place: Workplace, folder: Path) -> Path:
    """Build the archive of this checkout in ``folder`` and return its path."""
    _galaxy(place, "build", collection_tree(place), "--output-path", folder)
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
