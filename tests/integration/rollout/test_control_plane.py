# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A control plane of three whose hosts serve API and etcd themselves: its quorum outlasts the rollout."""

from __future__ import annotations

import json
import os
import re
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.rollout.quorum import QuorumWatch
from ansible_collections.fieldops.openshift.tests.integration.rollout.roll import PLAY_SECONDS, Rollout, wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.guard_controller import GuardController, guards_left
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.seed.workloads import ETCD_NAMESPACE

pytestmark = [pytest.mark.long, pytest.mark.skipif(os.geteuid() != 0, reason="node hosts need root")]
MEMBERS = ("master-0", "master-1", "master-2")
PATIENCE = 300.0
GUARDS = f"/api/v1/namespaces/{ETCD_NAMESPACE}/pods"
BUDGET = f"/apis/policy/v1/namespaces/{ETCD_NAMESPACE}/poddisruptionbudgets/etcd-guard-pdb"


@pytest.fixture(scope="module")
def ha() -> Iterator[Lab]:
    """A lab of profile ``ha``, with guards that ask the etcd of their hosts."""
    lab = Lab(control_plane=3, workers=0, hosted=True)
    with lab, GuardController(lab.api.rest, pause_image().name, asks_etcd=True):
        wait_for(lambda: lab.api.rest.exists(BUDGET), "guards are made", PATIENCE)
        wait_for(lambda: guards_left(lab.api.rest) == 1, "a guard is ready on each member", PATIENCE)
        yield lab


@pytest.fixture
def rollout(ha: Lab, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Rollout]:
    made = Rollout(ha, tmp_path, re.sub("[^a-z0-9]+", "-", request.node.name).strip("-"), nodes=MEMBERS)
    yield made
    made.clear()


def test_members_are_rolled_one_by_one_and_etcd_never_lacks_two(rollout: Rollout) -> None:
    with QuorumWatch(rollout.lab, MEMBERS) as watch:
        run = rollout.run()
    assert run.returncode == 0, run.stdout
    assert "3 of 3 nodes are done, 0 remain" in run.stdout
    assert rollout.boots() == dict.fromkeys(MEMBERS, 1)
    assert sorted(watch.missed) == sorted(MEMBERS), "each member was away once"
    assert watch.fewest == 2
    times = sorted((rollout.record(name)["times"] for name in MEMBERS), key=lambda known: known["draining"])
    assert all(one["done"] < other["draining"] for one, other in zip(times, times[1:]))
    assert ([rollout.is_schedulable(name) for name in MEMBERS], rollout.holder()) == ([True] * 3, "")


def test_with_a_member_whose_etcd_has_stopped_no_node_is_begun(rollout: Rollout) -> None:
    host, boots = rollout.lab.hosts["master-1"], rollout.boots()
    host.run("systemctl", "stop", "etcd")
    try:
        wait_for(lambda: guards_left(rollout.lab.api.rest) == 0, "its guard sees it", PATIENCE)
        run = rollout.run()
    finally:
        host.run("systemctl", "start", "etcd")
    assert run.returncode != 0, "somebody has to look"
    assert "0 of 3 nodes are done, 3 remain" in run.stdout
    assert (
        "etcd could lose its quorum of 3 members: master-1 is unavailable (its etcd member is not serving)"
        in run.stdout
    )
    assert (rollout.boots(), rollout.journal(), rollout.holder()) == (boots, {}, "")
    wait_for(lambda: guards_left(rollout.lab.api.rest) == 1, "the member serves again", PATIENCE)


def test_a_member_that_is_lost_after_the_drain_keeps_the_drained_node_up(rollout: Rollout, tmp_path: Path) -> None:
    rest, boots, lost = rollout.lab.api.rest, rollout.boots(), tmp_path / "lost"
    tasks = tmp_path / "tasks.json"
    waiting = {"ansible.builtin.wait_for": {"path": str(lost), "timeout": PATIENCE}, "delegate_to": "localhost"}
    tasks.write_text(json.dumps([{"name": "Take time", **waiting}]))
    process = rollout.start(site_node_tasks=str(tasks))
    wait_for(lambda: rollout.is_in("master-0", "changing"), "the first node is drained", PATIENCE)
    rollout.lab.hosts["master-2"].run("systemctl", "stop", "etcd")
    try:
        wait_for(lambda: not is_ready(rest.get(f"{GUARDS}/etcd-guard-master-2")), "its guard sees it", PATIENCE)
        lost.touch()
        output = process.communicate(timeout=PLAY_SECONDS)[0]
    finally:
        rollout.lab.hosts["master-2"].run("systemctl", "start", "etcd")
    assert process.returncode != 0
    assert "master-0 is drained, but must not go down now" in output
    assert "master-2 is unavailable (its etcd member is not serving)" in output
    assert (rollout.boots(), rollout.phase("master-0"), rollout.holder()) == (boots, "failed", "")
    rollout.clear()
    wait_for(lambda: guards_left(rest) == 1, "all members serve again", PATIENCE)


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        pytest.param(
            "1", "1 of 3 nodes of pool master may be unavailable, and master-2 is unavailable", id="as the pool says"
        ),
        pytest.param(
            "2", "etcd could lose its quorum of 3 members: master-2 is unavailable", id="whatever was permitted"
        ),
    ],
)
def test_with_a_member_that_has_no_power_no_node_is_begun(rollout: Rollout, limit: str, reason: str) -> None:
    rest, boots = rollout.lab.api.rest, rollout.boots()
    with rollout.lab.faults.power_loss("master-2"):
        wait_for(lambda: not is_ready(rest.get("/api/v1/nodes/master-2")), "the cluster notices", PATIENCE)
        run = rollout.run(roll_nodes_max_unavailable=limit)
    assert run.returncode != 0
    assert "0 of 3 nodes are done, 2 remain" in run.stdout
    assert reason in run.stdout
    assert (rollout.boots(), rollout.journal(), rollout.holder()) == (boots, {}, "")
    rollout.lab.wait_ready(["master-2"])
    wait_for(lambda: guards_left(rest) == 1, "the member serves again", PATIENCE)


def is_ready(node_or_pod: dict[str, t.Any]) -> bool:
    conditions: dict[str, str] = {one["type"]: one["status"] for one in node_or_pod["status"]["conditions"]}
    return conditions["Ready"] == "True"
