# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A site's images brought by stores where nodes can and by loading where not; stores passed on; the cluster's way."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.image_stores.endpoint import Endpoint
from ansible_collections.fieldops.openshift.tests.integration.image_stores.store_node import StoreNode
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    BUNDLES,
    Controller,
    Ended,
    listed,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost

pytestmark = pytest.mark.long

TASKS = COLLECTIONS / "ansible_collections/fieldops/openshift/playbooks/tasks"
POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools"
CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version"
CURRENT_CONFIG = "/etc/machine-config-daemon/currentconfig"
Task = dict[str, t.Any]


def role(name: str, given: Task, tasks_from: str = "main") -> Task:
    """Return the task that includes a role, ``given`` variables without the prefix that those of a role have."""
    prefixed = {f"{name}_{key}": value for key, value in given.items()}
    return {
        "ansible.builtin.include_role": {"name": f"fieldops.openshift.{name}", "tasks_from": tasks_from},
        "vars": prefixed,
    }


def bringing(lab: Lab, bundle: WrittenBundle, names: list[str]) -> list[Task]:
    """Return how a site brings images with site_image_store set: what playbooks/tasks/bring_images.yml does then."""
    digest = str(bundle.index.digest)
    nodes = [{"name": name, "addresses": [lab.hosts[name].address], "zone": "", "pool": "worker"} for name in names]
    source = {
        "url": "{{ serve_bundle_relay.url }}",
        "ca": "{{ serve_bundle_relay.ca }}",
        "token_file": "{{ serve_bundle_token_file }}",
    }
    known = {"play_update": {"digest": digest}, "play_node_names": names, "play_image_nodes": nodes}
    serve: Task = {"index_digest": digest, "path": str(bundle.folder)}
    serve["allowed_addresses"] = [lab.hosts[name].address for name in names]
    wanted: Task = {"nodes": "{{ play_nodes_to_load }}", "index_digest": digest, "keep_free_percent": 1}
    some = "play_nodes_to_load | length > 0"
    mounted = {
        "ansible.builtin.include_tasks": str(TASKS / "use_image_stores.yml"),
        "vars": {
            "site_keep_free_percent": 1,
            "site_settings": "{{ lookup('fieldops.openshift.site_settings', 'update_site') }}",
        },
    }
    stage = {**role("stage_bundle", {**wanted, "sources": [source]}), "when": some}
    return [
        {"ansible.builtin.set_fact": known},
        {
            "block": [role("serve_bundle", serve), mounted, stage],
            "always": [role("serve_bundle", {"index_digest": digest}, "stop")],
        },
        {**role("serve_images", {"nodes": wanted["nodes"], "block_registries": "always"}), "when": some},
        {**role("load_images", wanted), "when": some},
        role("pin_images", {"nodes": names, "index_digest": digest}),
        role("load_images", {"nodes": names, "index_digest": digest}, "prove"),
    ]


@pytest.fixture
def newcomer(lab: Lab, tmp_path: Path, fresh_node: Callable[..., NodeHost]) -> StoreNode:
    """A host that was never configured for stores."""
    made = StoreNode(lab, fresh_node().name, Controller(lab, tmp_path))
    made.give_loop_devices()
    return made


def blobs_of(node: StoreNode) -> set[str]:
    return set(node.host.run("sh", "-c", f"ls {BUNDLES}/*/blobs/sha256 2>/dev/null || true").split())


def test_nodes_that_proved_a_mount_load_nothing_and_all_others_do(
    lab: Lab, node: StoreNode, newcomer: StoreNode, bundle: WrittenBundle, tmp_path: Path
) -> None:
    controller = Controller(lab, tmp_path)
    play = str(controller.play_of(bringing(lab, bundle, [node.host.name, newcomer.host.name])))
    first = controller.play(play)
    assert first.rc == 0, first.output
    assert f"{newcomer.host.name}: storage.conf on this node does not list the slots" in first.output
    (slot,) = node.slots()
    assert (slot["state"], slot["lacking"]) == ("mounted", [])
    assert newcomer.slots() == []
    assert blobs_of(node) == {bundle.index.stores[0].digest.hex}, "no blob of an image came to it"
    for one in (node, newcomer):
        assert dict.fromkeys(bundle.names, True).items() <= listed(one.host).items(), one.host.name
    again = controller.play(play)
    assert (again.rc, again.changed) == (0, 0), again.output


def test_one_stick_serves_all_nodes(
    lab: Lab, node: StoreNode, newcomer: StoreNode, bundle: WrittenBundle, tmp_path: Path
) -> None:
    newcomer.ok("node_image_store", state="configured")
    names = [node.host.name, newcomer.host.name]
    wanted: Task = {
        "nodes": names,
        "index_digest": str(bundle.index.digest),
        "src_by_node": {node.host.name: node.plug_in(bundle)},
        "addresses": {name: [lab.hosts[name].address] for name in names},
        "keep_free_percent": 1,
        "timeout": 240,
    }
    controller = Controller(lab, tmp_path)
    ended = controller.play(str(controller.play_of([role("use_image_store", wanted)])))
    assert ended.rc == 0, ended.output
    assert [one.slots()[0]["state"] for one in (node, newcomer)] == ["mounted", "mounted"]
    for one in (node, newcomer):
        assert one.host.run("systemctl", "list-units", "--all", "--no-legend", "fieldops-relay*") == ""
    again = controller.play(str(controller.play_of([role("use_image_store", wanted)])))
    assert (again.rc, again.changed) == (0, 0), again.output


