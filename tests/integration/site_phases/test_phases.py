# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What update_site does in each of its phases, run alone, on a cluster that is on its way to the release."""

from __future__ import annotations

import contextlib
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import ChangeGuard
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.update_step import (
    UPDATE_OPTIONS,
    update_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.errors import UpdateFailedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import ROLLOUT_ANNOTATION
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import WrongClock, client_of
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import OLD, OTHER
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import (
    CLOSED,
    finish,
    kill,
    last_lines,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

DEFAULTS = {name: option.get("default") for name, option in UPDATE_OPTIONS.items()}


def test_the_phase_release_alone_ends_where_the_nodes_are_next(make_site: MakeSite) -> None:
    site = make_site(1, 1)
    site.begin_release()
    process = site.start(["release"], site_release_timeout=120)
    wait_for(lambda: site.is_paused("worker"), 120)
    site.render("master", "worker")
    run = finish(process)
    assert run.returncode == 0, run.stdout
    assert "machine-config is waiting for its nodes: pool master has 0 of 1 nodes updated" in run.stdout
    assert not site.is_paused("master"), "its operator rolls the control plane"


@pytest.mark.long
def test_an_update_that_fails_because_its_nodes_wait_is_finished(make_site: MakeSite) -> None:
    site = make_site(3, 0)
    site.begin_release()
    site.pause("master", "worker")
    site.render("master")
    site.bring("master-0")
    site.fail_for_nodes()
    masters, before = [f"master-{number}" for number in range(3)], site.times_locked()
    with site.operator():
        process = site.start(["release", "nodes"])
        wait_for(lambda: all(map(site.is_done, masters)) or process.poll() is not None, 240)
        if all(map(site.is_done, masters)):
            site.complete()
        run = finish(process)
    assert "failing: Cluster operator machine-config is degraded" in run.stdout, run.stdout
    assert run.returncode == 0, run.stdout
    assert all(map(site.is_done, masters))
    assert site.times_locked() == before + 1, "no other job may come between the release and its nodes"


@pytest.mark.parametrize(
    ("updated", "ahead", "raises"),
    [
        pytest.param(True, 0, contextlib.nullcontext(), id="the operators have yet to see its last node"),
        pytest.param(True, 3600, contextlib.nullcontext(), id="our clock is an hour ahead", marks=pytest.mark.long),
        pytest.param(False, 0, pytest.raises(UpdateFailedError), id="nodes wait still"),
    ],
)
def test_what_an_operator_said_while_nodes_waited_counts_no_longer_once_they_are_updated(
    server: ApiServer, make_site: MakeSite, updated: bool, ahead: int, raises: t.ContextManager[object]
) -> None:
    site = make_site(1, 0)
    site.begin_release()
    site.render("master")
    site.fail_for_nodes()
    if updated:
        site.finish_pool("master")
    door = client_of(server)
    door.clock = WrongClock(door, ahead)
    with raises:
        assert not update_step(door, {**DEFAULTS, **site.request}, ChangeGuard.of(door, None)).done


def test_a_control_plane_that_was_begun_is_finished_although_the_window_is_closed(make_site: MakeSite) -> None:
    site = make_site(3, 1)
    site.begin_release()
    site.pause("master", "worker")
    site.render("master", "worker")
    site.bring("master-0")
    with site.operator():
        run = site.update(["nodes"], site_change_stanza=CLOSED)
    assert run.returncode != 0, run.stdout
    assert not site.is_told("worker-0"), "its window has to open first"
    assert site.is_done("master-1")
    assert site.is_done("master-2")


def test_nodes_alone_are_begun_only_once_the_release_is_rendered_for_them(make_site: MakeSite) -> None:
    """Their pools may wait for an older configuration, which others have asked for."""
    site = make_site(1, 1)
    site.begin_release()
    site.render("worker", version=OTHER)
    process = site.start(["nodes"], site_release_timeout=600)
    wait_for(lambda: site.is_paused("worker") or process.poll() is not None, 120)
    site.see("worker")
    looked = site.times_read("master", OLD)
    wait_for(lambda: site.times_read("master", OLD) > looked + 1 or site.is_told("worker-0", OTHER), 120)
    before = site.is_told("worker-0", OTHER)
    with site.operator():
        site.render("master", "worker")
        run = finish(process)
    assert not before, run.stdout
    assert run.returncode == 0, run.stdout
    assert "machine-config has not rendered the configuration of 4.21.5 yet for pool master" in run.stdout
    assert site.is_done("worker-0")


def test_nodes_alone_are_refused_before_the_release_is_begun(make_site: MakeSite) -> None:
    site = make_site(1, 1)
    site.render("worker", version=OTHER)
    with site.operator():
        run = site.update(["nodes"])
    assert run.returncode != 0, run.stdout
    assert "the cluster is at 4.21.3, and 4.21.5 has not been requested. Run the phase release as well." in " ".join(
        run.stdout.split()
    )
    assert last_lines(run)[-1].startswith("No node was drained or rebooted.")


def test_an_update_is_not_finished_while_a_node_is_held_back(make_site: MakeSite) -> None:
    site = make_site(1, 1)
    site.begin_release()
    site.pause("master", "worker")
    site.render("master", "worker")
    site.bring("master-0")
    site.cordon("worker-0")
    held = site.update(["nodes"])
    assert held.returncode != 0, held.stdout
    assert "worker-0  held back: it was cordoned by others" in held.stdout
    assert "Nothing remains." not in held.stdout
    site.cordon("worker-0", cordoned=False)
    with site.operator():
        done = site.update(["nodes"])
    assert done.returncode == 0, done.stdout
    assert "Nothing remains." in done.stdout


@pytest.mark.long
def test_the_last_lines_tell_of_the_release_as_it_is_at_the_end(make_site: MakeSite) -> None:
    site = make_site(1, 1)
    site.begin_release()
    site.pause("worker")
    site.render("master", "worker")
    site.cordon("worker-0")
    with site.operator():
        process = site.start(["release", "nodes"])
        wait_for(lambda: site.proved().get("master-0") == "done" or process.poll() is not None, 120)
        site.complete()
        run = finish(process)
    assert run.returncode != 0, run.stdout
    _images, release, *_nodes, ending = last_lines(run)
    assert release.startswith("The cluster has been at 4.21.5 since ")
    assert release.endswith("; pool worker has 0 of 1 nodes updated, it is paused.")
    assert ending.endswith("Remaining: worker-0.")


@pytest.mark.parametrize("method", ["operator", pytest.param("node_by_node", marks=pytest.mark.long)])
def test_an_operator_that_was_broken_before_does_not_hold_the_nodes_up(make_site: MakeSite, method: str) -> None:
    site = make_site(3, 0)
    site.begin_release()
    site.degrade("insights", since="2026-11-21T21:00:00Z")
    site.render("master")
    process = site.start(
        ["nodes"], roll_nodes_settle="always", roll_nodes_settle_timeout=30, site_control_plane_method=method
    )
    locked, is_paused = site.times_locked(), method == "node_by_node"
    wait_for(lambda: site.times_locked() > locked or process.poll() is not None, 120)
    wait_for(lambda: site.is_paused("master") == is_paused or process.poll() is not None, 120)
    with site.operator():
        run = finish(process)
    assert run.returncode == 0, run.stdout
    assert "Already broken before nodes were started: ClusterOperator insights." in last_lines(run)


@pytest.mark.long
def test_nor_if_the_nodes_were_rolled_while_no_play_was_running(make_site: MakeSite) -> None:
    site = make_site(1, 0)
    site.begin_release()
    site.degrade("insights", since="2026-11-21T21:00:00Z")
    site.render("master")
    with site.operator():
        wait_for(lambda: site.is_done("master-0"), 60)
        run = site.update(["nodes"], roll_nodes_settle="always", roll_nodes_settle_timeout=30)
    assert run.returncode == 0, run.stdout
    assert "Already broken before nodes were started: ClusterOperator insights." in last_lines(run)


def test_an_operator_that_breaks_with_the_nodes_stops_them(make_site: MakeSite) -> None:
    site = make_site(1, 0)
    site.begin_release()
    site.degrade("insights", since="2099-11-21T21:00:00Z")
    site.render("master")
    with site.operator():
        run = site.update(["nodes"], roll_nodes_settle="always", roll_nodes_settle_timeout=1)
    assert run.returncode != 0, run.stdout
    assert "ClusterOperator insights is degraded: gathering fails" in last_lines(run)[-1]


def test_the_only_node_is_neither_cordoned_nor_drained(make_site: MakeSite) -> None:
    """As its daemon does not either: machine-config-operator, pkg/daemon/drain.go, drainRequired."""
    site = make_site(1, 0)
    site.begin_release()
    site.render("master")
    with site.operator():
        run = site.update(["nodes"])
    assert run.returncode == 0, run.stdout
    assert site.is_done("master-0")
    # A cordon of ours is written together with this annotation, which stays.
    assert ROLLOUT_ANNOTATION not in site.node("master-0")["metadata"]["annotations"]


@pytest.mark.long
def test_the_only_node_is_not_cordoned_either_where_this_play_takes_it(make_site: MakeSite) -> None:
    """Its operator runs there too: a new pod of it could not be placed, and nothing else takes the cordon away."""
    site = make_site(1, 0)
    site.begin_release()
    site.render("master")
    process = site.start(["nodes"], site_control_plane_method="node_by_node")
    wait_for(lambda: site.is_paused("master") or process.poll() is not None, 120)
    site.see("master")
    wait_for(lambda: site.is_told("master-0") or process.poll() is not None, 120)
    spec, noted = site.node("master-0")["spec"], site.proved()
    with site.operator():
        run = finish(process)
    assert run.returncode == 0, run.stdout
    assert (spec.get("unschedulable"), noted) == (None, {"master-0": "rebooting"}), run.stdout
    assert (site.is_done("master-0"), site.proved()) == (True, {"master-0": "done"})


@pytest.mark.long
def test_a_control_plane_that_was_through_before_anything_looked_is_proved_all_the_same(make_site: MakeSite) -> None:
    site = make_site(1, 1)
    site.begin_release()
    site.render("master")
    site.bring("master-0")
    with site.operator():
        run = site.update(["nodes"])
        again = site.update(["nodes"])
    assert run.returncode == 0, run.stdout
    assert site.proved() == {"master-0": "done"}
    assert "changed=0" in again.stdout, again.stdout


def test_the_control_plane_is_rolled_whichever_pools_of_workers_are_chosen(make_site: MakeSite) -> None:
    site = make_site(1, 1)
    site.begin_release()
    site.render("master", "worker")
    site.pause("worker", rollout="another")
    with site.operator():
        run = site.update(["nodes"], site_pools=["worker"])
    assert run.returncode == 0, run.stdout
    assert site.is_done("master-0")
    assert site.is_done("worker-0")


@pytest.mark.parametrize(
    ("phases", "nodes"),
    [
        pytest.param(["images", "release"], ["master-0", "worker-0"], id="a release starts pods on every node"),
        pytest.param(["images"], ["worker-0"], id="images alone", marks=pytest.mark.long),
    ],
)
def test_which_nodes_get_the_images_where_pools_are_chosen(
    make_site: MakeSite, phases: list[str], nodes: list[str]
) -> None:
    site = make_site(1, 1)
    site.take_images_as_brought()
    run = site.update(phases, site_pools=["worker"], site_change_stanza=CLOSED)
    assert f"images for {' '.join(nodes)}" in run.stdout, run.stdout


def test_the_first_node_is_begun_only_when_its_pool_has_its_set(make_site: MakeSite) -> None:
    """A cluster of 4.18 has no PinnedImageSets when the images are brought; with 4.19 daemons look at them alone."""
    site = make_site(1, 1)
    site.begin_release()
    site.pause("master", "worker")
    site.render("master", "worker")
    site.bring("master-0")
    process = site.start(["release", "nodes"], site_pin_method="pinned_image_set")
    wait_for(lambda: bool(site.pinned("worker")) or process.poll() is not None, 120)
    before = site.is_told("worker-0")
    with site.operator():
        wait_for(lambda: site.is_told("worker-0") or process.poll() is not None, 120)
    kill(process)
    output = finish(process).stdout
    assert (before, bool(site.pinned("worker")), site.is_told("worker-0")) == (False, True, True), output
    assert "2 of 2 pools have their PinnedImageSet" in output
