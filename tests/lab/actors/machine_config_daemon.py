# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config daemon, for all nodes: drains, applies, reboots, and tells of it in MachineConfigNodes.

Copies machine-config-operator, pkg/daemon/daemon.go (syncNode, checkStateOnFirstRun), pkg/daemon/update.go (update,
updateConfigAndState, completeUpdate, reportMachineNodeDegradeStatus), pkg/daemon/drain.go (performDrain),
pkg/daemon/writer.go (SetDone, SetDegraded) and pkg/daemon/constants: the order of the annotations and conditions. Not
copied: what is written on the host's disk, changes that need no reboot, that it looks for the end of a drain only every
ten seconds, and that it tries again what has failed. ``tests/integration/lab/daemon_course.py`` holds it and the real
one to one course.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_node import NODES, UPDATED, Said, report
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

PREFIX = "machineconfiguration.openshift.io"
CURRENT = f"{PREFIX}/currentConfig"
DESIRED = f"{PREFIX}/desiredConfig"
CURRENT_IMAGE = f"{PREFIX}/currentImage"
DESIRED_IMAGE = f"{PREFIX}/desiredImage"
STATE = f"{PREFIX}/state"
REASON = f"{PREFIX}/reason"
DRAIN_WANTED = f"{PREFIX}/desiredDrain"
DRAIN_DONE = f"{PREFIX}/lastAppliedDrain"
BOOTED_FROM = "lab.fieldops.example/rebootedFrom"  # upstream keeps this in a file on the host
FILES = "AppliedFilesAndOS"


class MachineConfigDaemon(Actor):
    """Acts on every node; ``reboot`` restarts one by name and returns when it is going down, or later.

    ``broken`` says why nodes fail once they are drained, by name.
    """

    watched = ("/api/v1/nodes",)

    def __init__(
        self, client: RestClient, reboot: Callable[[str], None], broken: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(client)
        self._reboot = reboot
        self._broken = broken or {}
        self._rebooted: set[tuple[str, str]] = set()

    def step(self) -> None:
        """Bring each node one step on."""
        for node in self.client.get("/api/v1/nodes")["items"]:
            notes = node["metadata"].get("annotations", {})
            if DESIRED in notes and not _is_done(notes):
                self._advance(node, notes)
            elif BOOTED_FROM in notes:
                name = node["metadata"]["name"]
                self._tell(node, (UPDATED, "True", UPDATED, f"Node {name} Updated"))
                self._annotate(name, {BOOTED_FROM: None})

    def _advance(self, node: Json, notes: dict[str, str]) -> None:
        drain = f"drain-{notes[DESIRED]}"
        if BOOTED_FROM in notes:
            self._finish(node, notes)
        elif notes.get(DRAIN_WANTED) != drain:
            self._begin(node, notes, drain)
        elif notes.get(DRAIN_DONE) == drain:
            self._apply(node, notes)

    def _begin(self, node: Json, notes: dict[str, str], drain: str) -> None:
        name = node["metadata"]["name"]
        self._tell(node, (UPDATED, "False", UPDATED, f"Node {name} needs an update"))
        if notes.get(STATE) != "Degraded":
            self._annotate(name, {STATE: "Working"})
        compatible = "Update Compatible. Post Cfg Actions: [] Drain Required: true"
        self._tell(node, ("UpdatePrepared", "True", "UpdatePrepared", compatible))
        self.client.merge(f"{NODES}/{name}", {"spec": {"configVersion": {"desired": notes[DESIRED]}}})
        self._annotate(name, {DRAIN_WANTED: drain})

    def _apply(self, node: Json, notes: dict[str, str]) -> None:
        """Write files and OS, which cannot be seen here, and ask for the reboot; a broken node stays before that."""
        name = node["metadata"]["name"]
        fault = self._broken.get(name, "")
        if fault and notes.get(REASON) == fault:
            return
        now = "Updating the Files and OS on disk as a part of the in progress phase"
        self._tell(node, ("UpdateExecuted", "Unknown", FILES, now), (FILES, "Unknown", _changes("Applying", "will")))
        if fault:
            self._tell(node, ("NodeDegraded", "True", "NodeDegraded", f"Node {name} upgrade failure. {fault}"))
            self._annotate(name, {STATE: "Degraded", REASON: fault})
            return
        done = "Updated the Files and OS on disk as a part of the in progress phase"
        self._tell(node, ("UpdateExecuted", "True", FILES, done), (FILES, "True", _changes("Applied", "did")))
        self._tell(node, ("RebootedNode", "Unknown", "RebootedNode", "Upgrade requires a reboot."))
        self._tell(node, ("NodeDegraded", "False", "NodeDegraded", f"Node {name} upgrade succeeded"))
        self._annotate(name, {BOOTED_FROM: node["status"]["nodeInfo"]["bootID"]})

    def _finish(self, node: Json, notes: dict[str, str]) -> None:
        """Reboot; then ask to be uncordoned, and only afterwards take the new configuration as the current one."""
        name, target = node["metadata"]["name"], notes[DESIRED]
        if node["status"]["nodeInfo"]["bootID"] == notes[BOOTED_FROM]:
            if (name, notes[BOOTED_FROM]) not in self._rebooted:
                self._rebooted.add((name, notes[BOOTED_FROM]))
                self._reboot(name)
            return
        wanted = f"uncordon-{target}"
        if not any(one["type"] == "Ready" and one["status"] == "True" for one in node["status"]["conditions"]):
            return
        if notes.get(DRAIN_WANTED) != wanted:
            self._tell(node, ("RebootedNode", "True", "RebootedNode", "Node has rebooted"))
            self._resume(node, f"{target}. Resumed normal operations. Applying proper annotations.")
            self._annotate(name, {DRAIN_WANTED: wanted})
        elif notes.get(DRAIN_DONE) == wanted:
            image = notes.get(DESIRED_IMAGE)
            self._annotate(name, {CURRENT: target, CURRENT_IMAGE: image, STATE: "Done", REASON: ""})
            self._resume(node, f"{notes.get(CURRENT)}. Resumed normal operations.")

    def _resume(self, node: Json, what: str) -> None:
        self._tell(node, ("Resumed", "True", "Resumed", f"In desired config {what}"))

    def _annotate(self, name: str, notes: Mapping[str, str | None]) -> None:
        self.client.merge(f"/api/v1/nodes/{name}", {"metadata": {"annotations": notes}})

    def _tell(self, node: Json, parent: tuple[str, str, str, str], part: tuple[str, str, str] | None = None) -> None:
        """Write the node's MachineConfigNode; the reason of a part is made of both names."""
        child = Said(part[0], part[1], f"{parent[0]}{part[0]}", part[2]) if part else None
        report(self.client, node, Said(*parent), child)


def _changes(verb: str, time: str) -> str:
    return f"{verb} files and new OS config to node. OS {time} not need an update. SSH Keys {time} not need an update"


def _is_done(notes: Mapping[str, str]) -> bool:
    same = notes.get(CURRENT) == notes[DESIRED] and notes.get(CURRENT_IMAGE) == notes.get(DESIRED_IMAGE)
    return same and notes.get(STATE) == "Done"
