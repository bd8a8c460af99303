# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A site that says which images the nodes of a pool need: staged, loaded, pinned, proved and kept are these alone."""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.cluster_history import came_to
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    BUNDLES,
    Controller,
    Ended,
    forget_everything,
    listed,
    plug_in,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS
from ansible_collections.fieldops.openshift.tests.lab.actors.pinned_images import SETS, CrioOnHost, PinnedImages
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.machine_config_controller import machine_config_controller

pytestmark = pytest.mark.long

PLAYBOOK = "fieldops.openshift.stage_bundle"
UPDATE = "fieldops.openshift.update_site"
GATE = COLLECTIONS / "ansible_collections/fieldops/openshift/playbooks/tasks/prove_images.yml"
NODES = ["master-0", "worker-0"]
ALL_NODES = [*NODES, "worker-1"]
POOLS = {"master-0": "master", "worker-0": "worker", "worker-1": "worker"}
CHOICE = {"worker": ["cli", "etcd"]}
WITH_OS = {"worker": [*CHOICE["worker"], "rhel-coreos"]}


class Site:
    """Plays over the nodes of the lab, and what these then hold of the bundle."""

    def __init__(self, lab: Lab, controller: Controller, bundle: WrittenBundle) -> None:
        self.lab = lab
        self.controller = controller
        self.bundle = bundle
        self.digest = str(bundle.index.digest)
        self.few = [image for image in bundle.index.images if image.component in CHOICE["worker"]]
        self.few_names = {str(image.name) for image in self.few}

    def variables(self, **changes: t.Any) -> dict[str, t.Any]:
        given = {
            "site_nodes": NODES,
            "site_bundle_digest": self.digest,
            "site_keep_free_percent": 1,
            "site_images_by_pool": CHOICE,
            "site_pools_by_node": POOLS,
            **changes,
        }
        drives = {name: plug_in(self.lab, name, self.bundle) for name in given["site_nodes"]}
        return {"site_bundle_src_by_node": drives, **given}

    def stage(self, **changes: t.Any) -> Ended:
        return self.controller.play(PLAYBOOK, **self.variables(**changes))

    def gate(self, **variables: t.Any) -> Ended:
        update = {"rollout": "update-4.21.3", "digest": self.digest}
        tasks = [{"name": "Gate", "ansible.builtin.include_tasks": str(GATE)}]
        path = str(self.controller.play_of(tasks))
        by_pool = variables.get("site_images_by_pool", {})
        return self.controller.play(path, play_update=update, play_images_by_pool=by_pool, **variables)

    def path_of_set(self, pool: str) -> str:
        """Return where the PinnedImageSet of a pool is in the cluster, if there is one."""
        return f"{SETS}/fieldops-{pool}"

    def pinned_for(self, pool: str) -> set[str]:
        """Return the images that it names."""
        return {one["name"] for one in self.lab.api.rest.get(self.path_of_set(pool))["spec"]["pinnedImages"]}

    def has(self, name: str) -> set[str]:
        """Return the images of the bundle that CRI-O on a node lists."""
        return set(self.bundle.names) & set(listed(self.lab.hosts[name]))

    def keeps(self, name: str) -> set[str]:
        """Return those that it says are pinned."""
        images = listed(self.lab.hosts[name])
        return {image for image in self.bundle.names if images.get(image)}

    def blobs(self, name: str) -> set[str]:
        """Return the blobs of bundles that lie on a node, by their names."""
        return set(self.lab.hosts[name].run("sh", "-c", f"ls {BUNDLES}/*/blobs/sha256 2>/dev/null || true").split())

    @property
    def few_blobs(self) -> set[str]:
        """The blobs of the chosen images."""
        return {digest.hex for image in self.few for digest in image.blobs()}


@pytest.fixture
def machine_config_operator(lab: Lab) -> Iterator[None]:
    """The operator's controller, and its daemon on each node."""
    with contextlib.ExitStack() as running:
        running.enter_context(machine_config_controller(lab.api))
        for name in ALL_NODES:
            running.enter_context(PinnedImages(lab.api.rest, name, CrioOnHost(lab.hosts[name])))
        yield


