# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The archive that is installed on sites, and what is in it."""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from pathlib import Path

from .collection_tree import collection_tree, search_path
from .virtual_environments import virtual_environment
from .workplace import Workplace, call


def build_archive(place: Workplace, folder: Path) -> Path:
    """Build the archive of this checkout in ``folder`` and return its path."""
    tree = collection_tree(place)
    environment = virtual_environment(place, "lint")
    path = os.pathsep.join([str(environment / "bin"), os.environ["PATH"]])
    call(["ansible-galaxy", "collection", "build", tree, "--output-path", folder], cwd=tree, env={"PATH": path})
    (archive,) = folder.glob("*.tar.gz")
    return archive


def installed_tree(place: Workplace) -> Path:
    """Return the root of the collection as it would be installed, without tests, below a search path of its own."""
    root = place.tree / "installed" / collection_tree(place).relative_to(search_path(collection_tree(place)))
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder, tarfile.open(build_archive(place, Path(folder))) as archive:
        archive.extractall(root, filter="data")
    return root
