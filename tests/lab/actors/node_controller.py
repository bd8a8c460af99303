# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config operator's node controller: gives nodes of a pool their next configuration, and counts them.

Copies machine-config-operator, pkg/controller/node/node_controller.go (syncMachineConfigPool, getCandidateMachines,
updateCandidateNode) and pkg/controller/node/status.go (calculateStatus). Not copied: layering, the control plane's own
order by zone and leader, degraded builds, custom pools that overlap.
"""

from __future__ import annotations

import math
import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor, with_condition
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_daemon import CURRENT, DESIRED, STATE
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_node import NODES
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS, pools_of

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json


class NodeController(Actor):
    """Acts on every pool that is not paused."""

    watched = ("/api/v1/nodes", POOLS, NODES)

    def step(self) -> None:
        """Bring each pool one step on and write its status."""
        nodes = self.client.get("/api/v1/nodes")["items"]
        pools = self.client.get(POOLS)["items"]
        pinned = _with_pinned_images(self.client.get(NODES)["items"])
        for pool in pools:
            members = [node for node in nodes if pools_of(node, pools)[:1] == [pool]]
            if not pool["spec"].get("paused"):
                self._assign(pool, members)
            self._count(pool, members, pinned)

    def _assign(self, pool: Json, members: list[Json]) -> None:
        target = pool["spec"]["configuration"]["name"]
        unavailable = [node for node in members if not _is_available(node)]
        room = _limit(pool, len(members)) - len(unavailable)
        behind = [node for node in members if _note(node, DESIRED) != target and node not in unavailable]
        by_zone = sorted(behind, key=lambda node: (node["metadata"]["labels"].get(_ZONE, ""), _age(node)))
        for node in by_zone[: max(room, 0)]:
            name = node["metadata"]["name"]
            self.client.merge(f"/api/v1/nodes/{name}", {"metadata": {"annotations": {DESIRED: target}}})

    def _count(self, pool: Json, members: list[Json], pinned: set[str]) -> None:
        target = pool["spec"]["configuration"]["name"]
        updated = [node for node in members if _is_updated(node, target)]
        ready = [node for node in updated if _is_available(node)]
        degraded = [node for node in members if _note(node, STATE) == "Degraded"]
        old = pool.get("status") or {}
        is_updated = len(ready) == len(members)
        paused = bool(pool["spec"].get("paused"))
        conditions = old.get("conditions") or []
        said = f"All nodes are updated with MachineConfig {target}" if is_updated else ""
        conditions = with_condition(conditions, "Updated", is_updated, "", said)
        working = f"All nodes are updating to MachineConfig {target}" if not is_updated and not paused else ""
        conditions = with_condition(conditions, "Updating", bool(working), "", working)
        conditions = with_condition(conditions, "NodeDegraded", bool(degraded), "")
        conditions = with_condition(conditions, "Degraded", bool(degraded), "")
        status = {
            "conditions": sorted(conditions, key=lambda one: str(one["type"])),
            "observedGeneration": pool["metadata"]["generation"],
            "machineCount": len(members),
            "updatedMachineCount": len(updated),
            "readyMachineCount": len(ready),
            "unavailableMachineCount": len([node for node in members if not _is_available(node)]),
            "degradedMachineCount": len(degraded),
            "poolSynchronizersStatus": [_synchronizer(members, pinned, len(ready))],
            "configuration": pool["spec"]["configuration"] if is_updated else old.get("configuration"),
        }
        if any(old.get(key) != value for key, value in status.items()):
            self.client.merge(f"{POOLS}/{pool['metadata']['name']}/status", {"status": status})


_ZONE = "topology.kubernetes.io/zone"


def _with_pinned_images(nodes: list[Json]) -> set[str]:
    """Return the names of the nodes that are on the wanted generation of each of their sets."""

    def has_all(node: Json) -> bool:
        sets = node.get("status", {}).get("pinnedImageSets") or []
        return all(one.get("currentGeneration") == one["desiredGeneration"] for one in sets)

    return {node["metadata"]["name"] for node in nodes if has_all(node)}


def _synchronizer(members: list[Json], pinned: set[str], ready: int) -> Json:
    """Count the machines that have the pool's pinned images."""
    unavailable = len([node for node in members if not _is_available(node)])
    return {
        "poolSynchronizerType": "PinnedImageSets",
        "machineCount": len(members),
        "updatedMachineCount": len([node for node in members if node["metadata"]["name"] in pinned]),
        "readyMachineCount": ready,
        "unavailableMachineCount": unavailable,
        "availableMachineCount": len(members) - unavailable,
    }


def _limit(pool: Json, machines: int) -> int:
    """Return how many machines may be unavailable: a number, or a share rounded down, and at least one."""
    limit = pool["spec"].get("maxUnavailable", 1)
    if isinstance(limit, str) and limit.endswith("%"):
        return max(math.floor(machines * int(limit[:-1]) / 100), 1)
    return max(int(limit), 1)


def _is_available(node: Json) -> bool:
    """Source: pkg/controller/common/layered_node_state.go, IsUnavailableForUpdate."""
    conditions = {one["type"]: one["status"] for one in node.get("status", {}).get("conditions", [])}
    settled = _note(node, CURRENT) == _note(node, DESIRED) and _note(node, STATE) == "Done"
    return conditions.get("Ready") == "True" and not node["spec"].get("unschedulable") and settled


def _is_updated(node: Json, target: str) -> bool:
    return _note(node, CURRENT) == _note(node, DESIRED) == target and _note(node, STATE) == "Done"


def _note(node: Json, key: str) -> str:
    return str(node["metadata"].get("annotations", {}).get(key, ""))


def _age(node: Json) -> str:
    return str(node["metadata"]["creationTimestamp"])