@pytest.fixture
def site(lab: Lab, controller: Controller, bundle: WrittenBundle) -> Iterator[Site]:
    found = Site(lab, controller, bundle)
    yield found
    for path in map(found.path_of_set, sorted(set(POOLS.values()))):
        if lab.api.rest.exists(path):
            lab.api.rest.delete(path)
    for name in ALL_NODES:
        forget_everything(lab.hosts[name], bundle.names)


def succeeded(ended: Ended) -> Ended:
    assert ended.rc == 0, ended.output
    return ended


def refused(ended: Ended, *words: str) -> None:
    """Require that a play ended with an error that says ``words``."""
    assert ended.rc == 2, ended.output
    told = " ".join(ended.output.replace("\\n", " ").split())
    for word in words:
        assert word in told, ended.output


def test_nodes_get_keep_and_are_asked_for_what_their_pool_needs(site: Site) -> None:
    assert len(site.few) == 2
    succeeded(site.stage())
    assert site.has("worker-0") == site.keeps("worker-0") == site.few_names
    assert site.blobs("worker-0") == site.few_blobs < site.blobs("master-0")
    assert site.has("master-0") == site.keeps("master-0") == set(site.bundle.names)
    assert succeeded(site.stage()).changed == 0

    late = site.gate(site_images_by_pool=CHOICE)
    refused(late, "worker-1 does not have the")
    assert "worker-0 lacks" not in late.output
    succeeded(site.stage(site_nodes=["worker-0", "worker-1"]))
    succeeded(site.gate(site_images_by_pool=CHOICE))
    refused(site.gate(), "worker-0 does not serve quay.io/")


def test_what_a_node_has_beside_its_choice_stays(site: Site) -> None:
    succeeded(site.stage(site_nodes=["worker-0"], site_images_by_pool={}))
    before = site.blobs("worker-0")
    assert succeeded(site.stage(site_nodes=["worker-0"])).changed == 0
    assert site.has("worker-0") == site.keeps("worker-0") == set(site.bundle.names)
    assert site.blobs("worker-0") == before


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        pytest.param(
            {"site_images_by_pool": {"worker": ["cli", "ose-cli"]}},
            ["images: ose-cli", "has no image of that name or component"],
            id="a component that the bundle does not have",
        ),
        pytest.param({"site_pools_by_node": {}}, ["their pool is unknown"], id="no pool is known"),
        pytest.param({"site_images_by_pool": {"worker": "cli"}}, ["it is not a list of names"], id="a word"),
    ],
)
def test_what_is_refused_before_anything_is_copied(site: Site, changes: dict[str, t.Any], told: list[str]) -> None:
    refused(site.stage(**changes), *told)
    assert [site.blobs(name) for name in NODES] == [set(), set()]


@pytest.mark.usefixtures("machine_config_operator")
def test_the_update_of_a_site_brings_what_its_pools_need(site: Site) -> None:
    given: dict[str, t.Any] = {
        "site_bundle": str(site.bundle.folder),
        "site_bundle_digest": site.digest,
        "site_phases": ["images"],
        "site_pools": ["worker"],
        "site_keep_free_percent": 1,
    }
    unknown = site.controller.play(UPDATE, **given, site_images_by_pool={"worker": ["ose-cli"]})
    refused(unknown, "images: ose-cli", "has no image of that name or component")
    assert [site.blobs(name) for name in ALL_NODES] == [set(), set(), set()]
    done = succeeded(site.controller.play(UPDATE, **given, site_images_by_pool=CHOICE))
    assert f"2 of {len(site.bundle.names)} images are loaded and pinned on 2 nodes." in done.output
    for name in ("worker-0", "worker-1"):
        assert site.has(name) == site.keeps(name) == site.few_names
        assert site.blobs(name) == site.few_blobs
    assert site.blobs("master-0") == set()
    assert not site.lab.api.rest.exists(site.path_of_set("worker"))


