# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Clusters whose control planes are hosted on this one: HostedCluster, NodePool and what they refer to.

Source: hypershift, api/hypershift/v1beta1; their machines have no pools of the machine-config operator.
"""

from __future__ import annotations

from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image

API_VERSION = "hypershift.openshift.io/v1beta1"
NAMESPACE = "clusters"


def hosted_cluster(name: str = "branch", version: str = "4.21.3") -> Json:
    """Return a HostedCluster on hosts that an agent has registered."""
    published = {"APIServer": "LoadBalancer", "OAuthServer": "Route", "Konnectivity": "Route", "Ignition": "Route"}
    services = [
        {"service": service, "servicePublishingStrategy": {"type": kind}} for service, kind in published.items()
    ]
    networking = {
        "networkType": "OVNKubernetes",
        "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
        "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
    }
    storage = {"type": "PersistentVolume", "persistentVolume": {"size": "8Gi"}}
    return {
        "apiVersion": API_VERSION,
        "kind": "HostedCluster",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {
            "release": {"image": release_image(version)},
            "clusterID": "7c1e0f34-52a6-4d0b-9f6e-6f2b1b7f0a11",
            "infraID": name,
            "dns": {"baseDomain": "lab.example"},
            "etcd": {"managementType": "Managed", "managed": {"storage": storage}},
            "networking": networking,
            "platform": {"type": "Agent", "agent": {"agentNamespace": NAMESPACE}},
            "pullSecret": {"name": f"{name}-pull-secret"},
            "services": services,
            "sshKey": {"name": f"{name}-ssh-key"},
        },
    }


def node_pool(cluster: str = "branch", name: str = "workers", version: str = "4.21.3", replicas: int = 2) -> Json:
    """Return a NodePool whose nodes are updated in place."""
    management = {"upgradeType": "InPlace", "autoRepair": False, "inPlace": {"maxUnavailable": 1}}
    return {
        "apiVersion": API_VERSION,
        "kind": "NodePool",
        "metadata": {"name": f"{cluster}-{name}", "namespace": NAMESPACE},
        "spec": {
            "clusterName": cluster,
            "release": {"image": release_image(version)},
            "platform": {"type": "Agent", "agent": {}},
            "management": management,
            "replicas": replicas,
        },
    }
