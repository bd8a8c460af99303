# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Control-plane nodes take turns, other nodes are begun at once: what the playbook shows of its nodes, in order."""

from __future__ import annotations

import json
import re
import typing as t
from collections.abc import Mapping
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.fake_site import FakeSite
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS

REMOVED = "Remove images of earlier releases from each node, or determine what can be removed"
STAGED, LOADED = "Stage the bundle on each node", "Load all images on each node"
CHAIN = "Start the relays"
OTHERS = ("master-1", "master-2", "worker-1")


@pytest.fixture
def site(tmp_path: Path) -> FakeSite:
    return FakeSite(tmp_path, 5, 0.0)


def seen(output: str, before: str) -> list[tuple[str, str]]:
    """Return the nodes with what they showed, up to the end of the task ``before``, from the end of the one before."""
    part = output[: output.index("PLAY RECAP")]
    tasks = re.split(r"^TASK \[", part, flags=re.MULTILINE)
    number = next(number for number, task in enumerate(tasks) if before in task.splitlines()[0])
    return re.findall(r"^  (\S+): \S+ (begun|complete)$", "".join(tasks[number - 1 : number + 1]), flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("variables", "turns"),
    [
        pytest.param({}, [("master-0", "master-1"), ("master-1", "master-2")], id="one at a time"),
        pytest.param(
            {"site_control_plane_parallel": 2}, [("master-0", "master-2")], id="two at a time", marks=pytest.mark.long
        ),
        pytest.param(
            {"site_pools_by_node": {"master-0": "master", "worker-0": "arbiter", **dict.fromkeys(OTHERS, "worker")}},
            [("master-0", "worker-0")],
            id="an arbiter has an etcd member as well",
            marks=pytest.mark.long,
        ),
    ],
)
def test_control_plane_nodes_take_turns(
    site: FakeSite, variables: Mapping[str, t.Any], turns: list[tuple[str, str]]
) -> None:
    output = site.bring(str(COLLECTIONS), **variables)
    for task in (STAGED, LOADED):
        shown = seen(output, task)
        for first, second in turns:
            assert shown.index((first, "complete")) < shown.index((second, "begun"))
        assert {node for node, state in shown if state == "complete"} == set(site.names)


def test_control_plane_nodes_take_turns_to_remove_images(site: FakeSite, tmp_path: Path) -> None:
    told = {
        "clean_up_bundle_site": {"cluster_version": {"desired_image": "present", "left_behind": ["earlier"]}},
        "clean_up_bundle_turns": site.names[:3],
        "clean_up_bundle_held": {"results": []},
        "clean_up_bundle_nodes": site.names,
        "ansible_pipelining": True,
    }
    role = {"name": "fieldops.openshift.clean_up_bundle", "tasks_from": "reclaim"}
    tasks = [{"name": "Remove", "ansible.builtin.include_role": role, "vars": told}]
    play = tmp_path / "play.yml"
    play.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": tasks}]))
    shown = seen(site.play(str(play), str(COLLECTIONS)), REMOVED)
    masters = [one for one in shown if one[0].startswith("master-")]
    assert masters == [(name, state) for name in site.names[:3] for state in ("begun", "complete")]
    assert shown.index(("worker-1", "begun")) < shown.index(("master-2", "complete"))
    assert {node for node, state in shown if state == "complete"} == set(site.names)


@pytest.mark.long
@pytest.mark.parametrize(("method", "expected"), [("chain", True), ("controller", False)])
def test_a_chain_is_begun_where_it_is_wanted(site: FakeSite, method: str, expected: bool) -> None:
    assert (CHAIN in site.bring(str(COLLECTIONS), site_stage_method=method)) is expected
