# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine API's controllers: a MachineSet has as many machines as it wants, and machines become nodes.

Copies machine-api-operator, pkg/controller/machineset/controller.go and delete_policy.go (machines with the annotation
``machine.openshift.io/delete-machine`` go first, then those that failed), and pkg/controller/machine/controller.go:
phases Provisioning, Provisioned, Running, with the node's name in ``nodeRef``, and the node's end with that of its
machine. Each look takes a machine one phase further; one that failed stays so. Not copied: providers, drain,
finalizers, health checks, the status of MachineSets. ``test_machine_controllers.py`` has its table of cases.
"""

from __future__ import annotations

from collections.abc import Callable

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import nodes

ROOT = "/apis/machine.openshift.io/v1beta1/namespaces/openshift-machine-api"
NODES = "/api/v1/nodes"
FIRST = "machine.openshift.io/delete-machine"
PHASES = {"": "Provisioning", "Provisioning": "Provisioned", "Provisioned": "Running"}


class MachineControllers(Actor):
    """Acts on all MachineSets; ``fails`` says of a machine that it cannot be made, ``sleeps`` that it never boots."""

    def __init__(
        self,
        client: RestClient,
        fails: Callable[[Json], bool] = lambda _machine: False,
        sleeps: Callable[[Json], bool] = lambda _machine: False,
    ) -> None:
        super().__init__(client)
        self._fails = fails
        self._sleeps = sleeps
        self._made = 0

    def step(self) -> None:
        """Look once at all MachineSets and machines."""
        machines = self.client.get(f"{ROOT}/machines")["items"]
        for machine_set in self.client.get(f"{ROOT}/machinesets")["items"]:
            self._scale(machine_set, [one for one in machines if _owner(one) == machine_set["metadata"]["name"]])
        for machine in machines:
            self._advance(machine)

    def _scale(self, machine_set: Json, machines: list[Json]) -> None:
        missing = machine_set["spec"]["replicas"] - len(machines)
        for _unused in range(missing):
            self._made += 1
            self.client.create(f"{ROOT}/machines", machine_of(machine_set, f"m{self._made}"))
        doomed = sorted(machines, key=_priority)
        for one in doomed[: max(0, -missing)]:
            self._remove(one)

    def _remove(self, machine: Json) -> None:
        node = (machine.get("status", {}).get("nodeRef") or {}).get("name")
        if node and self.client.exists(f"{NODES}/{node}"):
            self.client.delete(f"{NODES}/{node}")
        self.client.delete(f"{ROOT}/machines/{machine['metadata']['name']}")

    def _advance(self, machine: Json) -> None:
        name, phase = machine["metadata"]["name"], machine.get("status", {}).get("phase", "")
        if phase not in PHASES or (phase == "Provisioned" and self._sleeps(machine)):
            return
        status: Json = {"phase": PHASES[phase]}
        if self._fails(machine):
            status = {"phase": "Failed", "errorReason": "InvalidConfiguration", "errorMessage": "no such AMI"}
        elif status["phase"] == "Running":
            self._join(name)
            status["nodeRef"] = {"kind": "Node", "name": f"node-{name}"}
        self.client.merge(f"{ROOT}/machines/{name}/status", {"status": status})

    def _join(self, name: str) -> None:
        node = nodes.node("worker", 0)
        node["metadata"] = {**node["metadata"], "name": f"node-{name}"}
        # Twice, for the API taints a new node as not ready.
        self.client.apply(node)
        self.client.apply(node)


def machine_of(machine_set: Json, suffix: str) -> Json:
    """Return a machine that a MachineSet makes."""
    metadata = machine_set["metadata"]
    owner = {"apiVersion": machine_set["apiVersion"], "kind": "MachineSet", "name": metadata["name"]}
    template = machine_set["spec"]["template"]
    return {
        "apiVersion": machine_set["apiVersion"],
        "kind": "Machine",
        "metadata": {
            "name": f"{metadata['name']}-{suffix}",
            "namespace": metadata["namespace"],
            "labels": template["metadata"]["labels"],
            "ownerReferences": [{**owner, "uid": metadata["uid"], "controller": True}],
        },
        "spec": template["spec"],
    }


def _priority(machine: Json) -> int:
    """Return how soon a machine is deleted, the smallest first (delete_policy.go, randomDeletePolicy)."""
    if FIRST in machine["metadata"].get("annotations", {}):
        return 0
    return 1 if machine.get("status", {}).get("errorReason") else 2


def _owner(machine: Json) -> str:
    return str(machine["metadata"]["ownerReferences"][0]["name"])
