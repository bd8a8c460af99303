# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Control groups of node hosts: one of each node's own, so that no host sees another's processes."""

from __future__ import annotations

import time
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

ROOT = Path("/sys/fs/cgroup")
NEEDED = {"cpu", "memory", "pids"}
EMPTY_SECONDS = 10.0


def hierarchies() -> list[Path]:
    """Return the hierarchies that systemd uses: one on a unified machine, two on a hybrid one (systemd, unified)."""
    if (ROOT / "cgroup.controllers").exists():
        return [ROOT]
    return [path for path in (ROOT / "systemd", ROOT / "unified") if path.is_dir()]


def has_controllers() -> bool:
    """Whether cgroup v2 has the controllers with which a container runtime limits containers."""
    unified = hierarchies()[-1] / "cgroup.controllers"
    return unified.exists() and set(unified.read_text().split()) >= NEEDED


def create(name: str) -> list[Path]:
    """Make the group ``name`` in every hierarchy and return the directories."""
    groups = [hierarchy / name for hierarchy in hierarchies()]
    for group in groups:
        group.mkdir(exist_ok=True)
    return groups


def wait_empty(name: str) -> None:
    """Wait until every process of the group ``name`` has ended."""
    events = hierarchies()[-1] / name / "cgroup.events"
    deadline = time.monotonic() + EMPTY_SECONDS
    while "populated 0" not in events.read_text():
        if time.monotonic() > deadline:
            raise LabError("end every process", on=name, seen=events.read_text(), advice="Look at cgroup.procs there.")
        time.sleep(0.005)
