# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whole playbooks as a technician runs them, to their end or killed on the way."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.tests.demo.stage import Command
from ansible_collections.fieldops.openshift.tests.integration.plays import CALLBACKS

_RECAP = re.compile(r"localhost +: ok=\d+ +changed=(\d+)")
SECONDS = 1200


@dataclass(frozen=True)
class PlaybookRun:
    """What a playbook came to; ``output`` is all that the technician saw."""

    status: int
    output: str

    @property
    def changed(self) -> int:
        """The number of tasks that changed something, from the recap."""
        found = _RECAP.search(self.output)
        assert found, self.output
        return int(found[1])


def run(command: Command) -> PlaybookRun:
    """Run a playbook to its end."""
    done = subprocess.run(
        command.argv,
        env={**command.env, "ANSIBLE_CALLBACK_PLUGINS": str(CALLBACKS)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return PlaybookRun(done.returncode, done.stdout)


def run_until_killed(command: Command, task: str) -> PlaybookRun:
    """Run a playbook until it says that it begins ``task``; then kill it and all that it started here, at once.

    What runs on as a job of its own, on hosts or here, is left alone: that is what a power cut of the laptop leaves on
    the hosts.
    """
    process = subprocess.Popen(
        command.argv,
        env={**command.env, "ANSIBLE_CALLBACK_PLUGINS": str(CALLBACKS)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("TASK [") and task in line:
            os.killpg(process.pid, signal.SIGKILL)
            break
    process.stdout.close()
    return PlaybookRun(process.wait(SECONDS), "".join(lines))
