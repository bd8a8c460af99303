# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Updates of a site by OpenShift's own operators: straight through, interrupted, held up, and gone on with."""

from __future__ import annotations

import subprocess

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.autoscaling import (
    automation,
    plant_automation,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import NEXT
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.site_phases.dead_job import (
    DEAD,
    LEASE,
    lock_of_a_dead_job,
)
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import (
    CLOSED,
    OPEN,
    finish,
    kill,
    last_lines,
)
from ansible_collections.fieldops.openshift.tests.integration.site_scenarios.conftest import Operate
from ansible_collections.fieldops.openshift.tests.integration.site_scenarios.operated_site import (
    MINOR,
    MOST_SECONDS,
    OperatedSite,
    await_moment,
    is_degraded,
)
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import sync_error
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_with_file

pytestmark = pytest.mark.long
GATES = "/api/v1/namespaces/openshift-config-managed/configmaps/admin-gates"
ACKS = "/api/v1/namespaces/openshift-config/configmaps/admin-acks"
GATE = "ack-4.21-kube-1.35-api-removals-in-4.22"
PATIENCE_FOR_A_NODE = 600.0
NOT_BEGUN = "No node was drained or rebooted. Run the same command again after the cause above is resolved."


def require_end(
    site: OperatedSite, run: subprocess.CompletedProcess[str], control_plane: int, workers: int, aborted: str = ""
) -> None:
    """Demand that an update has come to its end, and that its last lines say so of each node.

    A node that was ``aborted`` and has come back with its configuration is not taken through again.
    """
    assert run.returncode == 0, run.stdout
    lines = last_lines(run)
    nodes = [f"{role}-{number}" for role, count in _shape(control_plane, workers) for number in range(count)]
    assert site.is_at_release(), lines
    assert sorted([*site.done("master"), *site.done("worker")]) == nodes, lines
    assert site.proved() == {one: "aborted" if one == aborted else "done" for one in nodes}, lines
    assert not [one for one in map(site.node, nodes) if one["spec"].get("unschedulable")], lines
    assert [one.split()[0] for one in lines if "  done" in one] == nodes, lines
    assert lines[-1] == "Nothing remains."


def _shape(control_plane: int, workers: int) -> tuple[tuple[str, int], tuple[str, int]]:
    return ("master", control_plane), ("worker", workers)


@pytest.mark.parametrize(
    ("control_plane", "workers"),
    [
        pytest.param(3, 2, id="three and two"),
        pytest.param(1, 0, id="a single node"),
        pytest.param(3, 0, id="three nodes that are both"),
    ],
)
def test_straight_through(operate: Operate, control_plane: int, workers: int) -> None:
    site = operate(control_plane, workers)
    plant_automation(site.rest)
    before = site.pools(), automation(site.rest)
    run = site.update()
    require_end(site, run, control_plane, workers)
    assert (site.pools(), automation(site.rest)) == before
    first, then = site.reboots.order[:control_plane], site.reboots.order[control_plane:]
    assert sorted(first) == [f"master-{number}" for number in range(control_plane)], "the control plane goes first"
    assert sorted(then) == [f"worker-{number}" for number in range(workers)]
    assert any(one.startswith(f"The cluster has been at {NEXT} since ") for one in last_lines(run))


def test_killed_after_the_first_control_plane_node_it_goes_on(operate: Operate) -> None:
    """Its operator has taken the second node meanwhile, and both operators say that they wait for the control plane."""
    site = operate(3, 1)
    before = site.pools()
    site.reboots.allowed = lambda name: name == site.reboots.order[0]
    process = site.start()
    await_moment(process, lambda: len(site.reboots.order) == 2)
    kill(process)
    output = finish(process).stdout
    assert len(site.done("master")) == 1, output
    wait_for(lambda: "machine-config" in site.condition("Progressing")["message"], MOST_SECONDS)
    wait_for(lambda: "MachineConfigPool master" in sync_error(site.rest), MOST_SECONDS)
    locked = site.times_locked()
    process = site.start()
    await_moment(process, lambda: site.times_locked() > locked)
    site.reboots.allowed = lambda _name: True
    require_end(site, finish(process), 3, 1)
    assert site.pools() == before
    assert sorted(site.reboots.order) == ["master-0", "master-1", "master-2", "worker-0"]


def test_killed_before_pools_of_workers_are_paused_the_next_run_pauses_them_at_once(operate: Operate) -> None:
    """Meanwhile the operator has begun with a worker, which is not held up; the other one waits for this play."""
    site = operate(1, 2)
    before = site.pools()
    site.reboots.allowed = lambda _name: False
    process = site.start()
    await_moment(process, lambda: site.release()[0] == "Partial")
    kill(process)
    output = finish(process).stdout
    assert not site.is_paused("worker"), output
    wait_for(lambda: len(site.reboots.order) == 2, MOST_SECONDS)
    (begun,) = {*site.reboots.order} - {"master-0"}
    process = site.start()
    await_moment(process, lambda: site.is_paused("worker"))
    site.reboots.allowed = lambda _name: True
    run = finish(process)
    require_end(site, run, 1, 2)
    told = " ".join(run.stdout.split())
    paused = "Pool worker was not paused, so the machine-config operator could start its nodes."
    assert f"{paused} It is paused now. Nodes that have started and continue: {begun}." in told
    assert told.index(paused) < told.index("TASK [Acquire the lock]"), "that is what it does first"
    assert site.pools() == before
    assert sorted(site.reboots.order) == ["master-0", "worker-0", "worker-1"]


def test_killed_between_nodes_that_this_play_takes_it_goes_on_although_both_operators_fail(operate: Operate) -> None:
    """A control plane that is rolled node by node is paused: that is all that they complain about."""
    site = operate(3, 1, out_of_patience=True, others_are_slow=True)
    before = site.pools()
    site.reboots.allowed = lambda name: name == site.reboots.order[0]
    process = site.start(site_control_plane_method="node_by_node")
    site.have_it_complain(process)
    await_moment(process, lambda: len(site.reboots.order) == 2)
    kill(process)
    output = finish(process).stdout
    assert len(site.done("master")) == 1, output
    wait_for(lambda: site.condition("Failing")["status"] == "True", MOST_SECONDS)
    assert site.condition("Failing")["message"] == "Cluster operator machine-config is degraded"
    assert is_degraded(site.rest)
    locked = site.times_locked()
    process = site.start(site_control_plane_method="node_by_node")
    await_moment(process, lambda: site.times_locked() > locked)
    site.reboots.allowed = lambda _name: True
    require_end(site, finish(process), 3, 1)
    assert site.pools() == before
    assert sorted(site.reboots.order) == ["master-0", "master-1", "master-2", "worker-0"]


def test_killed_while_the_control_plane_is_away_it_goes_on_although_both_operators_fail(operate: Operate) -> None:
    """The machine-config operator waits for ten minutes a node of the control plane, then it is degraded.

    Its timer goes by monotonic time, which no test can move (pkg/operator/sync.go, syncRequiredMachineConfigPools).
    """
    site = operate(1, 1, out_of_patience=True)
    before = site.pools()
    site.reboots.allowed = lambda _name: False
    process = site.start()
    await_moment(process, lambda: site.reboots.order == ["master-0"])
    kill(process)
    output = finish(process).stdout
    assert not site.is_paused("master"), output
    wait_for(lambda: is_degraded(site.rest), PATIENCE_FOR_A_NODE + MOST_SECONDS)
    wait_for(lambda: site.condition("Failing")["status"] == "True", MOST_SECONDS)
    assert site.condition("Failing")["message"] == "Cluster operator machine-config is degraded"
    locked = site.times_locked()
    process = site.start()
    await_moment(process, lambda: site.times_locked() > locked)
    site.reboots.allowed = lambda _name: True
    require_end(site, finish(process), 1, 1)
    assert site.pools() == before
    assert site.reboots.order == ["master-0", "worker-0"]


def test_a_window_that_closes_between_two_workers_and_opens_again(operate: Operate) -> None:
    site = operate(1, 2)
    before = site.pools()
    site.window(master=OPEN, worker=OPEN)
    site.reboots.allowed = lambda name: name == "master-0"
    process = site.start(site_change_stanza=None)
    await_moment(process, lambda: len(site.reboots.order) == 2)
    site.window(master=OPEN, worker=CLOSED)
    site.reboots.allowed = lambda _name: True
    run = finish(process)
    assert run.returncode != 0, run.stdout
    lines, (other,) = last_lines(run), {"worker-0", "worker-1"} - {*site.reboots.order}
    assert f"{other}  not started" in lines
    assert "It can continue at 2099-01-01 00:00:00 UTC" in lines[-1]
    assert lines[-1].endswith(f" Remaining: {other}.")
    assert (site.is_at_release(), site.told("worker"), site.done("worker")) == (True, *[site.reboots.order[1:]] * 2)
    assert site.is_paused("worker")
    site.window(master=OPEN, worker=OPEN)
    require_end(site, site.update(site_change_stanza=None), 1, 2)
    assert site.pools() == before


def test_a_worker_that_a_person_cordons_meanwhile_is_held_back_until_it_is_uncordoned(operate: Operate) -> None:
    site = operate(1, 1)
    before = site.pools()
    process = site.start()
    await_moment(process, lambda: site.release()[0] == "Partial")
    site.cordon("worker-0")
    held = finish(process)
    assert held.returncode != 0, held.stdout
    lines = last_lines(held)
    assert any(one.startswith("worker-0  held back: ") and "cordoned" in one for one in lines), lines
    assert lines[-1].startswith("Stopped. Resolve why these nodes are held back")
    assert not [one for one in lines if "pool master has 0 of 1 nodes updated" in one], "its node is done"
    assert "Nothing remains." not in held.stdout
    assert (site.done("master"), site.told("worker")) == (["master-0"], [])
    site.cordon("worker-0", cordoned=False)
    require_end(site, site.update(), 1, 1)
    assert site.pools() == before


def test_a_configuration_that_is_rendered_anew_while_a_worker_is_away_is_what_all_workers_get(operate: Operate) -> None:
    site = operate(1, 2)
    before = site.pools()
    site.reboots.allowed = lambda name: name == "master-0"
    process = site.start()
    await_moment(process, lambda: len(site.reboots.order) == 2)
    first, earlier = site.reboots.order[1], site.target("worker")
    site.rest.apply(machine_config_with_file("50-test", "worker", "/etc/lab-test.conf", "newer\n"))
    await_moment(process, lambda: site.target("worker") != earlier)
    site.reboots.allowed = lambda _name: True
    require_end(site, finish(process), 1, 2)
    assert site.pools() == before
    (other,) = {"worker-0", "worker-1"} - {first}
    assert site.reboots.order == ["master-0", first, first, other]


def test_the_phase_release_alone_and_the_phase_nodes_after_it(operate: Operate) -> None:
    site = operate(1, 1)
    before = site.pools()
    released = site.update(["release"])
    assert released.returncode == 0, released.stdout
    assert (site.told("worker"), site.is_paused("worker")) == ([], True)
    assert last_lines(released)[-1] == "No node was started by this run. Run the phase nodes to update them."
    run = site.update(["nodes"])
    require_end(site, run, 1, 1)
    assert site.pools() == before


def test_the_lock_of_a_dead_job_is_taken_over_once_it_has_run_out(operate: Operate) -> None:
    site = operate(1, 1)
    before = site.pools()
    site.rest.apply_all(lock_of_a_dead_job(seconds=25))
    run = site.update()
    assert DEAD in run.stdout, "it says whom it waits for"
    require_end(site, run, 1, 1)
    assert site.rest.get(LEASE)["spec"]["leaseTransitions"] > 0
    assert site.pools() == before


def test_refused_until_what_the_next_minor_release_takes_away_is_acknowledged(operate: Operate) -> None:
    site = operate(1, 1, MINOR)
    site.rest.merge(GATES, {"data": {GATE: "Kubernetes 1.35 removes APIs."}})
    wait_for(lambda: site.condition("Upgradeable").get("reason") == "AdminAckRequired", MOST_SECONDS)
    before, running = site.asked_for(), site.release()
    refused = site.update()
    assert refused.returncode != 0, refused.stdout
    assert f"{GATE} is not acknowledged: Kubernetes 1.35 removes APIs." in refused.stdout
    assert last_lines(refused)[1:] == [NOT_BEGUN]
    assert (site.asked_for(), site.release()) == (before, running)
    site.rest.merge(ACKS, {"data": {GATE: "true"}})
    require_end(site, site.update(), 1, 1)


def test_aborted_while_a_worker_is_away_and_begun_again(operate: Operate) -> None:
    """The worker comes back as it was told to; the other one waits, and so their pool stays paused."""
    site = operate(1, 2)
    plant_automation(site.rest)
    before = site.pools(), automation(site.rest)
    site.reboots.allowed = lambda name: name == "master-0"
    process = site.start()
    await_moment(process, lambda: len(site.reboots.order) == 2)
    kill(process)
    output = finish(process).stdout
    assert automation(site.rest) != before[1], output
    locked = site.times_locked()
    process = site.start_abort()
    await_moment(process, lambda: site.times_locked() > locked)
    site.reboots.allowed = lambda _name: True
    aborted = finish(process)
    assert aborted.returncode == 0, aborted.stdout
    (begun,) = site.reboots.order[1:]
    assert (site.done("worker"), site.told("worker")) == ([begun], [begun]), aborted.stdout
    said, waits, stays = last_lines(aborted, "Show the result")
    assert said.endswith(f" is aborted; nodes that were in progress: {begun}; 1 of 3 nodes are done")
    assert waits.startswith(
        f"pool worker: 1 of 2 nodes have {site.target(begun)}, 1 waits while the pool is paused by "
    )
    assert stays.startswith("Pool worker stays paused, because ")
    assert not [one for one in ("worker-0", "worker-1") if site.node(one)["spec"].get("unschedulable")]
    assert (automation(site.rest), site.is_paused("worker"), site.is_locked()) == (before[1], True, False)
    require_end(site, site.update(), 1, 2, aborted=begun)
    assert (site.pools(), automation(site.rest)) == before
