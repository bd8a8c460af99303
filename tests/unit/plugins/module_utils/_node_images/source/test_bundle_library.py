# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which bundles of a node are served: one with an index that is not the vetted one takes no other along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.bundle_library import open_library
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._net.relay.sample_bundle import (
    CONFIG,
    LAYER,
    MANIFEST,
    digest_of,
    index_of,
)

BLOB = f"/v2/example/release/blobs/{digest_of(LAYER)}"


def staged(base: Path, index: BundleIndex) -> Path:
    """Write a bundle below ``base`` as staging does, and return its folder."""
    folder = base / index.folder_name
    (folder / "blobs/sha256").mkdir(parents=True)
    (folder / "index.json").write_bytes(index.as_bytes())
    for blob in (MANIFEST, CONFIG, LAYER):
        (folder / "blobs/sha256" / digest_of(blob).hex).write_bytes(blob)
    return folder


def truncated(folder: Path) -> None:
    index = folder / "index.json"
    index.write_bytes(index.read_bytes()[:-20])


def another(folder: Path) -> None:
    (folder / "index.json").write_bytes(replace(index_of(LAYER), serial=7).as_bytes())


def linked(folder: Path) -> None:
    (folder / "index.json").rename(folder.parent / "elsewhere.json")
    (folder / "index.json").symlink_to(folder.parent / "elsewhere.json")


def test_a_staged_bundle_is_served(tmp_path: Path) -> None:
    staged(tmp_path, index_of(LAYER))
    library, _proofs = open_library(tmp_path, SystemClock())
    assert library.find(BLOB) is not None


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(truncated, id="a truncated index"),
        pytest.param(lambda folder: (folder / "index.json").write_bytes(b""), id="an empty index"),
        pytest.param(another, id="the index of another bundle"),
        pytest.param(lambda folder: (folder / "index.json").unlink(), id="no index"),
        pytest.param(linked, id="a link in place of the index"),
        pytest.param(lambda folder: folder.rename(folder.with_name("4.21.3")), id="a folder of another name"),
    ],
)
def test_a_bundle_without_its_vetted_index_is_not_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[Path], object]
) -> None:
    damage(staged(tmp_path, index_of(LAYER)))
    library, _proofs = open_library(tmp_path, SystemClock())
    assert library.find(BLOB) is None
    assert "is not served: " in capsys.readouterr().err


def test_a_damaged_bundle_takes_no_other_along(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = staged(tmp_path, replace(index_of(LAYER), serial=7))
    truncated(damaged)
    staged(tmp_path, index_of(LAYER))
    library, _proofs = open_library(tmp_path, SystemClock())
    assert library.find(BLOB) is not None
    assert damaged.name in capsys.readouterr().err
