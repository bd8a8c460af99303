# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A release that is a mounted file: configured once, mounted, run from, kept over reboots, extended and removed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.image_stores.endpoint import Endpoint
from ansible_collections.fieldops.openshift.tests.integration.image_stores.store_node import StoreNode
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import Controller, listed
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

pytestmark = pytest.mark.long

STORAGE_CONF = "/etc/containers/storage.conf"


def image(bundle: WrittenBundle, component: str) -> str:
    return next(str(one.name) for one in bundle.index.images if one.component == component)


def new_image(delta: WrittenBundle, base: WrittenBundle) -> str:
    """Return an image with a shell that only the delta has."""
    return next(name for name in delta.names if name not in base.names and "art-dev" in name)


def test_a_host_is_configured_once(
    lab: Lab, bundle: WrittenBundle, tmp_path: Path, fresh_node: Callable[..., NodeHost]
) -> None:
    node = StoreNode(lab, fresh_node().name, Controller(lab, tmp_path))
    before = node.mount(bundle)
    assert (before["decision"], before["changed"]) == ("load", False)
    assert "does not list the slots" in before["reason"]
    checked = node.ok("node_image_store", "--check", state="configured")
    assert (checked["changed"], f"{node.host.name}" in str(checked["actions"])) == (True, False)
    assert "additionalimagestores" not in node.host.run("cat", STORAGE_CONF)
    done = node.ok("node_image_store", state="configured")
    assert done["changed"] is True
    assert done["storage_conf"]["after"] == node.host.run("cat", STORAGE_CONF)
    again = node.ok("node_image_store", state="configured")
    assert (again["changed"], again["actions"]) == (False, [])
    told = node.ok("node_info", gather=["image_stores"])["image_stores"]
    assert (told["configured"], told["managed"], [slot["state"] for slot in told["slots"]]) == (
        True,
        False,
        ["empty"] * 4,
    )


def test_pods_run_from_a_store_that_was_mounted_and_nothing_can_remove_its_images(
    node: StoreNode, bundle: WrittenBundle, lab_namespace: str
) -> None:
    done = node.mount(bundle)
    assert (done["decision"], done["changed"], done["at_boot"]) == ("store", True, True), done
    assert node.has(bundle)
    assert all(listed(node.host)[name] for name in bundle.names), "pinned"
    node.host.run("rm", "-rf", "/var/lib/fieldops/bundles")
    assert node.mount(bundle, src="")["decision"] == "store"
    asked = node.ok("node_info", index_digest=str(bundle.index.digest))
    assert (asked["ready"], asked["lacking"]) == (True, []), "the gate before an update knows the bundle again"
    again = node.mount(bundle, src="")
    assert (again["decision"], again["changed"], again["actions"]) == ("store", False, [])
    node.start_pod("etcd", image(bundle, "etcd"), lab_namespace)
    node.host.run("crictl", "--timeout", "1m", "rmi", image(bundle, "cli"), check=False)
    assert node.has(bundle)
    in_use = node.refused("image_store", "node_image_store", state="absent", index_digest=str(bundle.index.digest))
    assert in_use["layers"], in_use
    assert node.has(bundle)
    node.delete_pod("etcd", lab_namespace)
    gone = node.remove(bundle)
    assert (gone["changed"], gone["removed"]) == (True, [str(bundle.index.stores[0].digest)])
    assert not set(bundle.names) & set(listed(node.host))
    assert node.host.run("sh", "-c", f"ls {node.file_of(bundle)} 2>/dev/null || true") == ""
    assert node.slots() == []
    assert node.remove(bundle)["changed"] is False


def test_after_a_reboot_it_is_verified_and_mounted_before_anything_runs(
    lab: Lab, node: StoreNode, bundle: WrittenBundle, lab_namespace: str
) -> None:
    node.mount(bundle)
    node.unplug(bundle)
    lab.reboot(node.host.name)
    lab.wait_ready([node.host.name])
    node.start_pod("etcd", image(bundle, "etcd"), lab_namespace)
    (slot,) = node.slots(index_digest=str(bundle.index.digest))
    assert (slot["state"], slot["lacking"]) == ("mounted", [])
    number = slot["slot"]
    moments = {
        f"fieldops-store-verify-slot{number}.service": "ExecMainExitTimestampMonotonic",
        f"var-lib-fieldops-stores-slot{number}.mount": "ActiveEnterTimestampMonotonic",
        "crio.service": "ExecMainStartTimestampMonotonic",
    }
    answers = (node.host.run("systemctl", "show", "-P", moment, unit) for unit, moment in moments.items())
    verified, mounted, started = (int(answer) for answer in answers)
    assert 0 < verified <= mounted < started
    node.delete_pod("etcd", lab_namespace)