def passed_on(site: Site, images_by_node: dict[str, list[str]]) -> dict[str, dict[str, int]]:
    """Let all nodes pass the bundle on, from a drive in worker-1; return the bytes that each has from which other."""
    addresses = {name: [site.lab.hosts[name].address] for name in ALL_NODES}
    given = {
        "stage_bundle_nodes": ALL_NODES,
        "stage_bundle_index_digest": site.digest,
        "stage_bundle_addresses": addresses,
        "stage_bundle_src_by_node": {"worker-1": plug_in(site.lab, "worker-1", site.bundle)},
        "stage_bundle_images_by_node": images_by_node,
        "stage_bundle_keep_free_percent": 1,
        "stage_bundle_method": "chain",
    }
    stage = {"ansible.builtin.include_role": {"name": "fieldops.openshift.stage_bundle"}, "vars": given}
    told = {"name": "Task under test", "ansible.builtin.debug": {"msg": "{{ stage_bundle_received }}"}}
    ended = succeeded(site.controller.play(str(site.controller.play_of([stage, told]))))
    owners = {address: node for node, (address,) in addresses.items()}
    return {
        name: {owners.get(url.split("/")[2].split(":")[0], url): size for url, size in one["by_source"].items()}
        for name, one in ended.result["msg"].items()
    }


def test_a_node_with_few_images_is_no_source_of_others_for_the_next_one(site: Site) -> None:
    received = passed_on(site, {"master-0": CHOICE["worker"]})
    assert site.blobs("master-0") == site.few_blobs
    assert site.blobs("worker-0") == site.blobs("worker-1") == {digest.hex for digest in site.bundle.index.blobs}
    # Its name comes first, its place in the chain does not.
    assert received["worker-0"].keys() == {"worker-1"}
    assert "worker-0" in received["master-0"]


def test_a_late_node_gets_its_choice_from_one_that_has_no_more_either(site: Site) -> None:
    succeeded(site.stage(site_nodes=["worker-0"]))
    addresses = {name: [site.lab.hosts[name].address] for name in ALL_NODES}
    late = site.stage(site_nodes=["worker-0", "worker-1"], site_bundle_src_by_node={}, site_addresses_by_node=addresses)
    succeeded(late)
    assert site.has("worker-1") == site.keeps("worker-1") == site.few_names


@pytest.mark.usefixtures("machine_config_operator")
def test_the_set_of_a_pool_names_none_beside_its_choice(site: Site) -> None:
    wanted: dict[str, t.Any] = {
        "site_nodes": ALL_NODES,
        "site_pin_method": "pinned_image_set",
        "site_images_by_pool": WITH_OS,
    }
    succeeded(site.stage(**wanted))
    of_os = {one.component: str(one.name) for one in site.bundle.index.images if one.reason == "os_image"}
    assert site.pinned_for("worker") == {of_os["rhel-coreos"]}
    assert site.pinned_for("master") == {*of_os.values()}
    few = {*site.few_names, of_os["rhel-coreos"]}
    assert {name: site.keeps(name) for name in ALL_NODES} == {
        "master-0": set(site.bundle.names),
        "worker-0": few,
        "worker-1": few,
    }
    assert succeeded(site.stage(**wanted)).changed == 0
    none = site.stage(**{**wanted, "site_images_by_pool": CHOICE})
    refused(none, "pool worker", "none of the images that hosts need is selected")


@pytest.fixture
def history(lab: Lab, bundle: WrittenBundle) -> Iterator[None]:
    """The cluster has come to the release."""
    with came_to(lab, bundle.index):
        yield


@pytest.mark.usefixtures("history")
def test_the_clean_up_keeps_what_each_pool_needs(site: Site) -> None:
    succeeded(site.stage())
    cleaned = site.controller.play("fieldops.openshift.clean_up_bundle", site_nodes=NODES)
    assert succeeded(cleaned).changed == 0
    assert site.keeps("worker-0") == site.few_names
    assert site.keeps("master-0") == set(site.bundle.names)
    assert site.blobs("worker-0") == site.few_blobs
