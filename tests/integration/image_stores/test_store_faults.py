# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What goes wrong with image stores: each ends with working images or a clear refusal."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.integration.image_stores.endpoint import Endpoint
from ansible_collections.fieldops.openshift.tests.integration.image_stores.store_node import STORES, StoreNode
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

pytestmark = pytest.mark.long

CURRENT_CONFIG = "/etc/machine-config-daemon/currentconfig"


def flip_a_byte(node: StoreNode, path: str) -> None:
    """Change the file where it lies; all its names show it."""
    node.host.run("sh", "-c", f"chmod u+w {path}; printf x | dd of={path} bs=1 seek=5000 conv=notrunc 2>/dev/null")


def stage(node: StoreNode, bundle: WrittenBundle) -> str:
    """Let the job receive the store without the module that mounts it, and return its staged blob."""
    (store,) = bundle.index.stores
    staged = f"/var/lib/fieldops/bundles/{bundle.index.folder_name}"
    node.host.run("sh", "-c", f"mkdir -p {staged} && cp -r {node.plug_in(bundle)}/. {staged}")
    return f"{staged}/blobs/sha256/{store.digest.hex}"


def test_a_flipped_byte_is_an_error_and_the_file_is_fetched_again(node: StoreNode, bundle: WrittenBundle) -> None:
    flip_a_byte(node, stage(node, bundle))
    told = node.refused("wrong_content", "node_image_store", **node.wanted(bundle))
    assert "does not match the accepted index" in told["msg"]
    assert (node.slots(), node.has(bundle)) == ([], False)
    assert node.mount(bundle)["decision"] == "store"
    assert node.has(bundle)


def test_bytes_that_a_disk_lost_are_found_at_the_next_boot(lab: Lab, node: StoreNode, bundle: WrittenBundle) -> None:
    node.mount(bundle)
    flip_a_byte(node, node.file_of(bundle))
    lab.reboot(node.host.name)
    lab.wait_ready([node.host.name])
    (slot,) = node.slots()
    assert (slot["state"], len(slot["lacking"])) == ("unmounted", len(bundle.names))
    node.refused("wrong_content", "node_image_store", **node.wanted(bundle))
    assert node.mount(bundle)["decision"] == "store"


def test_a_half_copied_file_is_replaced(node: StoreNode, bundle: WrittenBundle) -> None:
    node.host.run("sh", "-c", f"mkdir -p {STORES}; head -c 9000 {stage(node, bundle)} > {node.file_of(bundle)}")
    assert node.mount(bundle)["decision"] == "store"


def test_power_lost_at_any_moment_is_followed_by_the_same_command(
    lab: Lab, node: StoreNode, bundle: WrittenBundle
) -> None:
    node.ok("node_image_store", **node.wanted(bundle, wait=False))
    node.host.lose_power()
    node.host.power_on()
    lab.wait_ready([node.host.name])
    assert node.mount(bundle)["decision"] == "store"
    node.host.lose_power()
    node.host.power_on()
    lab.wait_ready([node.host.name])
    assert node.mount(bundle)["changed"] is False
    assert node.has(bundle)


def test_crio_that_started_before_the_mount_sees_it_all_the_same(node: StoreNode, bundle: WrittenBundle) -> None:
    slot = node.mount(bundle)["slot"]
    unit = f"var-lib-fieldops-stores-slot{slot}.mount"
    node.host.run("systemctl", "stop", unit)
    # Otherwise systemd starts what CRI-O wants, and the store is mounted again before it.
    node.host.run("systemctl", "--job-mode=ignore-dependencies", "restart", "crio")
    assert node.slots()[0]["state"] == "unmounted"
    node.host.run("systemctl", "start", unit)
    (seen,) = node.slots()
    assert (seen["state"], seen["lacking"]) == ("mounted", [])


