# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A host that cannot be reached: its task fails and is rescued, and no sum says that it is done."""

from __future__ import annotations

import json
import subprocess
import typing as t
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS, environment_for

DIGEST = "sha256:" + 64 * "a"
# Nothing listens on the first port of this machine.
AWAY = "worker-0 ansible_host=127.0.0.1 ansible_port=1\n"
Tasks = list[dict[str, t.Any]]


def play(folder: Path, tasks: Tasks, **variables: t.Any) -> subprocess.CompletedProcess[str]:
    """Run a play on localhost beside a host that is away."""
    inventory, path = folder / "hosts.ini", folder / "play.yml"
    inventory.write_text(AWAY)
    path.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "vars": variables, "tasks": tasks}]))
    command: list[str | Path] = [BINARIES / "ansible-playbook", "-i", inventory, path]
    return subprocess.run(command, env=environment_for(folder, {}), capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "task",
    [
        {"fieldops.openshift.os_image_info": {}},
        {"fieldops.openshift.os_image": {"state": "rolled_back", "leave_digest": DIGEST}},
        {"fieldops.openshift.node_reboot": {"boot_id": "none"}},
        {"fieldops.openshift.node_reboot": {"boot_id": "none", "wait": True, "wait_timeout": 2}},
    ],
)
def test_a_rescue_hears_of_a_host_that_is_away(tmp_path: Path, task: dict[str, t.Any]) -> None:
    said = {"name": "Say", "ansible.builtin.debug": {"msg": "rescued: {{ ansible_failed_result.msg }}"}}
    block = {"block": [{"name": "Ask", "delegate_to": "worker-0", **task}], "rescue": [said]}
    run = play(tmp_path, [{"name": "Ask a host", **block}])
    assert run.returncode == 0, run.stdout
    assert "rescued: Could not" in run.stdout
    assert "unreachable=0" in run.stdout


@pytest.mark.parametrize("wanted", [True, False], ids=["switched", "rolled back"])
def test_a_host_that_cannot_be_read_is_not_done(tmp_path: Path, wanted: bool) -> None:
    role = {"name": "fieldops.openshift.switch_os_image", "tasks_from": "summary"}
    run = play(
        tmp_path,
        [{"name": "Sum up", "ansible.builtin.include_role": role}],
        switch_os_image_digest=DIGEST,
        ansible_become=False,
        switch_os_image_wanted=wanted,
        switch_os_image_failed=[],
        switch_os_image_verified={},
        switch_os_image_rolled_back=[],
        switch_os_image_reason="",
        switch_os_image_plan={"nodes": [{"name": "worker-0"}]},
        roll_nodes_summary={"outcome": "done", "reason": "", "remaining": []},
    )
    assert run.returncode != 0, run.stdout
    assert "the booted image is unknown, because it could not be read: worker-0" in run.stdout
    assert '"outcome": "failed"' in run.stdout
    assert "unreachable=0" in run.stdout


@pytest.mark.parametrize(
    ("booted", "is_proved"),
    [({}, False), ({"digest": ""}, False), ({"digest": DIGEST}, False), ({"digest": "sha256:" + 64 * "b"}, True)],
)
def test_an_unknown_image_is_no_proof_of_a_rollback(tmp_path: Path, booted: dict[str, str], is_proved: bool) -> None:
    role = COLLECTIONS / "ansible_collections/fieldops/openshift/roles/switch_os_image/tasks/prove_back.yml"
    (_read, proof, _record) = yaml.safe_load(role.read_text())
    run = play(
        tmp_path,
        [proof],
        roll_nodes_node="worker-0",
        switch_os_image_digest=DIGEST,
        switch_os_image_booted={
            "os_image": {"booted": booted},
            "digests": [{"booted": booted.get("digest") == DIGEST}],
        },
    )
    assert (run.returncode == 0) is is_proved, run.stdout
