# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role roll_nodes where the machine-config operator takes whole pools through."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.integration.rollout.object_site import (
    DAEMON,
    POOLS,
    TECHNICIAN,
    WAITS,
    ObjectSite,
    finish,
)
from ansible_collections.fieldops.openshift.tests.integration.rollout.roll import wait_for

pytestmark = pytest.mark.long

PAUSE = "fieldops-openshift/pause"
FIRST, SECOND = "worker-0", "worker-1"


def test_the_pool_is_opened_rolled_and_left_paused_as_it_was_found(site: ObjectSite) -> None:
    with site.operator(seconds=8):
        run = site.run("pool")
    assert run.returncode == 0, run.stdout
    assert "2 of 2 nodes are done, 0 remain" in run.stdout
    record = site.pause_record()
    assert (record["now"], record["paused"], record["by"], record["rollout"]) == (True, True, TECHNICIAN, "")
    assert record["reason"] == f"it was paused before rollout {site.name}"
    entries = site.journal()
    assert {name: (entry["phase"], entry["by"]) for name, entry in entries.items()} == {
        FIRST: ("done", TECHNICIAN),
        SECOND: ("done", TECHNICIAN),
    }
    assert entries[FIRST]["times"]["done"] <= entries[SECOND]["times"]["done"]
    again = site.run("pool")
    assert "changed=0" in again.stdout, again.stdout
    assert sorted(site.reboots) == [FIRST, SECOND]


def test_outside_the_window_nothing_is_opened(site: ObjectSite) -> None:
    with site.operator():
        site.window(permitted=False)
        run = site.run("pool")
    assert WAITS in run.stdout
    assert "0 of 2 nodes are done, 2 remain" in run.stdout
    assert "change is restricted" in run.stdout
    assert (site.reboots, site.journal(), site.pause_record()["now"]) == ([], {}, True)


def test_at_the_end_of_the_window_the_pool_is_closed_and_what_was_begun_finishes(site: ObjectSite) -> None:
    with site.operator(held_until=site.is_paused):
        process = site.start("pool")
        wait_for(lambda: bool(site.reboots), "the first node reboots")
        site.window(permitted=False)
        run = finish(process)
        assert WAITS in run.stdout
        assert "1 of 2 nodes are done, 1 remain" in run.stdout
        assert (site.pause_record()["now"], "change is restricted" in site.pause_record()["reason"]) == (True, True)
        assert (len(site.reboots), site.has_config(site.reboots[0])) == (1, True)
        assert len([name for name in (FIRST, SECOND) if site.is_schedulable(name)]) == 2
    site.window(permitted=True)
    with site.operator():
        later = site.run("pool")
    assert later.returncode == 0, later.stdout
    assert sorted(site.reboots) == [FIRST, SECOND]


def test_a_pool_that_a_killed_run_left_open_is_closed_by_the_next_one_outside_the_window(site: ObjectSite) -> None:
    with site.operator(held_until=site.is_paused):
        site.kill_when("the first reboots", lambda: bool(site.reboots), "pool")
        assert site.pause_record()["now"] is False
        site.window(permitted=False)
        run = site.run("pool")
    assert WAITS in run.stdout
    assert site.pause_record()["now"] is True


def test_a_pause_of_somebody_else_is_named_and_opened_on_request_only(site: ObjectSite) -> None:
    site.rest.merge(f"{POOLS}/worker", {"metadata": {"annotations": {"fieldops-openshift/pause": None}}})
    with site.operator():
        refused = site.run("pool")
        assert refused.returncode != 0
        assert "paused by fieldops-lab" in refused.stdout
        assert site.reboots == []
        opened = site.run("pool", roll_nodes_foreign_pause="open")
    assert opened.returncode == 0, opened.stdout
    assert (sorted(site.reboots), site.pause_record()["now"]) == ([FIRST, SECOND], True)


def test_a_node_that_cannot_go_on_stops_the_rollout_and_closes_the_pool(site: ObjectSite) -> None:
    broken = {f"{DAEMON}state": "Degraded", f"{DAEMON}reason": "no space left", f"{DAEMON}desiredConfig": "rendered-x"}
    site.rest.merge(f"/api/v1/nodes/{FIRST}", {"metadata": {"annotations": broken}})
    condition = {
        "type": "NodeDegraded",
        "status": "True",
        "reason": "",
        "message": "",
        "lastTransitionTime": "2026-11-20T08:00:00Z",
    }
    site.rest.merge(f"{POOLS}/worker/status", {"status": {"conditions": [condition]}})
    run = site.run("pool", roll_nodes_degraded_timeout=1)
    assert run.returncode != 0
    assert f"{FIRST}: no space left" in run.stdout
    assert site.pause_record()["now"] is True
    assert site.journal()[FIRST]["phase"] == "failed"


def test_a_pool_that_was_open_is_open_again(site: ObjectSite) -> None:
    """The run before was ended by its window, between the two nodes."""
    site.rest.merge(f"{POOLS}/worker", {"metadata": {"annotations": {PAUSE: None}}, "spec": {"paused": False}})
    with site.operator(held_until=site.is_paused):
        process = site.start("pool")
        wait_for(lambda: bool(site.reboots), "the first node reboots")
        site.window(permitted=False)
        assert WAITS in finish(process).stdout
    site.window(permitted=True)
    with site.operator():
        assert site.run("pool").returncode == 0
    assert (sorted(site.reboots), site.pause_record()) == ([FIRST, SECOND], {"now": False})


def test_a_required_pool_stays_open_once_it_is_updated(site: ObjectSite) -> None:
    site.give_next("master")
    site.pause("master")
    with site.operator():
        run = site.run("pool", site_pools=["master"])
    assert run.returncode == 0, run.stdout
    assert (site.reboots, site.pause_record("master")["now"]) == (["master-0"], False)


def test_check_mode_opens_nothing(site: ObjectSite) -> None:
    with site.operator():
        run = site.run("pool", "--check")
    assert run.returncode == 0, run.stdout
    assert (site.reboots, site.journal(), site.pause_record()["now"]) == ([], {}, True)


def test_an_aborted_rollout_closes_its_pool_and_lets_begun_nodes_finish(site: ObjectSite) -> None:
    with site.operator(held_until=site.is_paused):
        site.kill_when("the first reboots", lambda: bool(site.reboots), "pool")
        aborted = finish(site.start("pool", playbook="abort_rollout", site_break_lock_reason="its play was killed"))
    assert aborted.returncode == 0, aborted.stdout
    assert site.pause_record()["now"] is True
    assert (len(site.reboots), site.has_config(site.reboots[0])) == (1, True)
    assert site.journal()[site.reboots[0]]["phase"] == "done"
