# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an update that the cluster does not begin leaves behind on its pools: nothing."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import CLOSED, PhaseSite, finish

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite

BOTH = ("master", "worker")


@pytest.fixture
def site(make_site: MakeSite) -> PhaseSite:
    """A site at rest whose nodes hold the images of the next release."""
    made = make_site(1, 1)
    made.take_images_as_proved()
    return made


def paused(site: PhaseSite) -> list[str]:
    return [pool for pool in BOTH if site.is_paused(pool)]


def test_what_the_cluster_would_not_take_pauses_no_pool(site: PhaseSite) -> None:
    site.begin_another_release()
    run = site.update(["release"])
    assert run.returncode != 0, run.stdout
    assert "Pause each pool" not in run.stdout
    assert paused(site) == []


def test_a_closed_window_pauses_no_pool(site: PhaseSite) -> None:
    run = site.update(["release"], site_change_stanza=CLOSED)
    assert run.returncode == 0, run.stdout
    assert (paused(site), site.wished()) == ([], {})


def test_pools_are_paused_when_the_release_is_asked_for_and_opened_when_it_is_not_begun(site: PhaseSite) -> None:
    """Nothing takes the request up here, and at the end of its time it is withdrawn."""
    process = site.start(["release"], site_release_timeout=15)
    wait_for(lambda: bool(site.wished()) or process.poll() is not None, 120)
    then = paused(site)
    run = finish(process)
    assert then == [*BOTH]
    assert "was withdrawn before anything was begun" in run.stdout
    assert (run.returncode != 0, paused(site), site.wished()) == (True, [], {})


def test_a_pause_that_is_not_of_this_update_is_left_and_so_is_one_of_a_pool_that_has_something_to_do(
    site: PhaseSite,
) -> None:
    site.pause("worker", rollout="update-4.21.2-0123456789ab")
    process = site.start(["release"], site_release_timeout=15)
    wait_for(lambda: bool(site.wished()) or process.poll() is not None, 120)
    site.render("master")
    finish(process)
    assert paused(site) == [*BOTH]
