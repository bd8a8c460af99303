# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The module node_reboot where the kernel stays: systemd of a host restarts everything else, once for each request."""

from __future__ import annotations

import json
import subprocess
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.callback.keep_result import TASK
from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import PlayRun, environment_for
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

pytestmark = pytest.mark.long

NODE = "worker-0"
SECONDS = 180


def reboot(lab: Lab, folder: Path, *words: str, **options: t.Any) -> PlayRun:
    task = {"name": TASK, "fieldops.openshift.node_reboot": {"wait": True, "wait_timeout": SECONDS, **options}}
    play = {"hosts": NODE, "gather_facts": False, "become": True, "tasks": [task]}
    path = folder / "play.yml"
    path.write_text(json.dumps([play]))
    command: list[str | Path] = [BINARIES / "ansible-playbook", "-i", lab.inventory, *words, path]
    run = subprocess.run(
        lab.command(command), env=environment_for(folder, {}), capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return PlayRun(output=run.stdout, result=json.loads((folder / "result.json").read_text()))


def soft_reboots(lab: Lab) -> int:
    return int(lab.hosts[NODE].run("systemctl", "show", "--property=SoftRebootsCount", "--value"))


def sessions_server(lab: Lab) -> str:
    return lab.hosts[NODE].run("systemctl", "show", "--property=InvocationID", "ssh.service")


@pytest.fixture
def boot(lab: Lab) -> Iterator[str]:
    """The present boot; a full one follows, as what a host of the lab has mounted is given to it from outside."""
    lab.wait_ready([NODE])
    yield lab.hosts[NODE].run("cat", "/proc/sys/kernel/random/boot_id").strip()
    lab.reboot(NODE)
    lab.wait_ready([NODE])


def test_everything_but_the_kernel_is_restarted_once_for_each_request(lab: Lab, boot: str, tmp_path: Path) -> None:
    boots, before, server = lab.hosts[NODE].boots, soft_reboots(lab), sessions_server(lab)
    first = reboot(lab, tmp_path, soft=True, boot_id=boot, request="first").result
    assert (first["changed"], first["rebooted"], first["soft"], first["boot_id"]) == (True, True, True, boot)
    assert (lab.hosts[NODE].boots, soft_reboots(lab)) == (boots, before + 1)
    assert sessions_server(lab) != server

    again = reboot(lab, tmp_path, soft=True, boot_id=boot, request="first").result
    assert (again["changed"], again["rebooted"], soft_reboots(lab)) == (False, True, before + 1)
    foretold = reboot(lab, tmp_path, "--check", soft=True, boot_id=boot, request="second", wait=False).result
    assert (foretold["changed"], foretold["rebooted"], soft_reboots(lab)) == (True, False, before + 1)
    second = reboot(lab, tmp_path, soft=True, boot_id=boot, request="second").result
    assert (second["changed"], second["rebooted"], soft_reboots(lab)) == (True, True, before + 2)
