# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Pools, autoscalers and health checks after an update are those of before it, however it ended."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.autoscaling import (
    AUTOMATION,
    automation,
    plant_automation,
)
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.play_processes import Play
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import (
    POOLS,
    finish,
    kill,
    last_lines,
)

WORKERS = ("worker-0", "worker-1")
NODES = ("master-0", *WORKERS)
STAYS_PAUSED = (
    "Pool worker stays paused, because the machine-config operator would otherwise start waiting nodes outside of the "
    "maintenance window. While it is paused, its nodes get no configuration changes. To continue, run the same update "
    "or rollout again. To let the operator continue, run: oc patch machineconfigpool worker --type merge -p "
    """'{"spec":{"paused":false}}'"""
)


@pytest.fixture
def site(make_site: MakeSite) -> Iterator[PhaseSite]:
    """A site whose release has been begun, with autoscalers and health checks, some paused by others."""
    made = make_site(1, 2)
    plant_automation(made.rest)
    made.begin_release()
    yield made
    for path in AUTOMATION:
        made.rest.delete(path)


@contextlib.contextmanager
def under_way(site: PhaseSite) -> Iterator[Play]:
    """Start the update. The operator renders what the release brings once the pool of the workers is paused."""
    process = site.start(["release", "nodes"])
    wait_for(lambda: site.is_paused("worker") or process.poll() is not None, 120)
    assert process.poll() is None, finish(process).stdout
    assert not any(map(site.is_told, NODES))
    with site.operator():
        site.render("master", "worker")
        yield process


def kill_at_the_first_worker(site: PhaseSite, process: Play) -> None:
    """Kill the update once the daemon of a worker has been told to begin."""
    wait_for(lambda: any(map(site.is_told, WORKERS)) or process.poll() is not None, 120)
    kill(process)
    output = finish(process).stdout
    assert sum(map(site.is_told, WORKERS)) == 1, output


def complete_after(site: PhaseSite, process: Play) -> subprocess.CompletedProcess[str]:
    """Let the release be complete once its nodes are, and wait for the end of the update."""
    wait_for(lambda: all(map(site.is_done, NODES)) or process.poll() is not None, 240)
    site.complete()
    return finish(process)


def test_after_an_update(site: PhaseSite) -> None:
    before = automation(site.rest), site.pools()
    with under_way(site) as process:
        wait_for(lambda: automation(site.rest) != before[0] or process.poll() is not None, 120)
        held = automation(site.rest)
        run = complete_after(site, process)
    assert run.returncode == 0, run.stdout
    assert (held != before[0], automation(site.rest), site.pools()) == (True, *before)


@pytest.mark.long
def test_after_a_run_that_was_killed_and_the_next_one(site: PhaseSite) -> None:
    before = automation(site.rest), site.pools()
    with under_way(site) as process:
        kill_at_the_first_worker(site, process)
        held = automation(site.rest)
        run = complete_after(site, site.start(["release", "nodes"]))
    assert run.returncode == 0, run.stdout
    assert (held != before[0], automation(site.rest), site.pools()) == (True, *before)


def test_after_an_abort_a_pool_whose_nodes_wait_stays_paused(site: PhaseSite) -> None:
    """In an open pool its operator would take the nodes at once, whether change is permitted or not."""
    before = automation(site.rest), site.pools()
    with under_way(site) as process:
        kill_at_the_first_worker(site, process)
        held = automation(site.rest)
        aborted = site.abort()
        assert aborted.returncode == 0, aborted.stdout
        assert sum(map(site.is_told, WORKERS)) == 1, aborted.stdout
    after = site.pools()
    assert (held != before[0], automation(site.rest), after["master"]) == (True, before[0], before[1]["master"])
    assert after["worker"][0], aborted.stdout
    assert last_lines(aborted, "Show the result")[2:] == [STAYS_PAUSED]


@pytest.mark.long
def test_after_an_abort_before_the_release_is_rendered_the_pool_stays_paused(site: PhaseSite) -> None:
    """Its nodes have all that is asked of them as yet; at the end of the update they would be taken at once."""
    before = automation(site.rest)
    process = site.start(["release", "nodes"])
    wait_for(lambda: site.is_paused("worker") or process.poll() is not None, 120)
    kill(process)
    output = finish(process).stdout
    assert site.is_paused("worker"), output
    aborted = site.abort()
    assert aborted.returncode == 0, aborted.stdout
    assert (site.is_paused("worker"), site.is_paused("master"), automation(site.rest)) == (True, False, before)
    assert last_lines(aborted, "Show the result")[2:] == [STAYS_PAUSED]


@pytest.mark.long
def test_after_an_abort_a_pool_that_others_keep_paused_is_theirs(site: PhaseSite) -> None:
    site.render("worker")
    site.rest.merge(f"{POOLS}/worker", {"spec": {"paused": True}})
    aborted = site.abort()
    assert aborted.returncode == 0, aborted.stdout
    _said, *pools = last_lines(aborted, "Show the result")
    assert len(pools) == 1, pools
    assert pools[0].startswith("pool worker: 0 of 2 nodes have ")
    assert site.is_paused("worker")
