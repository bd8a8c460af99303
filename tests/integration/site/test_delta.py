# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A site reports what its nodes hold, and gets a bundle without it. The tests build on one another."""

from __future__ import annotations

import hashlib
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.tests.demo.stage import Stage
from ansible_collections.fieldops.openshift.tests.integration.site.playbook_runs import run
from ansible_collections.fieldops.openshift.tests.lab.operated import FOLLOWING
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring

pytestmark = pytest.mark.long
CLOSED = {"strategy": "RestrictiveUntil", "restrictiveUntil": "2099-01-01T00:00:00Z"}
NEXT = "4.21.5"
BUNDLES = "/var/lib/fieldops/bundles"
LARGEST_INVENTORY = 100_000
"""Bytes of the inventory of a site; that of a release of 190 images has some 60 KiB."""


def delta_of(stage: Stage) -> BundleIndex:
    return BundleFolder(stage.folder / "delta").require_index()


def update_by_delta(stage: Stage) -> dict[str, t.Any]:
    """Return the variables of the site: the drive with the delta, in a window that is closed."""
    index = (stage.folder / "delta" / "index.json").read_bytes()
    delta = {
        "site_bundle": str(stage.folder / "delta"),
        "site_bundle_digest": f"sha256:{hashlib.sha256(index).hexdigest()}",
        "site_change_stanza": CLOSED,
    }
    return {**stage.update_site(), **delta}


def staged_on(stage: Stage, node: str) -> list[str]:
    return stage.lab.hosts[node].run("ls", BUNDLES).split()


def test_the_site_writes_what_its_nodes_hold_and_signs_it(stage: Stage, tmp_path: Path) -> None:
    built = run(stage.command("create_bundle", stage.create_bundle()))
    assert built.status == 0, built.output
    staged = run(stage.command("update_site", {**stage.update_site(), "site_change_stanza": CLOSED}))
    assert "It can continue at 2099-01-01 00:00:00 UTC" in staged.output
    with Keyring() as keyring:
        key = keyring.create("site")
        secret = keyring.export_secret(key, tmp_path / "secret.asc")
        (stage.folder / "site-key.asc").write_text(key.public_key)
        given = {"site_inventory": str(stage.folder / "inventory.json"), "site_signing_key": str(secret)}
        written = run(stage.command("export_inventory", given))
    assert written.status == 0, written.output
    assert (stage.folder / "inventory.json.asc").exists()
    assert (stage.folder / "inventory.json").stat().st_size < LARGEST_INVENTORY


def test_the_builder_leaves_out_what_every_node_holds(stage: Stage) -> None:
    stage.publish(NEXT)
    given = {
        **stage.create_bundle(),
        "site_bundle": str(stage.folder / "delta"),
        "site_release": str(stage.releases[NEXT].reference),
        "site_inventory": str(stage.folder / "inventory.json"),
        "site_inventory_keys": [str(stage.folder / "site-key.asc")],
    }
    built = run(stage.command("create_bundle", given))
    assert built.status == 0, built.output
    index = delta_of(stage)
    held = {blob.digest for blob in stage.releases[FOLLOWING].blobs}
    needed = {blob.digest for blob in stage.releases[NEXT].blobs}
    signed = {digest for one in index.signatures for digest in one.blobs}
    assert needed & held
    assert set(index.blobs) - signed == needed - held
    stage.lab.cut_registry()


def test_a_node_that_lacks_a_left_out_blob_is_named_before_anything_is_staged(stage: Stage) -> None:
    left_out = {digest for image in delta_of(stage).images for digest in image.blobs()} - set(delta_of(stage).blobs)
    worker = stage.lab.hosts["worker-0"]
    path = worker.run("find", BUNDLES, "-name", min(left_out).hex).strip()
    worker.run("mv", path, "/root/blob")
    before = {name: staged_on(stage, name) for name in stage.lab.hosts}
    refused = run(stage.command("update_site", update_by_delta(stage)))
    worker.run("mv", "/root/blob", path)
    assert refused.status != 0
    assert "these nodes lack blobs: {'worker-0': 1}. Nothing was staged." in " ".join(refused.output.split())
    assert {name: staged_on(stage, name) for name in stage.lab.hosts} == before


def test_the_delta_is_staged_and_loaded_where_all_is_there(stage: Stage) -> None:
    stopped = run(stage.command("update_site", update_by_delta(stage)))
    assert "It can continue at 2099-01-01 00:00:00 UTC" in stopped.output
    names = [str(one.reference.by_digest()) for one in stage.releases[NEXT].images]
    folder = f"{BUNDLES}/{delta_of(stage).folder_name}/blobs/sha256"
    for node, host in stage.lab.hosts.items():
        held = stage.images_on(node)
        assert [held.get(name) for name in names] == [True] * len(names)
        alone = set(host.run("find", folder, "-type", "f", "-links", "1", "-printf", "%f\n").split())
        assert alone == {digest.hex for digest in delta_of(stage).blobs}, "what was left out takes no space again"
