# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role roll_nodes where it chooses the nodes of a paused pool itself, and their daemons change them."""

from __future__ import annotations

import threading

from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import by_policy, open_now
from ansible_collections.fieldops.openshift.tests.integration.rollout.object_site import (
    DAEMON,
    POOLS,
    TECHNICIAN,
    WAITS,
    ObjectSite,
    finish,
)
from ansible_collections.fieldops.openshift.tests.integration.rollout.roll import wait_for

WAY = "node_by_node"
PAUSE = "fieldops-openshift/pause"
FIRST, SECOND = "worker-0", "worker-1"


def test_nodes_of_a_paused_pool_are_taken_one_after_another(site: ObjectSite) -> None:
    with site.operator():
        run = site.run(WAY)
    assert run.returncode == 0, run.stdout
    assert "2 of 2 nodes are done, 0 remain" in run.stdout
    assert '"fieldops_ending": "done"' in run.stdout
    assert site.reboots == [FIRST, SECOND]
    entries = site.journal()
    assert entries[FIRST]["times"]["done"] < entries[SECOND]["times"]["draining"]
    assert {(entry["phase"], entry["by"]) for entry in entries.values()} == {("done", TECHNICIAN)}
    assert [site.is_schedulable(node) for node in (FIRST, SECOND)] == [True, True]
    assert site.pause_record()["now"] is True
    again = site.run(WAY)
    assert "changed=0" in again.stdout, again.stdout
    assert '"fieldops_ending": "nothing_to_do"' in again.stdout


def test_an_open_pool_is_paused_before_anything_else(site: ObjectSite) -> None:
    site.pause("worker", paused=False)
    run = site.run(WAY, roll_nodes_config_timeout=1)
    assert run.returncode != 0, "there was no operator"
    record = site.pause_record()
    assert (record["now"], record["rollout"]) == (True, site.name)
    assert "one by one" in record["reason"]


def test_outside_the_window_no_node_is_begun(site: ObjectSite) -> None:
    with site.operator():
        site.window(permitted=False)
        run = site.run(WAY)
    assert WAITS in run.stdout
    assert (site.reboots, site.journal()) == ([], {})


def test_no_node_is_begun_that_takes_longer_than_the_window_lasts(site: ObjectSite) -> None:
    with site.operator():
        run = site.run(
            WAY,
            site_node_seconds=9000,
            site_change_stanza=by_policy("nights"),
            site_change_policies={"nights": open_now()},
        )
    assert WAITS in run.stdout
    assert "0 of 2 nodes are done, 2 remain" in run.stdout
    assert "it may take 2h 30m, and change of MachineConfigPool worker is permitted for" in run.stdout
    assert site.reboots == []


def test_a_cordon_of_somebody_else_is_there_again_in_the_end(site: ObjectSite) -> None:
    site.rest.merge(f"/api/v1/nodes/{FIRST}", {"spec": {"unschedulable": True}})
    with site.operator():
        untouched = site.run(WAY, roll_nodes_max_unavailable="2")
        assert untouched.returncode != 0, untouched.stdout
        assert f"{FIRST} is held back: it was cordoned by others" in untouched.stdout
        assert (site.reboots, site.is_schedulable(FIRST)) == ([SECOND], False)
        kept = site.run(WAY, roll_nodes_foreign_cordon="keep")
    assert kept.returncode == 0, kept.stdout
    assert (site.has_config(FIRST), site.is_schedulable(FIRST)) == (True, False)


def test_a_run_that_was_killed_while_a_daemon_works_is_finished_without_a_second_reboot(site: ObjectSite) -> None:
    with site.operator(seconds=8):
        site.kill_when("the first reboots", lambda: bool(site.reboots), WAY)
        run = site.run(WAY)
    assert run.returncode == 0, run.stdout
    assert site.reboots == [FIRST, SECOND]
    assert {entry["phase"] for entry in site.journal().values()} == {"done"}


def is_told(site: ObjectSite, name: str) -> bool:
    notes = site.node(name)["metadata"]["annotations"]
    return bool(notes[f"{DAEMON}desiredConfig"] != notes[f"{DAEMON}currentConfig"])


def test_a_daemon_that_cannot_go_on_fails_its_node_and_leaves_it_cordoned(site: ObjectSite) -> None:
    condition = {
        "type": "NodeDegraded",
        "status": "True",
        "reason": "",
        "message": "",
        "lastTransitionTime": "2026-11-20T08:00:00Z",
    }
    site.rest.merge(f"{POOLS}/worker/status", {"status": {"conditions": [condition]}})
    broken = {f"{DAEMON}state": "Degraded", f"{DAEMON}reason": "no space left"}
    process = site.start(WAY, roll_nodes_degraded_timeout=1)
    wait_for(lambda: is_told(site, FIRST) or process.poll() is not None, "the daemon is told")
    site.rest.merge(f"/api/v1/nodes/{FIRST}", {"metadata": {"annotations": broken}})
    failed = finish(process)
    assert failed.returncode != 0
    assert f"{FIRST}: its machine-config daemon is Degraded: no space left" in failed.stdout
    assert (site.is_schedulable(FIRST), site.journal()[FIRST]["phase"]) == (False, "failed")


