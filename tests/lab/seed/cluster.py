# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cluster as a whole: ClusterVersion, ClusterOperators, Infrastructure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.conditions import SETTLED, condition

RELEASE_REPOSITORY = "quay.io/openshift-release-dev/ocp-release"
API_VERSION = "config.openshift.io/v1"
PLATFORM_STATUS: dict[str, Json] = {
    "BareMetal": {
        "baremetal": {
            "apiServerInternalIP": "198.51.100.1",
            "apiServerInternalIPs": ["198.51.100.1"],
            "ingressIP": "198.51.100.2",
            "ingressIPs": ["198.51.100.2"],
            "loadBalancer": {"type": "UserManaged"},
        }
    },
    "AWS": {"aws": {"region": "eu-central-1"}},
    "GCP": {"gcp": {"projectID": "lab-x7k2p", "region": "europe-west3"}},
}
"""What the installer writes for a platform; the machine-config operator reads the addresses without looking first."""
OPERATORS = (
    "authentication",
    "baremetal",
    "cloud-controller-manager",
    "cloud-credential",
    "cluster-autoscaler",
    "config-operator",
    "console",
    "control-plane-machine-set",
    "csi-snapshot-controller",
    "dns",
    "etcd",
    "image-registry",
    "ingress",
    "insights",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kube-storage-version-migrator",
    "machine-api",
    "machine-approver",
    "machine-config",
    "marketplace",
    "monitoring",
    "network",
    "node-tuning",
    "olm",
    "openshift-apiserver",
    "openshift-controller-manager",
    "openshift-samples",
    "operator-lifecycle-manager",
    "operator-lifecycle-manager-catalog",
    "operator-lifecycle-manager-packageserver",
    "service-ca",
    "storage",
)
_MOST = 50
_OTHERWISE = {
    "config-operator": 10,
    "etcd": 20,
    "kube-apiserver": 20,
    "kube-controller-manager": 25,
    "kube-scheduler": 25,
    "cloud-controller-manager": 26,
    "machine-api": 30,
    "openshift-apiserver": 30,
    "baremetal": 31,
    "dns": 70,
    "network": 70,
    "machine-config": 80,
}
RUN_LEVELS = tuple(sorted((_OTHERWISE.get(name, _MOST), name) for name in OPERATORS))
"""In which order a payload brings the operators: the numbers that the names of their manifests begin with."""


def release_image(version: str) -> str:
    """Return the pull specification of a release that is made up from its version, always the same."""
    return f"{RELEASE_REPOSITORY}@sha256:{hashlib.sha256(version.encode()).hexdigest()}"


def cluster_version(
    version: str = "4.21.3", *, earlier: Sequence[str] = ("4.21.1", "4.20.12"), available: Sequence[str] = ()
) -> Json:
    """Return a ClusterVersion at rest on ``version``; ``earlier`` is its history, newest first.

    ``available`` are the versions that it may be updated to. Source: cluster-version-operator, pkg/cvo/status.go.
    """
    channel = f"stable-{'.'.join(version.split('.')[:2])}"
    done = f"Done applying {version}"
    return {
        "apiVersion": API_VERSION,
        "kind": "ClusterVersion",
        "metadata": {"name": "version"},
        "spec": {"channel": channel, "clusterID": "5a63b9d2-4f0c-4d0e-9c52-0d3a6a4c8f11"},
        "status": {
            "desired": {"version": version, "image": release_image(version), "channels": [channel]},
            "history": [_update(one) for one in (version, *earlier)],
            "observedGeneration": 1,
            "versionHash": "ZTF0bGFiLXZlcg==",
            "capabilities": {"enabledCapabilities": ["MachineAPI"], "knownCapabilities": ["MachineAPI"]},
            "conditions": [
                condition("RetrievedUpdates", False, "NoChannel", "The update service cannot be reached"),
                condition("Upgradeable", True),
                condition("ImplicitlyEnabledCapabilities", False, "AsExpected", "Capabilities match configured spec"),
                condition("ReleaseAccepted", True, "PayloadLoaded", f'Payload loaded version="{version}"'),
                condition("Available", True, "", done),
                condition("Failing", False, ""),
                condition("Progressing", False, "", f"Cluster version is {version}"),
            ],
            "availableUpdates": [{"version": one, "image": release_image(one)} for one in available] or None,
        },
    }


def cluster_operators(version: str = "4.21.3", names: Iterable[str] = OPERATORS) -> list[Json]:
    """Return ClusterOperators that are available, at rest, not degraded and at ``version``."""
    return [
        {
            "apiVersion": API_VERSION,
            "kind": "ClusterOperator",
            "metadata": {"name": name},
            "spec": {},
            "status": {
                "conditions": [
                    condition("Available", True),
                    condition("Progressing", False),
                    condition("Degraded", False),
                    condition("Upgradeable", True),
                ],
                "versions": [{"name": "operator", "version": version}],
            },
        }
        for name in names
    ]


def infrastructure(platform: str = "BareMetal", *, control_plane: int = 3, workers: int = 2) -> Json:
    """Return the Infrastructure of a cluster of that size."""
    return {
        "apiVersion": API_VERSION,
        "kind": "Infrastructure",
        "metadata": {"name": "cluster"},
        "spec": {"platformSpec": {"type": platform}},
        "status": {
            "apiServerInternalURI": "https://api-int.lab.example:6443",
            "apiServerURL": "https://api.lab.example:6443",
            "controlPlaneTopology": "SingleReplica" if control_plane == 1 else "HighlyAvailable",
            "infrastructureTopology": "SingleReplica" if workers + control_plane < 2 else "HighlyAvailable",
            "cpuPartitioning": "None",
            "etcdDiscoveryDomain": "",
            "infrastructureName": "lab-x7k2p",
            "platform": platform,
            "platformStatus": {"type": platform, **PLATFORM_STATUS.get(platform, {})},
        },
    }


def _update(version: str) -> Json:
    return {
        "state": "Completed",
        "version": version,
        "image": release_image(version),
        "startedTime": SETTLED,
        "completionTime": SETTLED,
        "verified": True,
    }
