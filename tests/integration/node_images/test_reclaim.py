# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A host with the images of two releases, from which those of the earlier one are removed."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.cluster_history import came_to
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    BUNDLES,
    DROP_INS,
    Controller,
    Ended,
    forget_everything,
    listed,
    plug_in,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.one_node import Node, succeeded
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.registry.release import ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import Rebuild, ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads

pytestmark = pytest.mark.long

LAYERS = "/var/lib/containers/storage/overlay"
PLAYBOOKS = Path(__file__).parents[3] / "playbooks"
REBUILDS = (Rebuild(0.5, keeps=1, including=("etcd", "cli")),)
POD = "/api/v1/namespaces/default/pods/of-before"


@dataclass(frozen=True)
class Updated:
    """A host that has come from the release of ``before`` to that of ``now``; no bundle of ``before`` is staged."""

    host: NodeHost
    controller: Controller
    before: WrittenBundle
    now: WrittenBundle

    @property
    def only_before(self) -> set[str]:
        """What the earlier release alone has."""
        return {str(one.name) for one in self.before.index.images if one.reason != "extra"} - set(self.now.names)

    def named(self, component: str) -> str:
        """Return the image that a component of the earlier release had."""
        return next(str(one.name) for one in self.before.index.images if one.component == component)

    def reclaim(self, *words: str, **options: t.Any) -> Ended:
        """Remove what was left behind."""
        reclaim = {
            "present": str(self.now.index.release),
            "left_behind": [str(self.before.index.release)],
            **options,
        }
        given = {"state": "absent", "reclaim": reclaim, "wait": True, "wait_timeout": 240}
        return succeeded(self.controller.task(self.host.name, "node_images", *words, **given))

    def taken(self) -> int:
        """Return the bytes that unpacked layers take, in kB of the disk."""
        return int(self.host.run("du", "-sk", LAYERS).split()[0])