def test_the_operator_takes_the_control_plane_through_while_its_pool_is_open(site: ObjectSite) -> None:
    site.give_next("master")
    site.rest.merge(f"{POOLS}/worker", {"metadata": {"annotations": {PAUSE: None}}, "spec": {"paused": False}})
    with site.operator(seconds=8):
        run = site.run(WAY, site_pools=[])
    assert run.returncode == 0, run.stdout
    assert sorted(site.reboots) == ["master-0", FIRST, SECOND]
    assert {name: entry["phase"] for name, entry in site.journal().items()} == dict.fromkeys(site.reboots, "done")
    # The role has paused the one, and never the other: both are left open, without a mark.
    assert [site.pause_record(pool) for pool in ("worker", "master")] == [{"now": False}, {"now": False}]


def test_an_abort_leaves_the_control_plane_to_its_operator(site: ObjectSite) -> None:
    site.give_next("master")
    released = threading.Event()
    with site.operator(held_until=released.is_set):
        site.kill_when("the control plane reboots", lambda: bool(site.journal()), WAY, site_pools=["master"])
        aborted = finish(site.start(WAY, playbook="abort_rollout"))
        released.set()
        wait_for(lambda: site.has_config("master-0"), "the operator ends what it has begun")
    assert aborted.returncode == 0, aborted.stdout
    assert ", master-0 is in progress; the machine-config operator continues with it" in aborted.stdout
    assert site.pause_record("master") == {"now": False}


def test_a_run_that_was_killed_while_the_last_control_plane_node_rolls_is_ended_by_the_next(site: ObjectSite) -> None:
    """The operator has ended what it had begun before that: nothing of the pool waits any more."""
    site.give_next("master")
    released = threading.Event()
    with site.operator(held_until=released.is_set):
        site.kill_when("the control plane reboots", lambda: bool(site.journal()), WAY, site_pools=["master"])
        released.set()
        wait_for(lambda: site.has_config("master-0"), "the operator ends what it has begun")
        run = site.run(WAY, site_pools=["master"])
    assert run.returncode == 0, run.stdout
    assert "1 of 1 nodes are done, 0 remain" in run.stdout
    assert site.journal()["master-0"]["phase"] == "done"


def test_a_control_plane_node_that_fails_is_the_last_one_that_is_taken(site: ObjectSite) -> None:
    site.give_next("master")
    broken = {f"{DAEMON}state": "Degraded", f"{DAEMON}reason": "no space left", f"{DAEMON}desiredConfig": "rendered-x"}
    site.rest.merge("/api/v1/nodes/master-0", {"metadata": {"annotations": broken}})
    condition = {"type": "NodeDegraded", "status": "True", "lastTransitionTime": "2026-11-20T08:00:00Z"}
    site.rest.merge(f"{POOLS}/master/status", {"status": {"conditions": [{**condition, "reason": "", "message": ""}]}})
    run = site.run(WAY, site_pools=[], roll_nodes_degraded_timeout=1)
    assert run.returncode != 0
    record = site.pause_record("master")
    assert (record["now"], record["rollout"], record["reason"]) == (True, site.name, "master-0: no space left")
    assert "The pool is paused, so no further node starts." in run.stdout
    assert site.journal() == {"master-0": site.journal()["master-0"]}, "no worker is begun after that"


def test_the_control_plane_is_rolled_node_by_node_on_request(site: ObjectSite) -> None:
    site.give_next("master")
    process = site.start(WAY, site_pools=["master"], site_control_plane_method="node_by_node")
    wait_for(lambda: site.pause_record("master")["now"] or process.poll() is not None, "the pool is paused")
    with site.operator():
        run = finish(process)
    assert run.returncode == 0, run.stdout
    assert site.journal()["master-0"]["times"].keys() >= {"drained", "rebooting", "done"}
    assert (site.reboots, site.pause_record("master")) == (["master-0"], {"now": False})


def test_check_mode_says_all_and_does_nothing(site: ObjectSite) -> None:
    with site.operator():
        run = site.run(WAY, "--check")
    assert run.returncode == 0, run.stdout
    assert (site.reboots, site.journal(), site.is_schedulable(FIRST)) == ([], {}, True)
