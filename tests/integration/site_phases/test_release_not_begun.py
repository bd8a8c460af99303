# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an update that the cluster does not begin leaves behind: nothing. Its pools are paused once it has begun."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.machine_automation import (
    set_automation,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.autoscaling import (
    AUTOMATION,
    automation,
    plant_automation,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import everything
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import by_policy, client_of, open_now
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import (
    CLOSED,
    NODES,
    POOLS,
    RECORDS,
    finish,
    kill,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_daemon import DESIRED, STATE
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json

BOTH = ("master", "worker")
TWO_HOURS = {"site_change_stanza": by_policy("nights"), "site_change_policies": {"nights": open_now()}}
"""What is left of a window that is open."""


@pytest.fixture
def site(make_site: MakeSite) -> PhaseSite:
    """A site at rest whose nodes hold the images of the next release, and that knows its bundle already."""
    made = make_site(1, 1)
    made.take_images_as_proved()
    made.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "fieldops-openshift"}})
    return made


@pytest.fixture
def scaled(site: PhaseSite) -> Iterator[list[Json]]:
    """Autoscalers and health checks of the site, as they are found."""
    plant_automation(site.rest)
    yield automation(site.rest)
    for path in AUTOMATION:
        site.rest.delete(path)


def paused(site: PhaseSite) -> list[str]:
    return [pool for pool in BOTH if site.is_paused(pool)]


def objects(site: PhaseSite) -> dict[str, str]:
    """Return the versions of all objects but the record of bundles, which is none of the release."""
    return {name: version for name, version in everything(site.rest).items() if name not in RECORDS}


def test_what_the_cluster_would_not_take_changes_nothing(site: PhaseSite) -> None:
    site.begin_another_release()
    before = objects(site)
    run = site.update(["release"])
    assert run.returncode != 0, run.stdout
    assert "refused  release" in run.stdout
    assert "Gather the state of the update" not in run.stdout, "the gate refuses it before the role looks"
    assert objects(site) == before


@pytest.mark.parametrize(
    ("path", "found", "told"),
    [
        pytest.param(
            *(f"{NODES}/worker-0", {"spec": {"unschedulable": True}}),
            "these nodes would not be updated: worker-0: it was cordoned by others",
            id="a node is cordoned",
        ),
        pytest.param(
            *(f"{NODES}/worker-0", {"metadata": {"annotations": {DESIRED: "rendered-x", STATE: "Degraded"}}}),
            "these nodes would not be updated: worker-0: its machine-config daemon is degraded",
            id="a daemon is degraded",
            marks=pytest.mark.long,
        ),
        pytest.param(
            *(f"{POOLS}/worker", {"spec": {"paused": True}}),
            "the update opens or requires a pool that is paused: worker is paused by ",
            id="a pool that would be opened is paused by others",
            marks=pytest.mark.long,
        ),
    ],
)
def test_no_release_is_begun_that_a_node_would_not_get(site: PhaseSite, path: str, found: Json, told: str) -> None:
    site.rest.merge(path, found)
    before = objects(site)
    run = site.update(["release"], site_rollout_method="pool", site_release_timeout=5)
    assert run.returncode != 0, run.stdout
    assert told in run.stdout
    assert objects(site) == before


@pytest.mark.parametrize(
    ("window", "opens"),
    [
        pytest.param({"site_change_stanza": CLOSED}, "It can continue at 2099-01-01 00:00:00 UTC", id="closed"),
        pytest.param(
            {**TWO_HOURS, "site_release_seconds": 9000},
            "it may take 2h 30m, and change of",
            id="too short",
            marks=pytest.mark.long,
        ),
    ],
)
def test_where_change_is_restricted_nothing_is_changed(site: PhaseSite, window: dict[str, t.Any], opens: str) -> None:
    before = objects(site)
    run = site.update(["release"], **window)
    assert run.returncode != 0, run.stdout
    assert opens in run.stdout
    assert '"fieldops_ending": "waits_for_window"' in run.stdout
    assert objects(site) == before


@pytest.mark.long
def test_a_request_that_is_not_accepted_pauses_no_pool(site: PhaseSite) -> None:
    """Nothing takes the request up here, and at the end of its time it is withdrawn."""
    pools = {name: version for name, version in objects(site).items() if "machineconfigpools" in name}
    process = site.start(["release"], site_release_timeout=15, **TWO_HOURS)
    wait_for(lambda: bool(site.requested()) or process.poll() is not None, 120)
    run = finish(process)
    assert "was withdrawn before the update started" in run.stdout
    assert (run.returncode != 0, site.requested()) == (True, {})
    assert pools.items() <= objects(site).items()


def test_a_refusal_takes_back_what_a_killed_run_has_asked_for(site: PhaseSite, scaled: list[Json]) -> None:
    """The request could begin at any moment, with a node that would not get the release."""
    process = site.start(["release"], site_release_timeout=120)
    wait_for(lambda: bool(site.requested()) or process.poll() is not None, 120)
    kill(process)
    output = finish(process).stdout
    assert (bool(site.requested()), automation(site.rest) != scaled) == (True, True), output
    site.cordon("worker-0")
    run = site.update(["release"], site_release_timeout=5)
    assert "these nodes would not be updated: worker-0" in run.stdout
    assert (run.returncode != 0, site.requested(), paused(site)) == (True, {}, [])
    assert automation(site.rest) == scaled


def test_a_refusal_leaves_what_another_rollout_has_paused(
    server: ApiServer, site: PhaseSite, scaled: list[Json]
) -> None:
    """A node of it may be away, which a health check would replace."""
    set_automation(client_of(server), {"state": "paused", "reason": "kernel-fix"})
    before = automation(site.rest)
    site.cordon("worker-0")
    run = site.update(["release"], site_release_timeout=5)
    assert "these nodes would not be updated: worker-0" in run.stdout
    assert (automation(site.rest) == before, before != scaled) == (True, True)


def test_pools_are_paused_once_the_release_is_accepted(site: PhaseSite) -> None:
    process = site.start(["release"], site_release_timeout=120)
    wait_for(lambda: bool(site.requested()) or process.poll() is not None, 120)
    asked = paused(site)
    site.begin_release()
    wait_for(lambda: paused(site) == ["worker"] or process.poll() is not None, 120)
    site.render("master", "worker")
    run = finish(process)
    assert run.returncode == 0, run.stdout
    # The control plane belongs to the release: its pool is never paused.
    assert (asked, paused(site)) == ([], ["worker"])
