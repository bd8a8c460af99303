# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a node's annotations and its MachineConfigNode go through while a daemon brings it to another configuration.

Source: machine-config-operator, pkg/daemon: daemon.go (updateConfigAndState, completeUpdate), update.go (update),
drain.go (performDrain), writer.go (SetDone, which writes the state and the current configuration at once, after the
node takes pods again); pkg/controller/drain/drain_controller.go, which says for itself what it does.
"""

from __future__ import annotations

import contextlib
import http.client
import threading
import time
from collections.abc import Sequence

from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_daemon import (
    CURRENT,
    DESIRED,
    DRAIN_DONE,
    DRAIN_WANTED,
    STATE,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_node import NODES
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

Stage = tuple[str, str, str, bool]
"""State, the drain that is wanted, the drain that was done, and whether the wanted configuration is the current one."""

COURSE: tuple[Stage, ...] = (
    ("Working", "drain", "uncordon", False),
    ("Working", "drain", "drain", False),
    ("Working", "uncordon", "drain", False),
    ("Working", "uncordon", "uncordon", False),
    ("Done", "uncordon", "uncordon", True),
)

STEPS: tuple[str, ...] = (
    "UpdatePrepared=True",
    "Cordoned=True UpdateExecuted=Unknown",
    "Drained=Unknown",
    "Drained=True",
    "AppliedFilesAndOS=Unknown",
    "AppliedFilesAndOS=True UpdateExecuted=True",
    "RebootedNode=Unknown",
    "RebootedNode=True",
    "Resumed=True",
    "Uncordoned=True UpdateComplete=True",
    "AppliedFilesAndOS=False Cordoned=False Drained=False RebootedNode=False Resumed=False Uncordoned=False "
    "UpdateComplete=False UpdateExecuted=False UpdatePrepared=False Updated=True",
)
"""Which conditions of a MachineConfigNode become another at the same time, once it is not updated any more.

Those of pinned images have a course of their own: a daemon that has started sees to them again.
"""

LONGEST = 600.0
TO_THE_END = 90.0  # a daemon says that its node is updated when it looks at it once more


def resumed_once(seen: Sequence[str]) -> tuple[str, ...]:
    """Return the steps with one resumption: a daemon whose pod is started once more after the reboot resumes again."""
    kept: list[str] = []
    for step in seen:
        if step not in ("Resumed=True", "Resumed=False") or "Resumed=True" not in kept:
            kept.append(step)
    return tuple(kept)


class Course:
    """Records the stages of a node from entry to exit."""

    def __init__(self, client: RestClient, node: str) -> None:
        self._client, self._node = client, node
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._record, daemon=True)
        self.stages: list[Stage] = []

    def __enter__(self) -> Course:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _record(self) -> None:
        while not self._over.wait(0.02):
            try:
                stage = _stage(self._client.get(f"/api/v1/nodes/{self._node}"))
            except (LabError, OSError):  # the API server of a lab may be away for a moment
                continue
            if stage not in self.stages[-1:]:
                self.stages.append(stage)


class Steps:
    """Records how the conditions of a node's MachineConfigNode change, from entry until the node is updated again."""

    def __init__(self, client: RestClient, node: str) -> None:
        self._client, self._node = client, node
        self._thread = threading.Thread(target=self._record, daemon=True)
        self._has_begun = False
        self.seen: list[str] = []

    def __enter__(self) -> Steps:
        self._known = _statuses(self._client.get(f"{NODES}/{self._node}"))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(TO_THE_END)

    def _record(self) -> None:
        """Watch, and again: a watch begins with what is there, and one that is lost with the server says nothing."""
        deadline = time.monotonic() + LONGEST
        while time.monotonic() < deadline and not self._is_over():
            with contextlib.suppress(LabError, OSError, http.client.HTTPException):
                for event in self._client.watch(
                    NODES, fieldSelector=f"metadata.name={self._node}", timeoutSeconds="60"
                ):
                    self._take(event["object"])
                    if self._is_over():
                        break

    def _take(self, found: Json) -> None:
        now = _statuses(found)
        changed = [f"{kind}={status}" for kind, status in sorted(now.items()) if self._known.get(kind) != status]
        self._known = now
        if changed and self._has_begun:
            self.seen.append(" ".join(changed))
        self._has_begun = self._has_begun or "Updated=False" in changed

    def _is_over(self) -> bool:
        return "Updated=True" in " ".join(self.seen).split()


def _statuses(found: Json) -> dict[str, str]:
    conditions = found.get("status", {}).get("conditions", [])
    return {one["type"]: one["status"] for one in conditions if not one["type"].startswith("PinnedImageSets")}


def _stage(node: Json) -> Stage:
    notes = node["metadata"]["annotations"]
    drains = [notes.get(key, "").partition("-")[0] for key in (DRAIN_WANTED, DRAIN_DONE)]
    return notes[STATE], drains[0], drains[1], notes[CURRENT] == notes[DESIRED]
