# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads what the checks of a cluster's health need besides version, operators, pools and nodes."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.server_time import cluster_now
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_alerts import (
    read_alert_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_space import (
    read_space_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.kinds import (
    API_REQUEST_COUNT,
    CONTROLLER_CONFIG,
    ETCD,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_budgets import (
    budget_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_certificates import (
    certificate_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_clocks import (
    LEASE_NAMESPACE,
    clock_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_etcd import (
    ETCD_NAME,
    etcd_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_pinned_image_sets import (
    pinned_image_set_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_pull_policy import (
    pull_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_removed_apis import (
    api_findings,
    minor_after_update,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_signing_requests import (
    signing_request_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import Finding
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.health import (
    ClusterObservation,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CERTIFICATE_SIGNING_REQUEST,
    LEASE,
    PINNED_IMAGE_SET,
    POD,
    POD_DISRUPTION_BUDGET,
    ObjectKind,
)

CONTROLLER_CONFIG_NAME = "machine-config-controller"


class ClusterReading:
    """One reading of the cluster: what was seen of it, how the checks are to judge, and what they read in common."""

    def __init__(
        self, client: ClusterClient, params: Mapping[str, t.Any], seen: ClusterObservation, deadline: Deadline
    ) -> None:
        self.client = client
        self.params = params
        self.seen = seen
        self.deadline = deadline
        self._pods: list[dict[str, t.Any]] | None = None

    def listed(self, kind: ObjectKind, namespace: str | None = None) -> list[dict[str, t.Any]]:
        """Return all objects of ``kind``, none where the cluster does not know it."""
        return self.client.list_objects(kind, namespace, missing_ok=True, deadline=self.deadline)

    def one(self, kind: ObjectKind, name: str) -> dict[str, t.Any] | None:
        """Return an object of the cluster, None where there is none or its kind is unknown."""
        return self.client.get(kind, name, missing_ok=True, deadline=self.deadline)

    @property
    def pods(self) -> list[dict[str, t.Any]]:
        """All pods, read once."""
        if self._pods is None:
            self._pods = self.listed(POD)
        return self._pods

    @property
    def ready_nodes(self) -> list[str]:
        """Return the names of the nodes whose kubelets report."""
        return [node.name for node in self.seen.nodes if node.ready]


def further_findings(reading: ClusterReading) -> tuple[Finding, ...]:
    """Return the findings of the checks that are requested, in the order of ``CHECKS``; raise ApiError."""
    wanted = [check for name, check in CHECKS.items() if name in reading.params["checks"]]
    return tuple(finding for check in wanted for finding in check(reading))


def _etcd(reading: ClusterReading) -> Iterable[Finding]:
    return etcd_findings(reading.one(ETCD, ETCD_NAME))


def _certificates(reading: ClusterReading) -> Iterable[Finding]:
    found = reading.one(CONTROLLER_CONFIG, CONTROLLER_CONFIG_NAME)
    now = cluster_now(reading.client, reading.deadline)
    return certificate_findings(found, now, reading.params["certificate_days"])


def _budgets(reading: ClusterReading) -> Iterable[Finding]:
    return budget_findings(reading.listed(POD_DISRUPTION_BUDGET), reading.pods)


def _pull_policy(reading: ClusterReading) -> Iterable[Finding]:
    return pull_findings(reading.pods)


def _alerts(reading: ClusterReading) -> Iterable[Finding]:
    return read_alert_findings(reading.client, reading.deadline)


def _removed_apis(reading: ClusterReading) -> Iterable[Finding]:
    answer = reading.client.transport.send_to_path("/version", at_most=reading.deadline.remaining)
    current = reading.seen.version.desired_version if reading.seen.version else ""
    served = str((answer.body or {}).get("minor", ""))
    after = minor_after_update(served, current, reading.params["target_version"])
    return api_findings(reading.listed(API_REQUEST_COUNT), after)


def _pinned_image_sets(reading: ClusterReading) -> Iterable[Finding]:
    if reading.params["pin_method"] != "pinned_image_set" or reading.seen.version is None:
        return ()
    running = reading.seen.version.desired_version
    return pinned_image_set_findings(
        running, reading.params["target_version"] or running, reading.listed(PINNED_IMAGE_SET)
    )


def _space(reading: ClusterReading) -> Iterable[Finding]:
    return read_space_findings(
        reading.client, reading.ready_nodes, reading.params["keep_free_percent"], reading.deadline
    )


def _clocks(reading: ClusterReading) -> Iterable[Finding]:
    leases = reading.listed(LEASE, LEASE_NAMESPACE)
    now = cluster_now(reading.client, reading.deadline)
    return clock_findings(leases, frozenset(reading.ready_nodes), now, reading.params["clock_limit"])


def _signing_requests(reading: ClusterReading) -> Iterable[Finding]:
    found = reading.listed(CERTIFICATE_SIGNING_REQUEST)
    return signing_request_findings(found, cluster_now(reading.client, reading.deadline))


CHECKS: Mapping[str, Callable[[ClusterReading], Iterable[Finding]]] = {
    "etcd": _etcd,
    "certificates": _certificates,
    "signing_requests": _signing_requests,
    "clocks": _clocks,
    "budgets": _budgets,
    "pull_policy": _pull_policy,
    "removed_apis": _removed_apis,
    "pinned_image_sets": _pinned_image_sets,
    "space": _space,
    "alerts": _alerts,
}
"""The checks by name; each costs requests of its own, which is why they are requested."""
