# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a node really booted from: ``/sysroot/.coreos-aleph-version.json``, written when its disk was.

Source: coreos-assembler, src/create_disk.sh; openshift-docs, the modules on boot image skew.
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.rhcos_release import (
    openshift_version_of,
)

PATH = "/sysroot/.coreos-aleph-version.json"


def aleph_data(node: str, document: object) -> dict[str, t.Any]:
    """Return what ``document``, the file's text or content, says of a node; ``reason`` where it says nothing."""
    found = document
    if isinstance(document, str):
        try:
            found = json.loads(document)
        except (ValueError, RecursionError):
            found = None
    content = found if isinstance(found, Mapping) else {}
    release = _text(content, "version") or _text(content, "build")
    return {
        "name": node,
        "release": release,
        "openshift": openshift_version_of(release),
        "ref": _text(content, "ref") or _text(content, "container-image"),
        "reason": "" if release else f"{PATH} contains no version",
    }


def _text(content: Mapping[t.Any, t.Any], name: str) -> str:
    value = content.get(name)
    return value[:500] if isinstance(value, str) else ""
