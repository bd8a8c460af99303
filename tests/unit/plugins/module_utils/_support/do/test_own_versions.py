# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which version a collection states that was installed, checked out, or packed."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.own_versions import (
    COLLECTION,
    own_versions,
)

MANIFEST = json.dumps({"collection_info": {"version": "1.2.3"}})


@pytest.mark.parametrize(
    ("files", "version"),
    [
        ({"MANIFEST.json": MANIFEST}, "1.2.3"),
        ({"galaxy.yml": "name: openshift\nversion: 1.2.3-dev\n"}, "1.2.3-dev"),
        ({"galaxy.yml": 'version: "1.2.3"'}, "1.2.3"),
        ({"MANIFEST.json": "{"}, "unknown"),
        ({"MANIFEST.json": "{}"}, "unknown"),
        ({"galaxy.yml": "name: openshift"}, "unknown"),
        ({}, "unknown"),
    ],
)
def test_the_version_is_that_of_the_folder(tmp_path: Path, files: dict[str, str], version: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert own_versions("2.21.5", tmp_path) == {
        "collection": version,
        "ansible_core": "2.21.5",
        "python": platform.python_version(),
    }


def test_a_module_that_was_packed_has_no_version(tmp_path: Path) -> None:
    packed = tmp_path / "module.zip"
    packed.write_bytes(b"")
    assert own_versions("2.21.5", packed / "inside")["collection"] == "unknown"


def test_this_collection_has_one() -> None:
    assert COLLECTION.name == "openshift"
    assert own_versions("2.21.5")["collection"] != "unknown"
