# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the machine-config operator goes along with a release: it gives pools their configuration, and reports.

Copies machine-config-operator: pkg/controller/render/render_controller.go (syncGeneratedMachineConfig: a pool's
configuration is the one rendered for the release), pkg/operator/sync.go (syncRequiredMachineConfigPools: the required
pools have to be updated with it) and pkg/operator/status.go (syncProgressingStatus, syncVersion). The version operator
starts the new operator once all those of lower run levels are at the release (cluster-version-operator,
pkg/payload/task_graph.go, ByNumberAndComponent).
Kinder than upstream in one point: where a required pool has not arrived after ten minutes for each of its machines, the
operator makes its ClusterOperator Degraded (RequiredPoolsFailed, syncDegradedStatus), and at once where such a pool is
paused while the release stays (tests/integration/machine_config/test_operator_processes.py); this one never does.
Not copied: what is rendered, and faults of the operator's other parts.
"""

from __future__ import annotations

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor, with_condition
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.actors.other_operators import CONFIG, version_of
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import (
    REQUIRED_LABEL,
    machine_configs,
    rendered_name,
)

NAME = "machine-config"
OPERATORS = f"{CONFIG}/clusteroperators"


class MachineConfigRelease(Actor):
    """Acts on pools and on ClusterOperator machine-config while an update of the cluster is under way."""

    watched = (f"{CONFIG}/clusterversions", OPERATORS, POOLS)

    def step(self) -> None:
        """Go along with the release as soon as all other operators are at it."""
        history = self.client.get(f"{CONFIG}/clusterversions/version").get("status", {}).get("history", [])
        if not history or history[0]["state"] != "Partial":
            return
        version = history[0]["version"]
        operators = {one["metadata"]["name"]: one for one in self.client.get(OPERATORS)["items"]}
        own = operators.pop(NAME)
        if version_of(own) == version or any(version_of(one) != version for one in operators.values()):
            return
        pools = self.client.get(POOLS)["items"]
        for pool in pools:
            self._give(pool, version)
        required = [one for one in pools if REQUIRED_LABEL in one["metadata"].get("labels", {})]
        self._report(own, version, arrived=all(_is_at(pool, version) for pool in required))

    def _give(self, pool: Json, version: str) -> None:
        name = pool["metadata"]["name"]
        target = rendered_name(name, version)
        if pool["spec"]["configuration"]["name"] != target:
            self.client.apply_all(machine_configs(name, version)[-1:])
            self.client.merge(f"{POOLS}/{name}", {"spec": {"configuration": {"name": target}}})

    def _report(self, own: Json, version: str, *, arrived: bool) -> None:
        said = f"Cluster version is {version}" if arrived else f"Working towards {version}"
        before = own["status"]["conditions"]
        change: Json = {"conditions": with_condition(before, "Progressing", not arrived, "", said)}
        if arrived:
            change["versions"] = [{"name": "operator", "version": version}]
        if arrived or not any(one.get("message") == said for one in before):
            self.client.merge(f"{OPERATORS}/{NAME}/status", {"status": change})


def _is_at(pool: Json, version: str) -> bool:
    status = pool["status"]
    updated = any(one["type"] == "Updated" and one["status"] == "True" for one in status["conditions"])
    seen = pool["metadata"]["generation"] <= status.get("observedGeneration", 0)
    target = rendered_name(pool["metadata"]["name"], version)
    return updated and seen and bool(status.get("configuration", {}).get("name") == target)