def test_a_delta_runs_over_its_base_and_only_over_that_one(
    lab: Lab, node: StoreNode, endpoint: Endpoint, lab_namespace: str
) -> None:
    lonely = node.mount(endpoint.delta)
    assert (lonely["decision"], node.slots()) == ("load", [])
    assert str(endpoint.whole.index.stores[0].digest) in lonely["reason"]
    node.mount(endpoint.rebuilt)
    wrong = node.mount(endpoint.delta)
    assert wrong["decision"] == "load"
    assert str(endpoint.rebuilt.index.stores[0].digest) in wrong["reason"]
    node.remove(endpoint.rebuilt)
    base, over = node.mount(endpoint.whole), node.mount(endpoint.delta)
    assert (base["decision"], over["decision"]) == ("store", "store"), over
    assert over["slot"] < base["slot"], "the newest is found first"
    assert node.has(endpoint.delta)
    assert node.has(endpoint.whole)
    node.start_pod("new", new_image(endpoint.delta, endpoint.whole), lab_namespace)
    held = node.refused(
        "image_store", "node_image_store", state="absent", index_digest=str(endpoint.whole.index.digest)
    )
    assert held["deltas"] == [str(endpoint.delta.index.stores[0].digest)]
    node.delete_pod("new", lab_namespace)
    lab.reboot(node.host.name)
    lab.wait_ready([node.host.name])
    node.start_pod("again", new_image(endpoint.delta, endpoint.whole), lab_namespace)
    node.delete_pod("again", lab_namespace)
    node.remove(endpoint.delta)
    node.remove(endpoint.whole)
    assert node.slots() == []


def test_erofs_is_tried_and_the_host_says_whether_it_can(node: StoreNode, endpoint: Endpoint) -> None:
    done = node.mount(endpoint.erofs)
    assert done["decision"] in ("store", "load")
    assert node.has(endpoint.erofs) == (done["decision"] == "store"), done


def test_an_image_that_is_loaded_and_in_a_store_survives_the_store(node: StoreNode, bundle: WrittenBundle) -> None:
    chosen = {"index_digest": str(bundle.index.digest), "images": ["etcd"], "keep_free_percent": 1, "wait": True}
    node.ok("node_bundle", **chosen, src=node.plug_in(bundle))
    node.ok("image_source", block_registries="always")
    node.ok("node_images", **chosen)
    assert node.mount(bundle)["decision"] == "store"
    assert node.has(bundle)
    node.remove(bundle)
    left = set(listed(node.host)) & set(bundle.names)
    assert left == {image(bundle, "etcd")}


def test_podman_finds_the_os_image_as_the_machine_config_daemon_asks_for_it(
    node: StoreNode, bundle: WrittenBundle
) -> None:
    node.mount(bundle)
    name = image(bundle, "rhel-coreos")
    asked = ["podman", "images", "--format=json", "--filter", f"reference={name}"]
    (found,) = json.loads(node.host.run(*asked))
    assert name in found["RepoDigests"]
    # Its podmanCopy; "podman image mount" is not among what it does, and refuses a read-only store.
    made = node.host.run("podman", "create", "--net=none", name, "/none").strip()
    node.host.run("podman", "cp", f"{made}:/", "/var/tmp/copied")
    assert node.host.run("ls", "/var/tmp/copied")
    node.host.run("podman", "rm", made)
    node.host.run("rm", "-rf", "/var/tmp/copied")


def test_check_mode_changes_nothing(node: StoreNode, bundle: WrittenBundle) -> None:
    seen = node.ok("node_image_store", "--check", **node.wanted(bundle))
    assert (seen["changed"], seen["decision"], seen["actions"][0]["action"]) == (True, None, "mount")
    assert node.slots() == []
    node.mount(bundle)
    checked = node.ok("node_image_store", "--check", state="absent", index_digest=str(bundle.index.digest))
    assert (checked["changed"], len(node.slots())) == (True, 1)


def test_a_bundle_without_a_store_is_loaded(node: StoreNode, endpoint: Endpoint) -> None:
    done = node.mount(endpoint.plain)
    assert (done["decision"], done["reason"]) == ("load", "the bundle has no image store")
