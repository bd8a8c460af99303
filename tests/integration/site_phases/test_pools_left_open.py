# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Pools that a run left open, which was killed between the acceptance of the release and their pause."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import everything_asked_for
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite

PHASES = ["images", "release"]
SAID = "Pool worker was not paused, so the machine-config operator could start its nodes."
BRINGS = "images for master-0 worker-0"


@pytest.fixture
def site(make_site: MakeSite) -> PhaseSite:
    """A site whose cluster has accepted the release and rendered it for its control plane."""
    made = make_site(1, 1)
    made.take_images_as_brought()
    made.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "fieldops-openshift"}})
    made.begin_release()
    made.render("master")
    return made


def test_they_are_paused_before_anything_else_while_the_release_is_under_way(site: PhaseSite) -> None:
    run = site.update(PHASES)
    assert run.returncode == 0, run.stdout
    assert 0 < run.stdout.find(SAID) < run.stdout.find(BRINGS), run.stdout
    assert (site.is_paused("worker"), site.is_paused("master")) == (True, False)
    assert SAID not in site.update(PHASES).stdout, "it is paused already"


@pytest.mark.long
def test_with_a_control_plane_that_this_play_takes_all_are_paused(site: PhaseSite) -> None:
    run = site.update(PHASES, site_control_plane_method="node_by_node")
    assert run.returncode == 0, run.stdout
    assert 0 < run.stdout.find(SAID.replace("worker", "master")) < run.stdout.find(BRINGS), run.stdout
    assert (site.is_paused("worker"), site.is_paused("master")) == (True, True)


def test_in_check_mode_it_is_only_said(site: PhaseSite) -> None:
    before = everything_asked_for(site.rest)
    run = site.rehearse(PHASES)
    assert run.returncode == 0, run.stdout
    said = " ".join(run.stdout.split())
    assert f"{SAID} It would be paused. Nodes that have started and continue: none." in said
    assert everything_asked_for(site.rest) == before


@pytest.mark.parametrize(
    ("waits", "taken", "paused"),
    [
        pytest.param(True, False, True, id="its nodes wait"),
        pytest.param(False, False, False, id="its nodes are updated", marks=pytest.mark.long),
        pytest.param(True, True, False, id="its nodes were taken and wait for what came later", marks=pytest.mark.long),
    ],
)
def test_once_the_release_is_complete_a_pool_is_paused_if_nodes_wait_for_it(
    site: PhaseSite, waits: bool, taken: bool, paused: bool
) -> None:
    site.bring("master-0")
    site.finish_pool("master")
    site.complete()
    if waits:
        site.render("worker")
    if taken:
        site.record("worker-0", "done")
    run = site.update(PHASES)
    assert run.returncode == 0, run.stdout
    assert (site.is_paused("worker"), SAID in run.stdout) == (paused, paused)
