# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What makes an API server a hub: the definitions of cluster management, Hive, assisted installation and SiteConfig.

Sources, pinned in ``components/manifests/go.mod``: open-cluster-management.io/api, openshift/hive,
openshift/assisted-service, stolostron/siteconfig. Their controllers are not here: tests write what these would.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.tests.lab import crds
from ansible_collections.fieldops.openshift.tests.lab.go import module_directory
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

Json = dict[str, t.Any]

MANAGED = "cluster.open-cluster-management.io/v1"
FILES = {
    "managedclusters.cluster.open-cluster-management.io": (
        "open-cluster-management.io/api",
        "cluster/v1/0000_00_clusters.open-cluster-management.io_managedclusters.crd.yaml",
    ),
    "clusterdeployments.hive.openshift.io": (
        "github.com/openshift/hive",
        "config/crds/hive.openshift.io_clusterdeployments.yaml",
    ),
    "agentclusterinstalls.extensions.hive.openshift.io": (
        "github.com/openshift/assisted-service",
        "config/crd/bases/extensions.hive.openshift.io_agentclusterinstalls.yaml",
    ),
    "clusterinstances.siteconfig.open-cluster-management.io": (
        "github.com/stolostron/siteconfig",
        "config/crd/bases/siteconfig.open-cluster-management.io_clusterinstances.yaml",
    ),
}
JOINED = ("HubAcceptedManagedCluster", "ManagedClusterJoined", "ManagedClusterConditionAvailable")
SINCE = "2026-11-01T00:00:00Z"


def make_hub(client: RestClient) -> None:
    """Let an API server serve the kinds of a hub."""
    wanted = [
        crds.Definition(name, module_directory(module, "manifests") / file) for name, (module, file) in FILES.items()
    ]
    crds.install(client, wanted)


def managed_cluster(name: str, version: str, *, available: str = "True", **labels: str) -> Json:
    """Return a ManagedCluster that has joined; ``labels`` are those of this collection."""
    told = {**dict.fromkeys(JOINED, "True"), JOINED[-1]: available}
    claims = {"version.openshift.io": version, "controlplanetopology.openshift.io": "SingleReplica"}
    return {
        "apiVersion": MANAGED,
        "kind": "ManagedCluster",
        "metadata": {"name": name, "labels": {f"fieldops.openshift/{key}": value for key, value in labels.items()}},
        "spec": {"hubAcceptsClient": True},
        "status": {
            "conditions": [condition(kind, status) for kind, status in told.items()],
            "clusterClaims": [{"name": key, "value": value} for key, value in claims.items()],
        },
    }


def condition(kind: str, status: str, message: str = "") -> Json:
    """Return a condition that holds since the first of November."""
    return {"type": kind, "status": status, "reason": kind, "message": message, "lastTransitionTime": SINCE}
