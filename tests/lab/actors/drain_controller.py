# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config operator's drain controller: cordons and drains a node when its daemon asks, and uncordons it.

Copies machine-config-operator, pkg/controller/drain/drain_controller.go (syncNode, drainNode). Pods of DaemonSets,
mirror pods and finished pods stay; everything else is evicted, again and again for as long as a budget refuses.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_daemon import DRAIN_DONE, DRAIN_WANTED
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json

MIRROR = "kubernetes.io/config.mirror"


class DrainController(Actor):
    """Acts on every node whose wish is not fulfilled; an eviction that a budget refuses is tried again with time."""

    watched = ("/api/v1/nodes", "/api/v1/pods")

    def step(self) -> None:
        """Bring each such node one step on."""
        for node in self.client.get("/api/v1/nodes")["items"]:
            notes = node["metadata"].get("annotations", {})
            wanted = notes.get(DRAIN_WANTED, "")
            if wanted and wanted != notes.get(DRAIN_DONE):
                self._fulfil(node["metadata"]["name"], wanted)

    def _fulfil(self, name: str, wanted: str) -> None:
        path = f"/api/v1/nodes/{name}"
        verb = wanted.partition("-")[0]
        self.client.merge(path, {"spec": {"unschedulable": True if verb == "drain" else None}})
        if verb == "drain" and not self._is_drained(name):
            return
        self.client.merge(path, {"metadata": {"annotations": {DRAIN_DONE: wanted}}})

    def _is_drained(self, name: str) -> bool:
        pods = self.client.get("/api/v1/pods", fieldSelector=f"spec.nodeName={name}")["items"]
        leaving = [pod for pod in pods if _must_leave(pod)]
        for pod in leaving:
            if not pod["metadata"].get("deletionTimestamp"):
                self._evict(pod["metadata"]["namespace"], pod["metadata"]["name"])
        return not leaving

    def _evict(self, namespace: str, name: str) -> None:
        body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name, "namespace": namespace}}
        try:
            self.client.create(f"/api/v1/namespaces/{namespace}/pods/{name}/eviction", body)
        except LabApiError as error:
            if error.status not in (404, 429):
                raise


def _must_leave(pod: Json) -> bool:
    owners = pod["metadata"].get("ownerReferences", [])
    stays = any(owner["kind"] == "DaemonSet" for owner in owners) or MIRROR in pod["metadata"].get("annotations", {})
    return not stays and pod["status"].get("phase") not in ("Succeeded", "Failed")
