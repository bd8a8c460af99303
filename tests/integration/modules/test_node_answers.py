# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A loop whose tasks are begun side by side comes to what it would have come to one after another."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.plays import PlayRun, run_play

NODES = ("worker-0", "worker-1", "worker-2")
OF_THE_RUN = {"begun", "begun_on", "deprecations", "warnings", "failed"}
"""What says nothing of the node: where it was awaited, and what versions of Ansible add."""


def inventory(folder: Path) -> str:
    """Write an inventory of nodes that are folders here, and of one that nobody reaches."""
    here = {"ansible_connection": "local", "ansible_python_interpreter": "{{ ansible_playbook_python }}"}
    away = {"ansible_connection": "ssh", "ansible_host": "127.0.0.1", "ansible_port": 1, "ansible_ssh_retries": 0}
    for name in NODES:
        (folder / name).mkdir()
    hosts = {**dict.fromkeys(NODES, here), "away": away}
    path = folder / "inventory.json"
    path.write_text(json.dumps({"all": {"hosts": hosts}}))
    return str(path)


def asked(folder: Path, *nodes: str, side_by_side: bool, **options: t.Any) -> PlayRun:
    """Ask nodes in a loop, and await their answers."""
    loop = {
        "name": "Ask",
        "fieldops.openshift.node_info": {"gather": ["bundles"], "host_root": f"{folder}/{{{{ node }}}}", **options},
        "delegate_to": "{{ node }}",
        "loop": list(nodes),
        "loop_control": {"loop_var": "node"},
        "ignore_unreachable": True,
        "vars": {"fieldops_side_by_side": side_by_side, "fieldops_queue": "{{ 'one' if node == 'worker-1' else '' }}"},
        "register": "asked",
    }
    answers = {"fieldops.openshift.node_answers": {"begun": "{{ asked.results }}"}}
    return run_play(folder, {"block": [loop, {**answers, "name": "Task under test"}]}, "-i", inventory(folder))


def told(run: PlayRun) -> list[dict[str, t.Any]]:
    return [{name: one for name, one in each.items() if name not in OF_THE_RUN} for each in run.result["results"]]


def test_answers_are_those_of_a_loop(tmp_path: Path) -> None:
    runs = {}
    for side_by_side in (True, False):
        folder = tmp_path / str(side_by_side)
        folder.mkdir()
        runs[side_by_side] = told(asked(folder, *NODES, side_by_side=side_by_side))
    assert runs[True] == runs[False]
    assert [one["node"] for one in runs[True]] == list(NODES)
    assert all(one["bundles"] == [] for one in runs[True])


def test_a_node_that_is_away_is_named_and_the_others_have_answered(tmp_path: Path) -> None:
    run = asked(tmp_path, "away", *NODES, side_by_side=True)
    assert (run.result["error"]["kind"], run.result["error"]["on"]) == ("nodes_failed", "away")
    assert [one.get("unreachable", False) for one in run.result["results"]] == [True, False, False, False]


def test_a_refusal_is_that_of_the_node(tmp_path: Path) -> None:
    run = asked(tmp_path, *NODES, side_by_side=True, index_digest="none")
    assert run.result["failed"] is True
    assert all(one["error"]["kind"] == "invalid_input" for one in run.result["results"])
    assert "worker-2: " in run.result["msg"]
