# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rollouts where there are no hosts: every DaemonSet and Deployment of the operator is at once as it should be.

Copies Kubernetes, pkg/controller/daemon/daemon_controller.go (updateDaemonSetStatus) and
pkg/controller/deployment/sync.go (calculateStatus): the counts of a rollout that is over. Not copied: the way there,
pods, conditions, and nodes that take no pods. ``tests/integration/machine_config/test_rollouts_conformance.py`` holds
it to Kubernetes' controllers.
"""

from __future__ import annotations

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import MACHINE_CONFIG

WORKLOADS = f"/apis/apps/v1/namespaces/{MACHINE_CONFIG}"
DAEMON_COUNTS = ("currentNumberScheduled", "desiredNumberScheduled", "numberReady")
DAEMON_COUNTS_IF_ANY = ("numberAvailable", "updatedNumberScheduled")
DEPLOYMENT_COUNTS = ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")


class Rollouts(Actor):
    """Stands for kube-controller-manager, scheduler and kubelets, whose part the operator waits for."""

    watched = (f"{WORKLOADS}/daemonsets", f"{WORKLOADS}/deployments", "/api/v1/nodes")

    def step(self) -> None:
        """Report each workload that has changed as rolled out."""
        nodes = self.client.get("/api/v1/nodes")["items"]
        for one in self.client.get(f"{WORKLOADS}/daemonsets")["items"]:
            wanted = one["spec"]["template"]["spec"].get("nodeSelector", {})
            count = sum(wanted.items() <= node["metadata"].get("labels", {}).items() for node in nodes)
            counts: Json = dict.fromkeys((*DAEMON_COUNTS, *(DAEMON_COUNTS_IF_ANY if count else ())), count)
            self._report("daemonsets", one, {**counts, "numberMisscheduled": 0})
        for one in self.client.get(f"{WORKLOADS}/deployments")["items"]:
            count = one["spec"]["replicas"]
            self._report("deployments", one, dict.fromkeys(DEPLOYMENT_COUNTS, count) if count else {})

    def _report(self, plural: str, one: Json, counts: Json) -> None:
        status: Json = {**counts, "observedGeneration": one["metadata"]["generation"]}
        if {**one.get("status", {}), **status} != one.get("status", {}):
            self.client.merge(f"{WORKLOADS}/{plural}/{one['metadata']['name']}/status", {"status": status})