def test_after_an_update_only_the_stores_that_it_stands_on_stay(
    lab: Lab, node: StoreNode, endpoint: Endpoint, tmp_path: Path
) -> None:
    for one in (endpoint.rebuilt, endpoint.whole, endpoint.delta):
        assert node.mount(one)["decision"] == "store"
    kept = {"nodes": [node.host.name], "index_digest": str(endpoint.delta.index.digest)}
    controller = Controller(lab, tmp_path)
    play = str(controller.play_of([role("use_image_store", kept, "remove_earlier")]))
    ended = controller.play(play)
    assert (ended.rc, ended.changed) == (0, 1), ended.output
    left = {slot["store"]["index_digest"] for slot in node.slots()}
    assert left == {str(endpoint.whole.index.digest), str(endpoint.delta.index.digest)}
    again = controller.play(play)
    assert (again.rc, again.changed) == (0, 0), again.output


@pytest.fixture
def tell_history(lab: Lab) -> Iterator[Callable[..., None]]:
    """Say which releases the cluster had, the newest first, and whether the newest is complete."""
    before = lab.api.rest.get(CLUSTER_VERSION)["status"]

    def tell(*bundles: WrittenBundle, state: str = "Completed") -> None:
        entries = [
            {
                "state": "Completed" if number else state,
                "version": one.index.version,
                "image": str(one.index.release),
                "startedTime": f"2026-11-{21 - number}T20:00:00Z",
                "completionTime": f"2026-11-{21 - number}T21:00:00Z",
                "verified": True,
            }
            for number, one in enumerate(bundles)
        ]
        desired = {"version": entries[0]["version"], "image": entries[0]["image"]}
        lab.api.rest.merge(f"{CLUSTER_VERSION}/status", {"status": {"history": entries, "desired": desired}})

    yield tell
    lab.api.rest.merge(f"{CLUSTER_VERSION}/status", {"status": {key: before[key] for key in ("history", "desired")}})


def test_the_clean_up_after_an_update_takes_stores_that_nobody_needs_any_more(
    lab: Lab, node: StoreNode, endpoint: Endpoint, tmp_path: Path, tell_history: Callable[..., None]
) -> None:
    for one in (endpoint.rebuilt, endpoint.whole, endpoint.delta):
        assert node.mount(one)["decision"] == "store"
    controller = Controller(lab, tmp_path)

    def clean_up() -> Ended:
        name = "fieldops.openshift.clean_up_bundle"
        return controller.play(name, site_nodes=[node.host.name], site_image_store=True)

    def left() -> set[str]:
        return {slot["store"]["index_digest"] for slot in node.slots()}

    rebuilt, whole, delta = (str(one.index.digest) for one in (endpoint.rebuilt, endpoint.whole, endpoint.delta))
    tell_history(endpoint.delta, endpoint.whole, state="Partial")
    refused = clean_up()
    assert (refused.rc, left()) == (2, {rebuilt, whole, delta}), refused.output
    tell_history(endpoint.whole)
    early = clean_up()
    assert (early.rc, left()) == (0, {rebuilt, whole, delta}), "the release of the delta is yet to come"
    tell_history(endpoint.delta, endpoint.whole)
    done = clean_up()
    assert (done.rc, left()) == (0, {whole, delta}), done.output
    again = clean_up()
    assert (again.rc, again.changed) == (0, 0), again.output


def test_the_cluster_is_given_the_slots_while_its_pool_is_paused(lab: Lab, newcomer: StoreNode, tmp_path: Path) -> None:
    newcomer.host.run("mkdir", "-p", CURRENT_CONFIG.rpartition("/")[0])
    newcomer.host.run("touch", CURRENT_CONFIG)
    kind = "/apis/machineconfiguration.openshift.io/v1/containerruntimeconfigs/fieldops-image-stores-worker"
    config = "/apis/machineconfiguration.openshift.io/v1/machineconfigs/99-worker-fieldops-image-stores"
    was_paused = bool(lab.api.rest.get(f"{POOLS}/worker")["spec"].get("paused"))
    controller = Controller(lab, tmp_path)
    given = {"nodes_by_pool": {"worker": [newcomer.host.name]}}
    play = str(controller.play_of([role("use_image_store", given, "apply")]))
    try:
        lab.api.rest.merge(f"{POOLS}/worker", {"spec": {"paused": False}})
        refused = controller.play(play)
        assert refused.rc == 2, refused.output
        assert "its nodes would be rebooted only for this change" in refused.output
        lab.api.rest.merge(f"{POOLS}/worker", {"spec": {"paused": True}})
        done = controller.play(play)
        assert (done.rc, done.changed) == (0, 1), done.output
        assert (lab.api.rest.exists(kind), lab.api.rest.exists(config)) == (True, True)
        again = controller.play(play)
        assert (again.rc, again.changed) == (0, 0), again.output
    finally:
        for path in (kind, config):
            if lab.api.rest.exists(path):
                lab.api.rest.delete(path)
        lab.api.rest.merge(f"{POOLS}/worker", {"spec": {"paused": was_paused}})
