# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The playbook finds the drive by itself, and will not have two different ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    BUNDLES,
    Controller,
    forget_everything,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.integration.node_images.removable_drives import (
    MEDIA,
    MEDIA_OF_PLAYS,
    NODES,
    Site,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def other(factory: ReleaseFactory, release: Release, tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    """The bundle of another release."""
    later = factory.release(release.spec.next_z_stream("4.21.4", share=0.5, keeps=2))
    return write_bundle(tmp_path_factory.mktemp("other") / "bundle", later)


@pytest.fixture
def site(lab: Lab, controller: Controller, bundle: WrittenBundle, tmp_path: Path) -> Iterator[Site]:
    made = Site(lab, controller, bundle, tmp_path)
    yield made
    made.remove_drives()
    for name in NODES:
        lab.hosts[name].run("rm", "-rf", MEDIA)
        forget_everything(lab.hosts[name], bundle.names)


def test_a_drive_in_one_node_is_found_and_passed_on(site: Site) -> None:
    site.plug_in("worker-1", site.bundle)
    ended = site.stage()
    assert ended.rc == 0, ended.output
    assert all(site.is_loaded(name) for name in NODES)


def test_a_drive_in_this_machine_is_found_and_served(site: Site) -> None:
    ended = site.stage(site_own_media_paths=[str(site.bundle.folder)])
    assert ended.rc == 0, ended.output
    assert all(site.is_loaded(name) for name in NODES)
    again = site.stage()
    assert (again.rc, again.changed) == (0, 0), again.output


@pytest.mark.parametrize("place", ["in another node", "in this machine"])
def test_two_different_ones_end_it_before_anything_is_copied(site: Site, other: WrittenBundle, place: str) -> None:
    site.plug_in("worker-0", site.bundle)
    own = {}
    if place == "in another node":
        site.plug_in("worker-1", other)
    else:
        own = {"site_own_media_paths": [str(other.folder)]}
    refused = site.stage(**own)
    assert refused.rc == 2, refused.output
    assert "different bundles" in refused.output
    assert f"on worker-0 in {MEDIA}/drive" in refused.output
    for name in NODES:
        assert site.lab.hosts[name].run("sh", "-c", f"ls {BUNDLES} 2>/dev/null || true") == ""


def test_a_drive_that_is_not_mounted_is_mounted_passed_on_and_unmounted(site: Site) -> None:
    site.insert("worker-1", site.bundle)
    ended = site.stage()
    assert ended.rc == 0, ended.output
    assert all(site.is_loaded(name) for name in NODES)
    assert site.mounted("worker-1") == ""


def test_a_drive_in_each_node_is_read_by_it_alone(site: Site) -> None:
    for name in NODES:
        site.insert(name, site.bundle)
    ended = site.stage()
    assert ended.rc == 0, ended.output
    assert all(site.is_loaded(name) for name in NODES)
    assert "[fieldops.openshift.stage_bundle : Stage the bundle on each node]" in ended.output
    assert "[fieldops.openshift.stage_bundle : Serve the bundle from this node]" not in ended.output
    assert [site.mounted(name) for name in NODES] == ["", ""]


def test_drives_with_different_bundles_are_named_by_their_devices(site: Site, other: WrittenBundle) -> None:
    drives = [site.insert("worker-0", site.bundle), site.insert("worker-1", other)]
    refused = site.stage()
    assert refused.rc == 2, refused.output
    assert "different bundles" in refused.output
    for name, drive in zip(NODES, drives):
        assert f"on {name} in {MEDIA_OF_PLAYS}/{drive}/" in refused.output
        assert site.mounted(name) == ""


def test_what_a_killed_run_has_mounted_is_let_go_by_the_next(site: Site) -> None:
    drive = site.insert("worker-1", site.bundle)
    digest = str(site.bundle.index.digest)
    found = site.controller.task("worker-1", "node_media", index_digest=digest)
    assert found.result["mounted"] == [f"{MEDIA_OF_PLAYS}/{drive}"], found.output
    assert {"ro", "nosuid", "nodev", "noexec"} <= set(site.mounted("worker-1").split()[5].split(","))
    again = site.controller.task("worker-1", "node_media", index_digest=digest)
    assert (again.result["changed"], again.result["mounted"]) == (False, found.result["mounted"])
    ended = site.controller.task("worker-1", "node_media", state="unmounted")
    assert (ended.result["mounted"], site.mounted("worker-1")) == ([], "")


def leases(site: Site, name: str) -> list[str]:
    """Return the units that will unmount media of a node."""
    words = ("systemctl", "list-units", "--all", "--plain", "--no-legend", "fieldops-media-*")
    return [line.split()[0] for line in site.lab.hosts[name].run(*words).splitlines()]


def test_a_killed_play_leaves_media_that_the_node_will_unmount(site: Site) -> None:
    site.insert("worker-1", site.bundle)
    play = site.start()
    wait_for(lambda: site.mounted("worker-1") != "", "the play has mounted the drive")
    play.kill()
    play.communicate()
    (timer,) = (unit for unit in leases(site, "worker-1") if unit.endswith(".timer"))
    told = site.lab.hosts["worker-1"].run("systemctl", "show", timer, "--value", "--property=TimersMonotonic")
    assert "OnActiveUSec=2h" in told


def test_a_drive_whose_play_was_killed_is_unmounted_by_its_node(site: Site) -> None:
    drive = site.insert("worker-1", site.bundle)
    host, reading = site.lab.hosts["worker-1"], "reads-from-the-drive"
    found = site.controller.task("worker-1", "node_media", index_digest=str(site.bundle.index.digest), lifetime=5)
    assert found.result["mounted"] == [f"{MEDIA_OF_PLAYS}/{drive}"], found.output
    words = ("--quiet", f"--unit={reading}", f"--property=WorkingDirectory={MEDIA_OF_PLAYS}/{drive}", "sleep", "600")
    host.run("systemd-run", *words)
    refused = f"systemctl show 'fieldops-media-{drive}-*.service' --value --property=NRestarts,SubState"
    wait_for(lambda: "auto-restart" in host.run("sh", "-c", refused), "the node could not unmount it")
    assert site.mounted("worker-1") != ""
    host.run("systemctl", "stop", reading)
    wait_for(lambda: site.mounted("worker-1") == "", "the node has unmounted it", seconds=90)
    wait_for(lambda: leases(site, "worker-1") == [], "nothing is left of the lease")


@pytest.mark.parametrize("holders", [["worker-1", "worker-1"], ["worker-0", "worker-1"]], ids=["one", "two"])
def test_parts_of_one_bundle_on_two_drives_are_used_side_by_side(site: Site, holders: list[str]) -> None:
    for number, name in enumerate(holders):
        site.insert_part(name, number)
    ended = site.stage()
    assert ended.rc == 0, ended.output
    assert all(site.is_loaded(name) for name in NODES)
    assert [site.mounted(name) for name in NODES] == ["", ""]
