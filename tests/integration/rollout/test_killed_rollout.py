# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A rollout that is killed in each of its phases, one after another, and each time run again."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.rollout.roll import Rollout, run_slowly_ending_pods
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

pytestmark = pytest.mark.long

FIRST, SECOND = "worker-0", "worker-1"


MARK = {
    "name": "Leave a mark",
    "ansible.builtin.command": {"argv": ["touch", "/var/lib/marked"], "creates": "/var/lib/marked"},
    "delegate_to": "{{ roll_nodes_node }}",
    "become": True,
}


@pytest.fixture
def rollout(lab: Lab, tmp_path: Path) -> Rollout:
    tasks = tmp_path / "tasks.yml"
    tasks.write_text(json.dumps([MARK]))
    run_slowly_ending_pods(lab, "slow", 2)
    return Rollout(lab, tmp_path, "killed", nodes=[FIRST, SECOND], site_node_tasks=str(tasks))


def test_it_ends_well_and_reboots_each_host_once(rollout: Rollout) -> None:
    boots = rollout.boots()
    rollout.kill_when("the lock is taken", lambda: bool(rollout.holder()))
    for node, phases in ((FIRST, ("draining", "changing")), (SECOND, ("drained", "rebooting"))):
        for phase in phases:
            rollout.kill_when(f"{node} is {phase}", partial(rollout.is_in, node, phase))
        rollout.kill_when(f"{node} is down", partial(rollout.has_gone_down, node, boots[node]))
    rollout.kill_when(f"{SECOND} is done", partial(rollout.is_in, SECOND, "done"))
    finished = rollout.run()
    assert finished.returncode == 0, finished.stdout
    assert "2 of 2 nodes are done, 0 remain" in finished.stdout
    assert {node: count - boots[node] for node, count in rollout.boots().items()} == {FIRST: 1, SECOND: 1}
    assert [rollout.phase(node) for node in (FIRST, SECOND)] == ["done", "done"]
    assert [rollout.is_schedulable(node) for node in (FIRST, SECOND)] == [True, True]
    assert {entry["phase"] for entry in rollout.journal().values()} == {"done"}
    assert [rollout.lab.hosts[node].run("ls", "/var/lib/marked").strip() for node in (FIRST, SECOND)]
