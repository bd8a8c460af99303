# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Clusters of a hub as hosts of an inventory, with the variables and the groups that follow from their objects."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.cluster_state import blocks_of, state_of
from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.hub_objects import (
    ClusterObjects,
    HubObjects,
    Object,
)

ALL = "managed_clusters"
KUBECONFIG_KEY = "kubeconfig"
"""Key of the kubeconfig in the Secret of a ClusterDeployment (hive, pkg/constants, KubeconfigSecretKey)."""
_GROUPED = ("state", "version", "platform", "window", "ring", "hardware")


@dataclass(frozen=True)
class LabelKeys:
    """The keys of the labels with the maintenance window, the ring and the hardware of a cluster."""

    window: str
    ring: str
    hardware: str


@dataclass(frozen=True)
class ClusterHost:
    """A host: the name of its cluster, its ``groups`` and its ``variables``."""

    name: str
    groups: tuple[str, ...]
    variables: Mapping[str, t.Any]


def cluster_hosts(objects: HubObjects, keys: LabelKeys) -> list[ClusterHost]:
    """Return a host for each cluster, in the order of their names. No variable has a credential."""
    return [_host(cluster, keys) for cluster in objects.by_cluster()]


def _host(cluster: ClusterObjects, keys: LabelKeys) -> ClusterHost:
    labels = _labels(cluster)
    claims = _claims(cluster.managed)
    blocks = blocks_of(cluster)
    variables: dict[str, t.Any] = {
        "cluster_name": cluster.name,
        "cluster_state": state_of(cluster),
        "cluster_blocks": list(blocks),
        "cluster_version": claims.get("version.openshift.io") or _installed_version(cluster),
        "cluster_platform": _platform(cluster, labels, claims),
        "cluster_topology": claims.get("controlplanetopology.openshift.io", ""),
        "cluster_id": claims.get("id.openshift.io") or _metadata(cluster).get("clusterID", ""),
        "cluster_api_url": claims.get("apiserverurl.openshift.io") or _status(cluster.deployment).get("apiURL", ""),
        "cluster_window": labels.get(keys.window, ""),
        "cluster_ring": labels.get(keys.ring, ""),
        "cluster_hardware": labels.get(keys.hardware, ""),
        "cluster_labels": dict(labels),
        "cluster_kubeconfig_secret": _kubeconfig_secret(cluster),
    }
    named = [f"{kind}_{variables[f'cluster_{kind}']}" for kind in _GROUPED if variables[f"cluster_{kind}"]]
    return ClusterHost(cluster.name, (ALL, *named, *(["blocked"] if blocks else [])), variables)


def _labels(cluster: ClusterObjects) -> Mapping[str, str]:
    """Return the labels of the ManagedCluster, or those that a ClusterInstance will give it."""
    extra = (cluster.instance.get("spec") or {}).get("extraLabels") or {}
    for one in (cluster.managed, cluster.deployment):
        if one:
            return one["metadata"].get("labels") or {}
    return extra.get("ManagedCluster") or {}


def _claims(managed: Object) -> Mapping[str, str]:
    return {claim["name"]: claim["value"] for claim in _status(managed).get("clusterClaims") or []}


def _installed_version(cluster: ClusterObjects) -> str:
    return str(_status(cluster.deployment).get("installVersion") or "")


def _platform(cluster: ClusterObjects, labels: Mapping[str, str], claims: Mapping[str, str]) -> str:
    found = (
        claims.get("platform.open-cluster-management.io"),
        _status(cluster.install).get("platformType"),
        labels.get("cloud"),
    )
    return next((str(one) for one in found if one), "")


def _metadata(cluster: ClusterObjects) -> Mapping[str, t.Any]:
    return (cluster.deployment.get("spec") or {}).get("clusterMetadata") or {}


def _kubeconfig_secret(cluster: ClusterObjects) -> dict[str, str]:
    """Return the Secret on the hub that has the kubeconfig, empty without one. Its content is not read here."""
    name = (_metadata(cluster).get("adminKubeconfigSecretRef") or {}).get("name", "")
    if not name:
        return {}
    return {"namespace": cluster.deployment["metadata"]["namespace"], "name": name, "key": KUBECONFIG_KEY}


def _status(one: Object) -> Mapping[str, t.Any]:
    return one.get("status") or {}
