# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The objects of a hub that describe its clusters."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.kinds import (
    AGENT_CLUSTER_INSTALL,
    CLUSTER_DEPLOYMENT,
    CLUSTER_INSTANCE,
    MANAGED_CLUSTER,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.hub_objects import HubObjects
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


def read_hub(client: ClusterClient, labels: str = "") -> HubObjects:
    """Return the objects of all clusters, or of those whose ManagedCluster matches the selector ``labels``.

    A hub can have Hive alone, or no SiteConfig. Raise InvalidInputError for a cluster that is no hub, and ApiError.
    """
    if not any(client.serves(kind) for kind in (MANAGED_CLUSTER, CLUSTER_DEPLOYMENT)):
        raise InvalidInputError(
            "list clusters",
            on=client.access.server,
            seen="the cluster serves neither ManagedCluster nor ClusterDeployment",
            advice="Use the kubeconfig of a hub.",
        )
    found = HubObjects(
        managed=client.list_objects(MANAGED_CLUSTER, labels=labels, missing_ok=True),
        deployments=client.list_objects(CLUSTER_DEPLOYMENT, missing_ok=True),
        installs=client.list_objects(AGENT_CLUSTER_INSTALL, missing_ok=True),
        instances=client.list_objects(CLUSTER_INSTANCE, missing_ok=True),
    )
    return found.only_managed() if labels else found
