# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The real bootc on a machine that really boots, asked over ssh."""

from __future__ import annotations

import json
import os
import subprocess
import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.virtual.system import REPOSITORY

if t.TYPE_CHECKING:
    from pathlib import Path

    from ansible_collections.fieldops.openshift.tests.lab.virtual.lab import VirtualLab

pytestmark = pytest.mark.long


def info(lab: VirtualLab, folder: Path) -> dict[str, t.Any]:
    """Return what the info module says of the machine, over ssh."""
    module = ["-m", "fieldops.openshift.os_image_info", "--become", "--one-line", lab.machine.name]
    done = subprocess.run(
        lab.command([BINARIES / "ansible", *module]),
        env=environment_for(folder, {**lab.environment, "PATH": f"{BINARIES}:{os.environ['PATH']}"}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, t.Any] = json.loads(done.stdout.partition("=> ")[2])
    return found


def test_a_machine_that_bootc_installed_is_told_over_ssh(lab: VirtualLab, tmp_path: Path) -> None:
    found = info(lab, tmp_path)
    assert (found["os_image"]["backend"], found["os_image"]["booted"]["digest"]) == ("bootc", lab.first)
    assert found["os_image"]["booted"]["image"] == f"{REPOSITORY}:9.1"
    assert (found["reboot_needed"], found["soft_reboot_prepared"], found["finalized"]) == (False, False, False)
