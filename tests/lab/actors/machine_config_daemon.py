# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config daemon, for all nodes: drains, applies, reboots, and tells of it in MachineConfigNodes.

Copies machine-config-operator, pkg/daemon/daemon.go (syncNode, checkStateOnFirstRun), pkg/daemon/update.go (update,
updateConfigAndState, completeUpdate), pkg/daemon/drain.go (performDrain), pkg/daemon/constants and pkg/upgrademonitor:
the order of the annotations and conditions. Not copied: what is written on the host's disk, and that it looks for the
end of a drain only every ten seconds. ``tests/integration/lab/daemon_course.py`` holds it and the real one to one
course.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_node import NODES, report
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import NODE_STEPS

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

PREFIX = "machineconfiguration.openshift.io"
CURRENT = f"{PREFIX}/currentConfig"
DESIRED = f"{PREFIX}/desiredConfig"
STATE = f"{PREFIX}/state"
DRAIN_WANTED = f"{PREFIX}/desiredDrain"
DRAIN_DONE = f"{PREFIX}/lastAppliedDrain"
BOOTED_FROM = "lab.fieldops.example/rebootedFrom"  # upstream keeps this in a file on the host


class MachineConfigDaemon(Actor):
    """Acts on every node; ``reboot`` restarts one by name and returns when it is going down, or later."""

    watched = ("/api/v1/nodes",)

    def __init__(self, client: RestClient, reboot: Callable[[str], None]) -> None:
        super().__init__(client)
        self._reboot = reboot
        self._rebooted: set[tuple[str, str]] = set()

    def step(self) -> None:
        """Bring each node one step on."""
        for node in self.client.get("/api/v1/nodes")["items"]:
            notes = node["metadata"].get("annotations", {})
            if DESIRED in notes and (notes.get(CURRENT) != notes[DESIRED] or notes.get(STATE) != "Done"):
                self._advance(node, notes)

    def _advance(self, node: Json, notes: dict[str, str]) -> None:
        name, target = node["metadata"]["name"], notes[DESIRED]
        if BOOTED_FROM in notes:
            self._finish(node, notes)
        elif notes.get(DRAIN_WANTED) != f"drain-{target}":
            self._annotate(name, {STATE: "Working", DRAIN_WANTED: f"drain-{target}"})
            self._tell(name, target, Updated=False, UpdatePrepared=True)
        elif notes.get(DRAIN_DONE) == f"drain-{target}":
            self._tell(name, target, Cordoned=True, Drained=True, AppliedFilesAndOS=True, UpdateExecuted=True)
            self._annotate(name, {BOOTED_FROM: node["status"]["nodeInfo"]["bootID"]})

    def _finish(self, node: Json, notes: dict[str, str]) -> None:
        """Reboot; then ask to be uncordoned, and only afterwards take the new configuration as the current one."""
        name, target = node["metadata"]["name"], notes[DESIRED]
        if node["status"]["nodeInfo"]["bootID"] == notes[BOOTED_FROM]:
            if (name, notes[BOOTED_FROM]) not in self._rebooted:
                self._tell(name, target, RebootedNode=True, UpdatePostActionComplete=True)
                self._rebooted.add((name, notes[BOOTED_FROM]))
                self._reboot(name)
            return
        wanted = f"uncordon-{target}"
        if not any(one["type"] == "Ready" and one["status"] == "True" for one in node["status"]["conditions"]):
            return
        if notes.get(DRAIN_WANTED) != wanted:
            self._tell(name, target, Resumed=True)
            self._annotate(name, {DRAIN_WANTED: wanted})
        elif notes.get(DRAIN_DONE) == wanted:
            self._tell(name, target, Uncordoned=True, UpdateComplete=True)
            self._tell(name, target, current=target, **_AT_REST, Updated=True)
            self._annotate(name, {CURRENT: target, STATE: "Done", BOOTED_FROM: None})

    def _annotate(self, name: str, notes: dict[str, str | None]) -> None:
        self.client.merge(f"/api/v1/nodes/{name}", {"metadata": {"annotations": notes}})

    def _tell(self, name: str, target: str, *, current: str = "", **steps: bool) -> None:
        """Write the node's MachineConfigNode."""
        self.client.merge(f"{NODES}/{name}", {"spec": {"configVersion": {"desired": target}}})
        said = [(kind, value, kind, f"{kind} is {value} for {target}") for kind, value in steps.items()]
        versions = {"desired": target, **({"current": current} if current else {})}
        report(self.client, name, said, configVersion=versions)


_AT_REST = dict.fromkeys((step for step in NODE_STEPS if not step.startswith("PinnedImageSets")), False)
