# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rollouts where there are no hosts: every DaemonSet and Deployment of the operator is at once as it should be."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import MACHINE_CONFIG

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json

WORKLOADS = f"/apis/apps/v1/namespaces/{MACHINE_CONFIG}"
COUNTS = {
    "daemonsets": ("currentNumberScheduled", "desiredNumberScheduled", "numberReady", "updatedNumberScheduled"),
    "deployments": ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas"),
}


class Rollouts(Actor):
    """Stands for kube-controller-manager, scheduler and kubelets, whose part the operator waits for."""

    watched = tuple(f"{WORKLOADS}/{plural}" for plural in COUNTS)

    def step(self) -> None:
        """Report each workload that has changed as rolled out."""
        for plural, counts in COUNTS.items():
            for one in self.client.get(f"{WORKLOADS}/{plural}")["items"]:
                generation = one["metadata"]["generation"]
                if one.get("status", {}).get("observedGeneration") != generation:
                    status: Json = {"observedGeneration": generation, **dict.fromkeys(counts, 1)}
                    if plural == "daemonsets":
                        status |= {"numberAvailable": 1, "numberMisscheduled": 0}
                    self.client.merge(f"{WORKLOADS}/{plural}/{one['metadata']['name']}/status", {"status": status})
