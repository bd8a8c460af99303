# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The versions of what runs here: of this collection as its folder states it, of Python, and of ansible-core."""

from __future__ import annotations

import platform
import re
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, read_json
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

UNKNOWN = "unknown"
COLLECTION = Path(__file__).resolve().parents[4]


def own_versions(ansible_core: str, folder: Path = COLLECTION) -> dict[str, str]:
    """Return the version of each part by its name."""
    return {"collection": _version_of(folder), "ansible_core": ansible_core, "python": platform.python_version()}


def _version_of(folder: Path) -> str:
    """Return what an installed collection states in its MANIFEST.json, and a checkout in its galaxy.yml."""
    try:
        manifest = read_json(folder / "MANIFEST.json")
        source = read_file(folder / "galaxy.yml") or b""
    except FieldOpsError:
        # A module that was packed has no folder.
        return UNKNOWN
    if isinstance(manifest, dict):
        return str((manifest.get("collection_info") or {}).get("version") or UNKNOWN)
    stated = re.search(rb"(?m)^version:\s*[\"']?([\w.+-]+)", source)
    return stated.group(1).decode() if stated else UNKNOWN
