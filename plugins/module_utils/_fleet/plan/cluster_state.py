# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""In which state a cluster is, and what prevents its next update, as the objects of its hub report it."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator

from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.hub_objects import ClusterObjects
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import Condition, conditions_of

AVAILABLE: t.Final = "available"
UNAVAILABLE: t.Final = "unavailable"
HIBERNATING: t.Final = "hibernating"
DELETING: t.Final = "deleting"
IMPORTING: t.Final = "importing"
INSTALLING: t.Final = "installing"
FAILED: t.Final = "install_failed"

# Types of conditions: open-cluster-management.io/api cluster/v1; hive apis/hive/v1 and its contract of ClusterInstalls
_ACCEPTED, _JOINED, _AVAILABLE = "HubAcceptedManagedCluster", "ManagedClusterJoined", "ManagedClusterConditionAvailable"
_BROKEN = {
    "ClusterDeployment": ("ProvisionFailed", "ProvisionStopped", "Unreachable"),
    "AgentClusterInstall": ("Failed", "Stopped"),
}
_WANTED = ("ClusterInstanceValidated", "RenderedTemplates", "RenderedTemplatesValidated", "RenderedTemplatesApplied")
_FAILURES = ("Failed", "TimedOut")


def state_of(cluster: ClusterObjects) -> str:
    """Return the state: that of its deletion or installation first, then that of its connection to the hub."""
    owned = (cluster.managed, cluster.deployment)
    if any(one["metadata"].get("deletionTimestamp") for one in owned if one):
        return DELETING
    if not _is_installed(cluster):
        return FAILED if any(_failures(cluster)) else INSTALLING
    if (cluster.deployment.get("status") or {}).get("powerState") == "Hibernating":
        return HIBERNATING
    seen = conditions_of(cluster.managed)
    if not cluster.managed or not _holds(seen, _JOINED):
        return IMPORTING
    return AVAILABLE if _holds(seen, _AVAILABLE) else UNAVAILABLE


def blocks_of(cluster: ClusterObjects) -> tuple[str, ...]:
    """Return what prevents an update, one sentence for each cause."""
    return tuple(dict.fromkeys(_blocks(cluster)))


def _blocks(cluster: ClusterObjects) -> Iterator[str]:
    state = state_of(cluster)
    if state in (DELETING, INSTALLING, HIBERNATING):
        yield f"The cluster is {state}."
    yield from _failures(cluster)
    if not cluster.managed:
        yield "The hub has no ManagedCluster of this name."
        return
    seen = conditions_of(cluster.managed)
    if not cluster.managed["spec"].get("hubAcceptsClient"):
        yield "The hub does not accept it: hubAcceptsClient of its ManagedCluster is false."
    elif not _holds(seen, _JOINED):
        yield "Its agent has not joined the hub."
    elif not _holds(seen, _AVAILABLE):
        yield f"The hub cannot reach it. {_told(seen.get(_AVAILABLE), 'Its agent reports nothing.')}"


def _is_installed(cluster: ClusterObjects) -> bool:
    """Whether the cluster runs; one that was imported has no ClusterDeployment."""
    if cluster.deployment:
        return bool((cluster.deployment.get("spec") or {}).get("installed"))
    return bool(cluster.managed)


def _failures(cluster: ClusterObjects) -> Iterator[str]:
    for kind, one in (("ClusterDeployment", cluster.deployment), ("AgentClusterInstall", cluster.install)):
        if not (kind == "AgentClusterInstall" and _is_installed(cluster)):
            seen = conditions_of(one)
            yield from (f"{kind}: {_told(seen[name], name)}" for name in _BROKEN[kind] if _holds(seen, name))
    seen = conditions_of(cluster.instance)
    refused = [seen[name] for name in _WANTED if name in seen and seen[name].status == "False"]
    provisioned = seen.get("Provisioned")
    if provisioned and provisioned.status == "False" and provisioned.reason in _FAILURES:
        refused.append(provisioned)
    yield from (f"ClusterInstance: {_told(one, one.type)}" for one in refused)


def _holds(seen: t.Mapping[str, Condition], name: str) -> bool:
    return name in seen and seen[name].is_true


def _told(condition: Condition | None, otherwise: str) -> str:
    text = " ".join((condition.message or condition.reason).split()) if condition else ""
    return f"{(text or otherwise).rstrip('.')}."
