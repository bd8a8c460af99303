# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a node's annotations go through while a daemon brings it to another configuration.

Source: machine-config-operator, pkg/daemon: daemon.go (updateConfigAndState, completeUpdate), drain.go (performDrain),
writer.go (SetDone, which writes the state and the current configuration at once, after the node takes pods again).
"""

from __future__ import annotations

import threading
import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_daemon import (
    CURRENT,
    DESIRED,
    DRAIN_DONE,
    DRAIN_WANTED,
    STATE,
)
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

if t.TYPE_CHECKING:
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


def _stage(node: Json) -> Stage:
    notes = node["metadata"]["annotations"]
    drains = [notes.get(key, "").partition("-")[0] for key in (DRAIN_WANTED, DRAIN_DONE)]
    return notes[STATE], drains[0], drains[1], notes[CURRENT] == notes[DESIRED]
