# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the machine-config operator makes of a MachineConfiguration's boot image fields: its status.

Copies machine-config-operator, pkg/operator/sync.go of release-4.22: syncManagedBootImagesStatus,
syncBootImageSkewEnforcementStatus and the observed generation, with pkg/operator/status.go,
checkBootImageSkewUpgradeableGuard, for the condition Upgradeable of its ClusterOperator in mode Manual. Not copied: the
controller that updates MachineSets, and what it records in mode Automatic.
"""

from __future__ import annotations

from collections.abc import Callable

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor, with_condition
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

CONFIG = "/apis/config.openshift.io/v1"
CONFIGURATION = "/apis/operator.openshift.io/v1/machineconfigurations/cluster"
OPERATOR = f"{CONFIG}/clusteroperators/machine-config"
BY_DEFAULT = ("AWS", "GCP", "Azure", "VSphere")
SETS, CONTROL_PLANE = "machinesets", "controlplanemachinesets"
LIMIT = (4, 13, 0)


class BootImageOperator(Actor):
    """Syncs status with spec for as long as its context lasts; it hesitates while ``paused`` says so."""

    def __init__(self, client: RestClient, paused: Callable[[], bool] = lambda: False) -> None:
        super().__init__(client)
        self._paused = paused

    def step(self) -> None:
        """Sync once."""
        if self._paused():
            return
        found = self.client.get(CONFIGURATION)
        infrastructure = self.client.get(f"{CONFIG}/infrastructures/cluster")["status"]
        history = self.client.get(f"{CONFIG}/clusterversions/version")["status"]["history"]
        status = found.get("status") or {}
        managers = _managers(found["spec"], infrastructure)
        skew = _skew(found["spec"], status, managers, infrastructure, history)
        wanted: Json = {
            "observedGeneration": found["metadata"]["generation"],
            "bootImageSkewEnforcementStatus": skew,
            "managedBootImagesStatus": None if managers is None else {"machineManagers": managers},
        }
        if any(status.get(key) != value for key, value in wanted.items()):
            known = {key: value for key, value in {**status, **wanted}.items() if value is not None}
            self.client.request("PUT", f"{CONFIGURATION}/status", {**found, "status": known}, "application/json")
        self._guard(skew)

    def _guard(self, skew: Json) -> None:
        recorded = (skew.get("manual") or {}).get("ocpVersion", "")
        blocked = bool(recorded) and tuple(map(int, recorded.split("."))) < LIMIT
        found = self.client.get(OPERATOR)["status"]
        reason = "ClusterBootImageSkewError" if blocked else "AsExpected"
        conditions = with_condition(found["conditions"], "Upgradeable", not blocked, reason)
        if conditions != found["conditions"] and _of(conditions) != _of(found["conditions"]):
            self.client.merge(f"{OPERATOR}/status", {"status": {"conditions": conditions}})


def _of(conditions: list[Json]) -> tuple[str, str]:
    return next((one["status"], one["reason"]) for one in conditions if one["type"] == "Upgradeable")


def _managers(spec: Json, infrastructure: Json) -> list[Json] | None:
    platform = infrastructure["platformStatus"]
    if platform["type"] not in BY_DEFAULT or platform.get("azure", {}).get("cloudName") == "AzureStackCloud":
        return None
    said = (spec.get("managedBootImages") or {}).get("machineManagers")
    if said == []:
        return []
    entries = {one["resource"]: one for one in said or []}
    sets = entries.get(SETS) or _entry(SETS, "All")
    if platform["type"] == "VSphere":
        return [sets]
    return [sets, entries.get(CONTROL_PLANE) or _entry(CONTROL_PLANE, "None")]


def _skew(spec: Json, status: Json, managers: list[Json] | None, infrastructure: Json, history: list[Json]) -> Json:
    said = spec.get("bootImageSkewEnforcement")
    if said:
        return dict(said)
    if infrastructure["platformStatus"]["type"] == "BareMetal" or infrastructure["controlPlaneTopology"] == (
        "SingleReplica"
    ):
        return {"mode": "None"}
    installed = [one["version"] for one in history if one["state"] == "Completed"][-1]
    every = any(one["resource"] == SETS and one["selection"]["mode"] == "All" for one in managers or [])
    if not every:
        return {"mode": "Manual", "manual": {"mode": "OCPVersion", "ocpVersion": installed}}
    before = status.get("bootImageSkewEnforcementStatus") or {}
    kept = before.get("automatic") if before.get("mode") == "Automatic" else None
    return {"mode": "Automatic", "automatic": kept or {"ocpVersion": installed}}


def _entry(resource: str, mode: str) -> Json:
    return {"resource": resource, "apiGroup": "machine.openshift.io", "selection": {"mode": mode}}
