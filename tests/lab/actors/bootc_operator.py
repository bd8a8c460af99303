# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""bootc-operator and its daemons, over nodes without hosts.

Copies bootc-operator, ``internal/controller/bootcnodepool_controller.go`` (Reconcile, syncMembership, createBootcNode,
syncBootcNodeSpec, removeBootcNode, setInvalidSpecCondition), ``rollout.go`` (driveRollout, assignRebootSlot,
freeCompletedSlots, collectDrainResults, syncNodeDegradedCondition, syncRolloutHaltedCondition) and
``internal/daemon/reconciler.go`` (Reconcile, reconcileBootcNode); ``bootc_operator_rules`` has what they decide by.
Not copied: tags, pull secrets, soft reboots, drains that take time, the backoff of stagings that fail, and times; which
nodes are late in coming back is said by the test. bootc itself has one step: an image is staged, a node boots it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor, with_condition
from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_operator_rules import (
    DEGRADED,
    SLOT,
    STAGED,
    UNHEALTHY_SLOTS_THAT_HALT,
    UP_TO_DATE,
    InvalidSpecError,
    condition,
    daemon_action,
    is_in_slot,
    most_unavailable,
    next_nodes,
    pool_status,
    sorted_by_state,
    target_of,
    unhealthy_slots,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import matches
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

API = "/apis/node.bootc.dev/v1alpha1"
POOLS, BOOTC_NODES, NODES = f"{API}/bootcnodepools", f"{API}/bootcnodes", "/api/v1/nodes"
MANAGED, WAS_CORDONED = "bootc.dev/managed", "bootc.dev/was-cordoned"
Degraded = tuple[bool, str, str]
HEALTHY: Degraded = (False, "Healthy", "")


class BootcOperator(Actor):
    """Acts on all pools, and as the daemon of each of their nodes.

    ``own_digests`` are those of manifests by that of the list that has them. Of nodes by name, ``unstageable`` says why
    nothing can be staged there; ``falling_back`` come back with what they had, ``lost`` do not come back, and ``late``
    are taken to be so. ``begun`` are the nodes that were given a slot, in that order.
    """

    watched = (POOLS, BOOTC_NODES, NODES)

    def __init__(self, client: RestClient, own_digests: Mapping[str, str] | None = None) -> None:
        super().__init__(client)
        self._own = own_digests or {}
        self.unstageable: dict[str, str] = {}
        self.falling_back: set[str] = set()
        self.lost: set[str] = set()
        self.late: set[str] = set()
        self.begun: list[str] = []

    def step(self) -> None:
        """Reconcile each pool, then let each daemon take one step."""
        for pool in self.client.get(POOLS)["items"]:
            self._reconcile(pool)
        for node in self.client.get(BOOTC_NODES)["items"]:
            self._serve(node)

    def _reconcile(self, pool: Json) -> None:
        try:
            image, digest = target_of(pool)
            owned, degraded = self._members(pool, f"{image}@{digest}")
            nodes = sorted_by_state(owned, self.late)
            degraded = self._roll(pool, nodes, digest, degraded)
        except InvalidSpecError as error:
            # The operator stops here, and the generation that it saw is not written.
            self._tell_pool(pool, {}, (True, "InvalidSpec", str(error)))
            return
        status = pool_status(pool, nodes, digest)
        is_done, reason, message = status.pop("up_to_date")
        self._tell_pool(pool, status, degraded, (is_done, reason, message))

    def _members(self, pool: Json, image: str) -> tuple[list[Json], Degraded]:
        """Return the BootcNodes of a pool, and whether others have some of its nodes."""
        every = {one["metadata"]["name"]: one for one in self.client.get(BOOTC_NODES)["items"]}
        found = self.client.get(NODES)["items"]
        selector = pool["spec"]["nodeSelector"]
        chosen = {
            one["metadata"]["name"] for one in found if _is_selected(selector, one["metadata"].get("labels") or {})
        }
        uid = pool["metadata"]["uid"]
        owned, others = [], set()
        for name in sorted(chosen):
            owner = _owner(every[name]) if name in every else {}
            if owner and owner["uid"] != uid:
                others.add(owner["name"])
            else:
                owned.append(self._synced(every[name], image) if name in every else self._made(pool, name, image))
        for name, one in every.items():
            if name not in chosen and _owner(one).get("uid") == uid:
                self._remove(one, is_node_there=any(node["metadata"]["name"] == name for node in found))
        message = f"Node selector overlaps with pool(s): {', '.join(sorted(others))}"
        return owned, (True, "NodeConflict", message) if others else HEALTHY

    def _made(self, pool: Json, name: str, image: str) -> Json:
        kind, about = pool["kind"], pool["metadata"]
        owner = {"apiVersion": pool["apiVersion"], "kind": kind, "name": about["name"], "uid": about["uid"]}
        metadata = {"name": name, "ownerReferences": [{**owner, "controller": True, "blockOwnerDeletion": True}]}
        spec = {"desiredImage": image, "desiredImageState": STAGED}
        whole = {"apiVersion": pool["apiVersion"], "kind": "BootcNode", "metadata": metadata, "spec": spec}
        made = self.client.create(BOOTC_NODES, whole)
        self.client.merge(f"{NODES}/{name}", {"metadata": {"labels": {MANAGED: ""}}})
        return made

    def _synced(self, node: Json, image: str) -> Json:
        """Return it with the image of its pool; a new one takes back the leave to boot."""
        if node["spec"]["desiredImage"] == image:
            return node
        return self._change(node, {"spec": {"desiredImage": image, "desiredImageState": STAGED}})

    def _remove(self, node: Json, *, is_node_there: bool) -> None:
        name = node["metadata"]["name"]
        if is_node_there:
            self._uncordon(node)
            self.client.merge(f"{NODES}/{name}", {"metadata": {"labels": {MANAGED: None}}})
        self.client.delete(f"{BOOTC_NODES}/{name}")

    def _roll(self, pool: Json, nodes: Mapping[str, Sequence[Json]], digest: str, degraded: Degraded) -> Degraded:
        """Free slots, give others, let drained nodes boot; return what the pool has to complain of."""
        names = [node["metadata"]["name"] for node in nodes[DEGRADED]]
        if names and not degraded[0]:
            degraded = (True, "NodeDegraded", f"Degraded nodes: {', '.join(names)}")
        nodes = {**nodes, UP_TO_DATE: [self._freed(node) for node in nodes[UP_TO_DATE]]}
        unhealthy = unhealthy_slots(nodes, digest, self.late)
        if len(unhealthy) >= UNHEALTHY_SLOTS_THAT_HALT:
            details = ", ".join(unhealthy)
            return (True, "RolloutHalted", f"Rollout halted: 2+ unhealthy nodes in reboot slots ({details})")
        every = [node for found in nodes.values() for node in found]
        most = most_unavailable(pool["spec"].get("rollout") or {}, len(every))
        free = max(0, most - sum(map(is_in_slot, every)))
        for node in next_nodes(nodes[STAGED], free):
            if node["spec"]["desiredImageState"] != "Booted":
                self._begin(node)
        return degraded

    def _begin(self, node: Json) -> None:
        """Cordon and drain a node, which takes no time here, and let it boot."""
        name = node["metadata"]["name"]
        if not is_in_slot(node):
            was = bool(self.client.get(f"{NODES}/{name}")["spec"].get("unschedulable"))
            self._change(node, {"metadata": {"annotations": {SLOT: "", WAS_CORDONED: str(was).lower()}}})
            self.begun.append(name)
        self.client.merge(f"{NODES}/{name}", {"spec": {"unschedulable": True}})
        self._change(node, {"spec": {"desiredImageState": "Booted"}})

    def _freed(self, node: Json) -> Json:
        """Return an updated node, without its slot where it is ready."""
        if not is_in_slot(node) or not _is_ready(self.client.get(f"{NODES}/{node['metadata']['name']}")):
            return node
        self._uncordon(node)
        return self._change(node, {"metadata": {"annotations": {SLOT: None, WAS_CORDONED: None}}})

    def _uncordon(self, node: Json) -> None:
        if (node["metadata"].get("annotations") or {}).get(WAS_CORDONED) == "false":
            self.client.merge(f"{NODES}/{node['metadata']['name']}", {"spec": {"unschedulable": None}})

    def _serve(self, node: Json) -> None:
        """Take the next step of a node's daemon; one that has said that it reboots is gone until it is back."""
        name, status = node["metadata"]["name"], node.get("status") or {}
        idle = condition(status, "Idle")
        if not status.get("booted"):
            before = node["spec"]["desiredImage"]
            self._tell_node(node, "Idle", booted=self._image(before))
        elif idle.get("reason") == "Rebooting":
            if name not in self.lost:
                after = status["booted"] if name in self.falling_back else status["staged"]
                self._tell_node(node, "Staging" if name in self.falling_back else "Idle", booted=after, staged=None)
        else:
            self._act(node, daemon_action(node), str(idle.get("reason", "")))

    def _act(self, node: Json, action: str, reason: str) -> None:
        fault = self.unstageable.get(node["metadata"]["name"], "")
        if action == "stage" and fault:
            self._tell_node(node, "Idle", f"bootc stage failed: {fault}")
        elif action == "stage" and reason != "Staging":
            self._tell_node(node, "Staging")
        elif action == "stage":
            self._tell_node(node, STAGED, staged=self._image(node["spec"]["desiredImage"]))
        else:
            self._tell_node(node, {"idle": "Idle", "await": STAGED, "boot": "Rebooting"}[action])

    def _image(self, name: str) -> Json:
        """Return what bootc says of an image: that of its own manifest where the name is that of a list."""
        digest = name.partition("@")[2]
        return {"image": name, "imageDigest": self._own.get(digest, digest)}

    def _tell_node(self, node: Json, reason: str, degraded: str = "", **images: Json | None) -> None:
        status = node.get("status") or {}
        conditions = with_condition(status.get("conditions") or [], "Idle", reason == "Idle", reason)
        why = "Error" if degraded else "Healthy"
        conditions = with_condition(conditions, "Degraded", bool(degraded), why, degraded)
        self._write(BOOTC_NODES, node, {"observedGeneration": node["metadata"]["generation"], **images}, conditions)

    def _tell_pool(self, pool: Json, status: Json, degraded: Degraded, done: Degraded | None = None) -> None:
        conditions = with_condition((pool.get("status") or {}).get("conditions") or [], "Degraded", *degraded)
        if done:
            conditions = with_condition(conditions, "UpToDate", *done)
        self._write(POOLS, pool, status, conditions)

    def _write(self, path: str, one: Json, status: Json, conditions: list[Json]) -> None:
        """Write a status where something of it is new."""
        before = one.get("status") or {}
        wanted = {**status, "conditions": sorted(conditions, key=lambda found: str(found["type"]))}
        if any(before.get(key) != value for key, value in wanted.items()):
            self.client.merge(f"{path}/{one['metadata']['name']}/status", {"status": wanted})

    def _change(self, node: Json, patch: Json) -> Json:
        return self.client.merge(f"{BOOTC_NODES}/{node['metadata']['name']}", patch)


def _is_selected(selector: Json, labels: Mapping[str, str]) -> bool:
    """Whether a pool selects a node; an empty selector selects all, as the API has it."""
    return not any(selector.values()) or matches(selector, labels)


def _owner(node: Json) -> Json:
    return next((one for one in node["metadata"].get("ownerReferences") or () if one.get("controller")), {})


def _is_ready(node: Json) -> bool:
    found = (node.get("status") or {}).get("conditions") or []
    return any(one["type"] == "Ready" and one["status"] == "True" for one in found)
