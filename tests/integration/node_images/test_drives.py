# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bundle on two drives and a third with the parity: one after another in one port, in different nodes, damaged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.merge_bundles import merge
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import Controller, forget_everything
from ansible_collections.fieldops.openshift.tests.integration.node_images.removable_drives import NODES, Site
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

pytestmark = pytest.mark.long

PORT = "worker-1"


@pytest.fixture
def drives(bundle: WrittenBundle, tmp_path: Path) -> dict[str, Path]:
    """The content of the drives, by their letters."""
    found = {letter: tmp_path / f"drive-{letter}" for letter in "ABP"}
    first, second, parity = (str(folder / "bundle") for folder in found.values())
    merge(first, [str(bundle.folder)], NoProgress(), [second], parity)
    return found


@pytest.fixture
def site(lab: Lab, controller: Controller, bundle: WrittenBundle, tmp_path: Path) -> Iterator[Site]:
    made = Site(lab, controller, bundle, tmp_path)
    yield made
    made.remove_drives()
    for name in NODES:
        forget_everything(lab.hosts[name], bundle.names)


def is_loaded(site: Site) -> bool:
    return all(site.is_loaded(name) for name in NODES)


@pytest.mark.parametrize("order", ["AB", "BA"])
def test_one_after_another_in_one_port(site: Site, drives: dict[str, Path], order: str) -> None:
    site.insert_folder(PORT, drives[order[0]])
    refused = site.stage()
    assert refused.rc != 0
    assert f"still needs drive {order[1]} with" in refused.output
    assert site.mounted(PORT) == ""
    site.remove_drives()
    site.insert_folder(PORT, drives[order[1]])
    ended = site.stage()
    assert ended.rc == 0, ended.output
    assert is_loaded(site)


def test_in_different_nodes(site: Site, drives: dict[str, Path]) -> None:
    for name, letter in zip(NODES, "AB"):
        site.insert_folder(name, drives[letter])
    ended = site.stage()
    assert ended.rc == 0, ended.output
    assert is_loaded(site)


def test_the_parity_replaces_a_lost_drive(site: Site, drives: dict[str, Path]) -> None:
    site.insert_folder(PORT, drives["B"])
    site.insert_folder(PORT, drives["P"])
    ended = site.stage()
    while ended.rc != 0 and "still needs" in ended.output:
        # The node without drives gets the rebuilt blobs from the one that has rebuilt them.
        site.remove_drives()
        ended = site.stage()
    assert ended.rc == 0, ended.output
    assert is_loaded(site)


def test_a_damaged_blob_is_rebuilt(site: Site, drives: dict[str, Path]) -> None:
    damaged = max((drives["A"] / "bundle/blobs/sha256").iterdir(), key=lambda path: path.stat().st_size)
    damaged.write_bytes(bytes(damaged.stat().st_size))
    for letter in "ABP":
        site.insert_folder(PORT, drives[letter])
    site.stage()
    site.remove_drives()
    ended = site.stage()
    assert ended.rc == 0, ended.output
    assert is_loaded(site)