@pytest.fixture(scope="module")
def later(factory: ReleaseFactory, tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """The next z-stream release, in which half of the images are other ones."""
    release = factory.release(ReleaseSpec(version="4.21.4", runnable=True, rebuilds=REBUILDS))
    return write_bundle(tmp_path_factory.mktemp("later") / "bundle", release)


@pytest.fixture
def updated(
    lab: Lab,
    bundle: WrittenBundle,
    later: WrittenBundle,
    controller: Controller,
    fresh_node: Callable[..., NodeHost],
) -> Updated:
    host = fresh_node()
    earlier = Node(lab, host, bundle, controller)
    earlier.has_images()
    Node(lab, host, later, controller).has_images()
    digest = str(bundle.index.digest)
    succeeded(controller.task(host.name, "node_bundle", index_digest=digest, state="absent"))
    return Updated(host, controller, bundle, later)


@pytest.fixture(scope="module")
def latest(factory: ReleaseFactory, tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """The one after that."""
    rebuilds = (*REBUILDS, Rebuild(0.5, keeps=1, including=("etcd", "cli")))
    release = factory.release(ReleaseSpec(version="4.21.5", runnable=True, rebuilds=rebuilds))
    return write_bundle(tmp_path_factory.mktemp("latest") / "bundle", release)


@pytest.fixture
def history(lab: Lab, updated: Updated) -> Iterator[None]:
    """The cluster has come from the one release to the other."""
    with came_to(lab, updated.now.index, updated.before.index):
        yield


@pytest.fixture
def ended_pod(lab: Lab, updated: Updated) -> Iterator[str]:
    """A pod of the earlier release's etcd that has come to its end; returns its image."""
    image = updated.named("etcd")
    pod = workloads.pod("of-before", image, node=updated.host.name)
    pod["spec"]["containers"][0]["command"] = ["/usr/bin/sh", "-c", "exit 0"]
    pod["spec"]["restartPolicy"] = "Never"
    lab.api.rest.apply(pod)
    wait_for(lambda: lab.api.rest.get(POD)["status"].get("phase") == "Succeeded", "the pod has ended", 120)
    yield image
    if lab.api.rest.exists(POD):
        lab.api.rest.delete(POD)


def test_what_only_the_earlier_release_has_goes_and_its_bytes_with_it(updated: Updated) -> None:
    held, taken = set(listed(updated.host)), updated.taken()
    checked = updated.reclaim("--check", "--diff").result
    assert set(listed(updated.host)) == held
    assert {one["name"] for one in checked["reclaim"]["images"]} == updated.only_before
    assert updated.only_before > {updated.named("etcd"), updated.named("cli")}
    done = updated.reclaim().result
    assert (done["changed"], done["reclaim"]["size"]) == (True, checked["reclaim"]["size"])
    assert set(listed(updated.host)) == held - updated.only_before
    freed = (taken - updated.taken()) * 1024
    assert 0.9 < freed / done["reclaim"]["size"] < 1.5, "small layers take whole blocks and folders besides"
    assert updated.reclaim().result["changed"] is False


def test_an_image_of_a_container_that_has_ended_goes_only_after_it(lab: Lab, updated: Updated, ended_pod: str) -> None:
    updated.reclaim()
    assert set(listed(updated.host)) & updated.only_before == {ended_pod, str(updated.before.index.release)}
    lab.api.rest.delete(POD)
    wait_for(lambda: not updated.host.run("crictl", "pods", "--quiet", "--name", "of-before"), "it is gone", 120)
    updated.reclaim()
    assert not set(listed(updated.host)) & updated.only_before


def test_what_is_pinned_stays_whoever_pins_it(updated: Updated) -> None:
    pinned = updated.named("cli")
    updated.host.write(f"{DROP_INS}/50-others", f'[crio]\n  [crio.image]\n    pinned_images = ["{pinned}"]\n')
    updated.host.write(f"{DROP_INS}/60-last", "[crio]\n  [crio.image]\n    pinned_images = []\n")
    updated.host.run("systemctl", "reload", "crio")
    updated.reclaim()
    assert set(listed(updated.host)) & updated.only_before == {pinned, str(updated.before.index.release)}


def test_while_the_present_release_is_unknown_nothing_goes(updated: Updated) -> None:
    held = set(listed(updated.host))
    refused = updated.reclaim(present=f"sha256:{'0' * 64}")
    assert "are unknown" in refused.result["reclaim"]["problem"]
    assert (set(listed(updated.host)), refused.result["changed"]) == (held, False)


def test_a_staged_bundle_that_was_left_behind_goes_as_well(lab: Lab, updated: Updated) -> None:
    succeeded(Node(lab, updated.host, updated.before, updated.controller).stage())
    done = updated.reclaim().result
    assert [one["folder"] for one in done["reclaim"]["bundles"]] == [updated.before.index.folder_name]
    assert updated.host.run("ls", BUNDLES).split() == [updated.now.index.folder_name]


@pytest.mark.usefixtures("history")
def test_the_clean_up_says_what_could_go_and_removes_it_where_the_site_asks_for_that(updated: Updated) -> None:
    play, given = "fieldops.openshift.clean_up_bundle", {"site_nodes": [updated.host.name]}
    told = updated.controller.play(play, **given)
    assert told.rc == 0, told.output
    assert f"{updated.host.name} removes " in told.output
    assert "because reclaim is disabled." in told.output
    assert updated.only_before <= set(listed(updated.host))
    done = updated.controller.play(play, **given, site_reclaim=True)
    assert done.rc == 0, done.output
    assert not updated.only_before & set(listed(updated.host))
    assert set(updated.now.names) <= set(listed(updated.host))
    again = updated.controller.play(play, **given, site_reclaim=True)
    assert (again.rc, again.changed) == (0, 0), again.output


def test_staging_makes_room_first(lab: Lab, updated: Updated, latest: WrittenBundle) -> None:
    name = updated.host.name
    given = {
        "stage_bundle_nodes": [name],
        "stage_bundle_index_digest": str(latest.index.digest),
        "stage_bundle_src_by_node": {name: plug_in(lab, name, latest)},
        "stage_bundle_keep_free_percent": 1,
        "stage_bundle_reclaim": {
            "present": str(updated.now.index.release),
            "left_behind": [str(updated.before.index.release)],
            "keep": latest.names,
            "carry_out": True,
        },
    }
    role = {"name": "fieldops.openshift.stage_bundle"}
    play = updated.controller.play_of([{"name": "Stage", "ansible.builtin.include_role": role, "vars": given}])
    done = updated.controller.play(str(play))
    assert done.rc == 0, done.output
    assert f"{name} removes " in done.output
    assert set(listed(updated.host)) & updated.only_before <= set(latest.names)
    assert latest.index.folder_name in updated.host.run("ls", BUNDLES).split()


@pytest.mark.usefixtures("history")
def test_a_site_gets_the_images_that_its_cluster_can_run(updated: Updated, latest: WrittenBundle) -> None:
    given = {
        "play_bundle": {"path": str(latest.folder), "parts": [], "node": ""},
        "play_update": {"digest": str(latest.index.digest), "images": len(latest.names)},
        "play_nodes_found": {"nodes": [{"name": updated.host.name, "pool": "worker", "is_control_plane": True}]},
    }
    choose = {"ansible.builtin.include_tasks": str(PLAYBOOKS / "tasks/choose_images.yml"), "vars": given}
    kept = {"dest": "{{ playbook_dir }}/chosen.json", "content": "{{ play_needed.needed | to_json }}", "mode": "0644"}
    keep = {"name": "Keep it", "ansible.builtin.copy": kept}
    play = updated.controller.play_of([{"name": "Choose", **choose}, keep])
    done = updated.controller.play(str(play), site_images="needed", site_bundle_digest=str(latest.index.digest))
    assert done.rc == 0, done.output
    needed = json.loads((play.parent / "chosen.json").read_text())
    left = {one["component"]: one["reason"] for one in needed["left_out"]}
    assert {"aws-machine-controllers", "vsphere-csi-driver"} <= set(left), needed
    assert needed["problem"] == ""
    assert needed["saved"] > 0
    every = {str(one.name): one for one in latest.index.images}
    assert {every[name].component for name in needed["images"]} >= {"etcd", "cli", "machine-config-operator"}
    assert "images are not needed" in " ".join(done.output.split())


@pytest.fixture
def other_worker(lab: Lab, updated: Updated, latest: WrittenBundle) -> Iterator[str]:
    """A worker that has none of these releases; left as it was."""
    del updated
    yield "worker-0"
    for name in ("worker-0", "worker-1"):
        forget_everything(lab.hosts[name], latest.names)


@pytest.mark.usefixtures("history")
def test_the_update_of_a_site_makes_room_on_its_nodes_before_it_stages(
    updated: Updated, latest: WrittenBundle, other_worker: str
) -> None:
    given: dict[str, t.Any] = {
        "site_bundle": str(latest.folder),
        "site_bundle_digest": str(latest.index.digest),
        "site_phases": ["images"],
        "site_pools": ["worker"],
        "site_keep_free_percent": 1,
        "site_reclaim": True,
    }
    left = updated.only_before - set(latest.names)
    assert left
    assert left <= set(listed(updated.host))
    done = succeeded(updated.controller.play("fieldops.openshift.update_site", **given))
    sentence = f"{updated.host.name} removes "
    assert done.output.index(sentence) < done.output.index("TASK [fieldops.openshift.stage_bundle : Start staging on")
    assert f"{other_worker} removes " not in done.output
    assert not left & set(listed(updated.host))
    kept = {*updated.now.names, *latest.names}
    assert kept <= set(listed(updated.host)), "what runs, and what comes"
    again = succeeded(updated.controller.play("fieldops.openshift.update_site", **given))
    assert (again.changed, sentence in again.output) == (0, False), again.output
