# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The roles: a store made by the playbook, and nodes that run from it where they can and say why where they cannot."""

from __future__ import annotations

import os
import shutil
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.image_stores.endpoint import Endpoint
from ansible_collections.fieldops.openshift.tests.integration.image_stores.store_node import StoreNode
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import Controller
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

pytestmark = pytest.mark.long

ROLE = "fieldops.openshift.use_image_store"


def test_the_playbook_makes_a_store_once(lab: Lab, endpoint: Endpoint, tmp_path: Path) -> None:
    folder = tmp_path / "bundle"
    shutil.copytree(endpoint.plain.folder, folder, copy_function=os.link)
    variables = {"site_bundle": str(folder), "site_store_scratch": str(tmp_path), "ansible_become": False}
    controller = Controller(lab, tmp_path)
    first = controller.play("fieldops.openshift.create_image_store", **variables)
    assert (first.rc, first.changed) == (0, 1), first.output
    assert "has the image store sha256:" in first.output
    assert controller.play("fieldops.openshift.create_image_store", **variables).changed == 0


def test_nodes_decide_for_themselves_and_the_play_knows_who_loads(
    lab: Lab, node: StoreNode, bundle: WrittenBundle, tmp_path: Path
) -> None:
    other = StoreNode(lab, "worker-1", None)
    chosen = {
        "use_image_store_nodes": [node.host.name, other.host.name],
        "use_image_store_index_digest": str(bundle.index.digest),
        "use_image_store_src_by_node": {one.host.name: one.plug_in(bundle) for one in (node, other)},
        "use_image_store_keep_free_percent": 1,
        "use_image_store_timeout": 200,
    }
    mount = {"ansible.builtin.include_role": {"name": ROLE}, "vars": chosen}
    shown = "{{ [use_image_store_summary | dictsort, use_image_store_to_load] | to_json }}"
    tasks: list[dict[str, t.Any]] = [
        {"name": "Mount", **mount},
        {"name": "Show", "ansible.builtin.debug": {"msg": f"FACTS {shown}"}},
        {"name": "Remove", **mount, "ansible.builtin.include_role": {"name": ROLE, "tasks_from": "remove"}},
    ]
    controller = Controller(lab, tmp_path)
    ended = controller.play(str(controller.play_of(tasks)))
    assert ended.rc == 0, ended.output
    assert "worker-1: storage.conf on this node does not list the slots" in ended.output
    said = ended.output.replace("\\", "")
    assert '[["worker-0", "store"], ["worker-1", "load"]], ["worker-1"]' in said, ended.output
    assert node.slots() == []
    other.unplug(bundle)
