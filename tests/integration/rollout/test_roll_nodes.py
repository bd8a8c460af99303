# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The role roll_nodes on hosts that really drain, reboot and come back."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import by_policy, closed_now
from ansible_collections.fieldops.openshift.tests.integration.rollout.roll import (
    PLAY_SECONDS,
    Rollout,
    run_slowly_ending_pods,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

FIRST, SECOND = "worker-0", "worker-1"
REASON = "the change did not work"


@pytest.fixture
def rollout(lab: Lab, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Rollout]:
    """A rollout of both workers; what it leaves on them is removed."""
    made = Rollout(lab, tmp_path, request.node.name.replace("_", "-"), nodes=[FIRST, SECOND])
    yield made
    made.clear()


def tasks_file(folder: Path, *tasks: dict[str, t.Any]) -> str:
    path = folder / "tasks.yml"
    path.write_text(json.dumps(tasks))
    return str(path)


@pytest.mark.long
def test_nodes_are_rolled_one_after_another_and_not_twice(rollout: Rollout) -> None:
    run_slowly_ending_pods(rollout.lab, "slow", 2)
    boots = rollout.boots()
    first = rollout.run()
    assert first.returncode == 0, first.stdout
    for node in (FIRST, SECOND):
        assert f"{node} is drained" in first.stdout
        assert f"{node} is back" in first.stdout
        assert rollout.is_schedulable(node)
        assert rollout.boots()[node] == boots[node] + 1
    times = [rollout.record(node)["times"] for node in (FIRST, SECOND)]
    assert times[0]["done"] < times[1]["draining"], "the second was begun before the first was done"
    assert all(sorted(known, key=known.__getitem__) == ["draining", "drained", "rebooting", "done"] for known in times)
    assert rollout.holder() == ""
    again = rollout.run()
    assert "changed=0" in again.stdout
    assert "2 of 2 nodes are done, 0 remain" in again.stdout
    assert rollout.boots()[FIRST] == boots[FIRST] + 1


@pytest.mark.long
def test_check_mode_says_all_and_does_nothing(rollout: Rollout) -> None:
    boots = rollout.boots()
    trial = rollout.run("--check")
    assert trial.returncode == 0, trial.stdout
    assert (rollout.boots(), rollout.phase(FIRST), rollout.journal(), rollout.holder()) == (boots, "", {}, "")


def test_a_closed_window_stops_before_the_first_cordon_and_says_when(rollout: Rollout) -> None:
    run = rollout.run(site_change_stanza=by_policy("nights"), site_change_policies={"nights": closed_now()})
    assert run.returncode != 0, run.stdout
    assert "0 of 2 nodes are done, 2 remain" in run.stdout
    assert "change is restricted: the maintenance schedule of policy nights is closed, until" in run.stdout
    assert (rollout.is_schedulable(FIRST), rollout.journal()) == (True, {})


@pytest.mark.long
def test_a_window_that_closes_lets_the_node_under_way_finish(rollout: Rollout, tmp_path: Path) -> None:
    window = tmp_path / "window"
    window.write_text("Permissive")
    boots = rollout.boots()
    process = rollout.start(site_change_stanza={"strategy": f"{{{{ lookup('ansible.builtin.file', '{window}') }}}}"})
    wait_for(lambda: rollout.has_gone_down(FIRST, boots[FIRST]), "the first node goes down")
    window.write_text("Restrictive")
    output, _unused = process.communicate(timeout=PLAY_SECONDS)
    assert process.returncode != 0, output
    assert "1 of 2 nodes are done, 1 remain" in output
    assert [rollout.phase(node) for node in (FIRST, SECOND)] == ["done", ""]
    assert rollout.holder() == ""


@pytest.mark.long
def test_a_failure_stops_the_rollout_and_the_next_run_takes_that_node_up_first(
    rollout: Rollout, tmp_path: Path
) -> None:
    broken = tasks_file(tmp_path, {"name": "Change", "ansible.builtin.fail": {"msg": REASON}})
    boots = rollout.boots()
    failed = rollout.run(site_node_tasks=broken)
    assert failed.returncode != 0
    assert f"{FIRST}: {REASON}" in failed.stdout
    assert not rollout.is_schedulable(FIRST)
    assert (rollout.record(FIRST)["failed_in"], rollout.record(FIRST)["reason"]) == ("changing", REASON)
    assert rollout.journal()[FIRST]["phase"] == "failed"
    assert (rollout.phase(SECOND), rollout.boots()) == ("", boots)
    repaired = rollout.run()
    assert repaired.returncode == 0, repaired.stdout
    assert "2 of 2 nodes are done, 0 remain" in repaired.stdout


@pytest.mark.long
def test_an_aborted_rollout_gives_its_node_back(rollout: Rollout, tmp_path: Path) -> None:
    broken = tasks_file(tmp_path, {"name": "Change", "ansible.builtin.fail": {"msg": REASON}})
    rollout.run(site_node_tasks=broken)
    aborted = rollout.run(playbook="fieldops.openshift.abort_rollout")
    assert aborted.returncode == 0, aborted.stdout
    assert (rollout.is_schedulable(FIRST), rollout.phase(FIRST)) == (True, "aborted")
    assert rollout.journal()[FIRST]["reason"] == REASON
    assert rollout.holder() == ""


@pytest.mark.long
def test_two_jobs_at_once_one_works_and_one_says_who_does(rollout: Rollout, tmp_path: Path) -> None:
    slow = tasks_file(tmp_path, {"name": "Change", "ansible.builtin.pause": {"seconds": 30}})
    boots = rollout.boots()
    working = rollout.start(site_node_tasks=slow)
    wait_for(lambda: rollout.phase(FIRST) == "changing", "the first job at work")
    refused = rollout.run()
    assert refused.returncode != 0
    assert f"{rollout.holder()} (as " in refused.stdout
    output, _unused = working.communicate(timeout=900)
    assert working.returncode == 0, output
    assert {node: count - boots[node] for node, count in rollout.boots().items()} == {FIRST: 1, SECOND: 1}


@pytest.mark.long
def test_a_host_that_is_not_the_node_is_left_alone(rollout: Rollout) -> None:
    swapped = {"ansible_host": rollout.lab.hosts[SECOND].address}
    boots = rollout.boots()
    run = rollout.run(**swapped, ansible_ssh_extra_args="-o StrictHostKeyChecking=no")
    assert run.returncode != 0
    assert "leads to another machine" in run.stdout
    assert (rollout.boots(), rollout.is_schedulable(FIRST)) == (boots, True)


@pytest.mark.long
def test_a_host_that_cannot_be_reached_keeps_its_pods(rollout: Rollout) -> None:
    run = rollout.run(ansible_port=1)
    assert run.returncode != 0
    assert "Could not reach the host" in run.stdout
    assert rollout.is_schedulable(FIRST)
    assert "Connection refused" in rollout.journal()[FIRST]["reason"]
