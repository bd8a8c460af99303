# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A site in memory: what daemons, kubelets and people do to the nodes and pools that jobs roll."""

from __future__ import annotations

import typing as t
from datetime import timedelta

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import managed_nodes
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_configs, rendered_name
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._rollout.model.memory_cluster import (
    Json,
    MemoryCluster,
)

DAEMON = "machineconfiguration.openshift.io/"
ROLE = "node-role.kubernetes.io/"
POOLS = {"master": 3, "worker": 3, "infra": 1}
NODES = tuple(f"{pool}-{number}" for pool, count in POOLS.items() for number in range(count))
RELEASES = ("4.21.5", "4.21.6")


class Site:
    """The cluster and those who act on it beside the jobs."""

    def __init__(self) -> None:
        self.cluster = MemoryCluster()
        self.cordoned_by_people: set[str] = set()
        self.closes = self.cluster.now
        self._boots = 0
        for pool, count in POOLS.items():
            self.cluster.plant(one for one in managed_nodes(pool, count) if one["kind"] != "MachineConfigNode")
            for release in RELEASES:
                self.cluster.plant(machine_configs(pool, release)[-1:])
            self.render(pool, RELEASES[0])
        for name in NODES:
            if pool_label(self.node(name)) == "infra":
                self._label(name, infra="")
        self.schedule_pods()

    def node(self, name: str) -> Json:
        return self.cluster.find("Node", name)

    def pods_on(self, name: str) -> list[Json]:
        return [pod for pod in self.cluster.all_of("Pod") if pod["spec"]["nodeName"] == name]

    # Operators

    def render(self, pool: str, release: str) -> None:
        self.change_pool(pool, configuration={"name": rendered_name(pool, release)})

    def daemons_work(self) -> None:
        """The machine-config daemon of each node goes one step towards the desired configuration."""
        for name in NODES:
            notes = self.node(name)["metadata"]["annotations"]
            current, desired = notes[f"{DAEMON}currentConfig"], notes[f"{DAEMON}desiredConfig"]
            if current != desired and notes[f"{DAEMON}state"] == "Done":
                self._annotate(name, state="Working")
                self.set_ready(name, ready=False)
            elif current != desired:
                self._boots += 1
                self.cluster.write("Node", name, {"status": {"nodeInfo": {"bootID": f"boot {self._boots}"}}}, "kubelet")
                self.set_ready(name, ready=True)
                self._annotate(name, state="Done", currentConfig=desired)
        self.schedule_pods()
        self.cluster.pass_time(90)

    def schedule_pods(self) -> None:
        owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "web", "controller": True}
        for name in NODES:
            if not self.pods_on(name) and not self.node(name)["spec"].get("unschedulable"):
                self._boots += 1
                metadata = {"name": f"web-{self._boots}", "namespace": "shop", "ownerReferences": [owner]}
                status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
                pod = {"kind": "Pod", "metadata": metadata, "spec": {"nodeName": name}, "status": status}
                self.cluster.plant([pod])

    def set_ready(self, name: str, *, ready: bool) -> None:
        conditions = [
            {**one, "status": str(ready), "lastTransitionTime": self.cluster.stamp} if one["type"] == "Ready" else one
            for one in self.node(name)["status"]["conditions"]
        ]
        self.cluster.write("Node", name, {"status": {"conditions": conditions}}, "kubelet")

    # People

    def open_window(self, seconds: float) -> None:
        self.closes = self.cluster.now + timedelta(seconds=seconds)

    def cordon(self, name: str) -> None:
        record = NodeRecord.of(self.node(name))
        if not (record and record.is_under_way):
            self.cordoned_by_people.add(name)
        self.cluster.write("Node", name, {"spec": {"unschedulable": True}})

    def uncordon(self, name: str) -> None:
        self.cordoned_by_people.discard(name)
        self.cluster.write("Node", name, {"spec": {"unschedulable": None}})

    def change_pool(self, pool: str, **spec: t.Any) -> None:
        self.cluster.write("MachineConfigPool", pool, {"spec": spec})

    def change_role(self, name: str) -> None:
        """Move a worker to pool infra, or back; a pool without nodes is refused as a mistake."""
        pool = pool_label(self.node(name))
        members = [node for node in self.cluster.all_of("Node") if pool_label(node) == pool]
        if pool != "master" and len(members) > 1:
            self._label(name, infra=None if pool == "infra" else "")

    def replace_node(self, name: str) -> None:
        """The machine is broken; another one takes its name, and joins with what its pool has now."""
        old = self.node(name)
        config = self.cluster.find("MachineConfigPool", pool_label(old))["spec"]["configuration"]["name"]
        notes = {f"{DAEMON}currentConfig": config, f"{DAEMON}desiredConfig": config, f"{DAEMON}state": "Done"}
        metadata = {"name": name, "labels": old["metadata"]["labels"], "annotations": notes}
        for pod in self.pods_on(name):
            self.cluster.forget("Pod", pod["metadata"]["name"])
        self.cluster.forget("Node", name)
        self.cordoned_by_people.discard(name)
        self.cluster.plant([{**old, "metadata": metadata, "spec": {}}])
        self.set_ready(name, ready=True)
        self.cluster.pass_time(600)

    def heal(self) -> None:
        """Take away everything that stands in the way of a job."""
        for name in NODES:
            if name in self.cordoned_by_people:
                self.uncordon(name)
            self.set_ready(name, ready=True)
        for pool in POOLS:
            self.change_pool(pool, maxUnavailable=None)
        self.open_window(1_000_000)

    def _annotate(self, name: str, **notes: str) -> None:
        changed = {f"{DAEMON}{key}": value for key, value in notes.items()}
        self.cluster.write("Node", name, {"metadata": {"annotations": changed}}, "machine-config-daemon")

    def _label(self, name: str, **roles: str | None) -> None:
        labels = {f"{ROLE}{role}": value for role, value in roles.items()}
        self.cluster.write("Node", name, {"metadata": {"labels": labels}})


def pool_label(node: Json) -> str:
    """Return the pool of a node by its labels."""
    labels = node["metadata"]["labels"]
    return next((pool for pool in ("master", "infra") if f"{ROLE}{pool}" in labels), "worker")
