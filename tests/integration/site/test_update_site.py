# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The main job from registry to rolled nodes, killed at every turn of its way. The tests build on one another."""

from __future__ import annotations

import re

import pytest

from ansible_collections.fieldops.openshift.tests.demo.stage import Stage
from ansible_collections.fieldops.openshift.tests.integration.site.playbook_runs import run, run_until_killed

STAGED = "ls -A /var/lib/fieldops/bundles 2>/dev/null || true"
CLOSED = {"strategy": "RestrictiveUntil", "restrictiveUntil": "2099-01-01T00:00:00Z"}

KILL_POINTS = [
    "Verify the index and content of the bundle",
    "Serve the bundle to the nodes",
    "Stage the bundle on each node",
    "Load all images on each node",
    "Pin the images on each node",
    "Acquire the lock",
    "Wait until the cluster has accepted the release",
    "Unpause the pool while change is permitted, and verify its nodes",
    "Drain the node",
    "Record that the node reboots",
    "Set the configuration of the node and wait for its daemon",
    "Wait until the node is back",
    "Uncordon the node",
]


def test_a_killed_build_goes_on(stage: Stage) -> None:
    command = stage.command("create_bundle", stage.create_bundle())
    run_until_killed(command, "Build the bundle")
    built = run(command)
    assert built.status == 0, built.output
    again = run(command)
    assert (again.status, again.changed) == (0, 0), again.output
    stage.lab.cut_registry()


def test_a_wrong_digest_is_refused_before_anything_reaches_a_node(stage: Stage) -> None:
    before = stage.images_on("worker-0")
    refused = run(stage.command("update_site", {**stage.update_site(), "site_bundle_digest": f"sha256:{'0' * 64}"}))
    assert refused.status != 0
    assert "nothing was copied to any node" in refused.output
    assert stage.images_on("worker-0") == before


def test_a_rehearsal_compares_the_space_and_copies_nothing(stage: Stage) -> None:
    before = stage.images_on("worker-0")
    known = {**stage.update_site(), "site_support_path": str(stage.folder)}
    fits = run(stage.command("rehearse_site", known))
    assert (fits.status, fits.changed) == (0, 1), fits.output
    assert "; space is sufficient on 2 nodes" in fits.output
    (archive,) = stage.folder.glob("fieldops-support-*.tar.gz")
    away = run(stage.command("rehearse_site", {"site_rehearsal_archive": str(archive)}))
    assert (away.status, away.changed) == (0, 0), away.output
    assert "; space is sufficient on 2 nodes" in away.output
    full = run(stage.command("rehearse_site", {**stage.update_site(), "site_keep_free_percent": 99}))
    assert full.status == 0, full.output
    assert re.search(r"master-0 lacks [0-9.]+ [KMGT]iB on /\S*; worker-0 lacks ", full.output)
    assert stage.images_on("worker-0") == before
    assert not [host for host in stage.lab.hosts.values() if host.run("sh", "-c", STAGED).strip()]


@pytest.mark.long
@pytest.mark.parametrize("task", KILL_POINTS[:5])
def test_a_run_is_killed_while_images_travel(stage: Stage, task: str) -> None:
    command = stage.command("update_site", {**stage.update_site(), "site_change_stanza": CLOSED})
    killed = run_until_killed(command, task)
    assert killed.status < 0, f"the play ended before task {task!r}:\n{killed.output}"


def test_a_closed_window_stops_before_the_first_node_and_says_when_it_opens(stage: Stage) -> None:
    before = stage.boots()
    stopped = run(stage.command("update_site", {**stage.update_site(), "site_change_stanza": CLOSED}))
    assert stopped.status != 0, stopped.output
    assert "It can continue at 2099-01-01 00:00:00 UTC" in stopped.output
    # The gate has asked already; the request that would ask again is not sent.
    assert "Request the release if necessary" not in stopped.output
    assert stage.boots() == before
    for node in stage.lab.hosts:
        held = stage.images_on(node)
        assert [held.get(name) for name in stage.image_names] == [True] * len(stage.image_names)


@pytest.mark.long
@pytest.mark.parametrize("task", KILL_POINTS[5:])
def test_a_run_is_killed_on_its_way_through_the_nodes(stage: Stage, task: str) -> None:
    killed = run_until_killed(stage.command("update_site", stage.update_site()), task)
    assert killed.status < 0, f"the play ended before task {task!r}:\n{killed.output}"


def test_the_next_run_ends_well(stage: Stage) -> None:
    ended = run(stage.command("update_site", stage.update_site()))
    assert ended.status == 0, ended.output
    assert "Nothing remains." in ended.output
    assert ", and so have all nodes." in ended.output
    for name in stage.lab.hosts:
        node = stage.lab.api.rest.get(f"/api/v1/nodes/{name}")
        assert not node["spec"].get("unschedulable")


def test_the_version_operator_has_verified_the_release_and_runs_from_its_image(stage: Stage) -> None:
    image = str(stage.release.reference.by_digest())
    last = stage.last_update()
    assert (last["state"], last["image"], last["verified"]) == ("Completed", image, True)
    assert stage.version_operator_image() == image


def test_every_host_was_rebooted_once_in_all_these_runs(stage: Stage) -> None:
    assert {name: host.boots for name, host in stage.lab.hosts.items()} == dict.fromkeys(stage.lab.hosts, 1)


def test_one_more_run_changes_nothing_and_says_so(stage: Stage) -> None:
    again = run(stage.command("update_site", stage.update_site()))
    assert (again.status, again.changed) == (0, 0), again.output
    assert "Everything is up to date; nothing was changed." in again.output