def test_a_store_removed_by_hand_is_told_and_brought_again(node: StoreNode, bundle: WrittenBundle) -> None:
    slot = node.mount(bundle)["slot"]
    node.host.run("sh", "-c", f"umount {STORES}/slot{slot}; rm {node.file_of(bundle)}")
    assert node.slots()[0]["state"] == "lost"
    assert node.mount(bundle)["decision"] == "store"
    assert node.has(bundle)


def test_a_store_that_the_kernel_does_not_mount_is_loaded_instead(node: StoreNode, endpoint: Endpoint) -> None:
    done = node.mount(endpoint.unmountable)
    assert done["decision"] == "load"
    assert "mount" in done["reason"]
    assert node.slots() == []
    assert node.host.run("sh", "-c", f"ls {STORES}/*.squashfs 2>/dev/null || true") == ""
    assert node.host.run("sh", "-c", "ls /etc/systemd/system | grep -c fieldops-stores || true").strip() == "0"


def test_a_store_from_which_no_container_starts_is_loaded_instead(node: StoreNode, bundle: WrittenBundle) -> None:
    done = node.mount(bundle, probe_command=["/usr/bin/false"])
    assert done["decision"] == "load"
    assert "ended with status 1" in done["reason"]
    assert (node.slots(), node.has(bundle)) == ([], False)


def test_a_proof_that_fails_later_unmounts_nothing_under_running_pods(
    node: StoreNode, bundle: WrittenBundle, lab_namespace: str
) -> None:
    slot = node.mount(bundle)["slot"]
    etcd = next(str(one.name) for one in bundle.index.images if one.component == "etcd")
    node.start_pod("etcd", etcd, lab_namespace)
    node.host.run("sed", "-i", 's/"proved": "[^"]*"/"proved": "another kernel"/', f"{STORES}/slot{slot}.json")
    wanted = node.wanted(bundle, probe_command=["/usr/bin/false"])
    told = node.refused("image_store", "node_image_store", **wanted)
    assert "it stays mounted" in told["msg"]
    assert node.has(bundle)
    node.delete_pod("etcd", lab_namespace)


def test_a_file_that_is_nowhere_is_asked_for(node: StoreNode, bundle: WrittenBundle) -> None:
    staged = stage(node, bundle)
    node.host.run("rm", "-f", staged)
    told = node.refused("image_store", "node_image_store", index_digest=str(bundle.index.digest), wait=True)
    assert "it is not staged on this node" in told["msg"]


def test_the_audit_finds_what_no_digest_of_the_file_can(
    node: StoreNode, bundle: WrittenBundle, endpoint: Endpoint
) -> None:
    node.mount(bundle)
    assert [slot["damage"] for slot in node.slots(audit=True)] == [[]]
    node.remove(bundle)
    assert node.mount(endpoint.tampered)["decision"] == "store"
    (slot,) = node.slots(audit=True)
    assert slot["damage"], slot
    assert all("its config lists" in one["problem"] for one in slot["damage"])


def test_a_machine_config_daemon_keeps_its_file_and_gets_documents(node: StoreNode) -> None:
    listing = node.host.run("cat", "/etc/containers/storage.conf")
    bare = "".join(line for line in listing.splitlines(keepends=True) if "additionalimagestores" not in line)
    node.host.write("/etc/containers/storage.conf", bare)
    node.host.run("mkdir", "-p", CURRENT_CONFIG.rpartition("/")[0])
    node.host.run("touch", CURRENT_CONFIG)
    try:
        told = node.refused("image_store", "node_image_store", state="configured", pool="worker")
        assert node.host.run("cat", "/etc/containers/storage.conf") == bare
        assert [one["kind"] for one in told["documents"]] == [
            "MachineConfig",
            "MachineConfig",
            "ContainerRuntimeConfig",
        ]
        rest = node.lab.api.rest
        for document in told["documents"]:
            assert rest.create(rest.path_of(document).rpartition("/")[0], document, dryRun="All")["metadata"]["uid"]
    finally:
        node.host.run("rm", CURRENT_CONFIG)
        node.host.write("/etc/containers/storage.conf", listing)
