# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names of component images as releases of OpenShift 4 have them."""

from __future__ import annotations

import itertools

PAYLOAD_BASE = "cluster-version-operator"  # the release image is this image and one more layer
ALWAYS = (PAYLOAD_BASE, "machine-config-operator", "etcd", "cli")
OS_IMAGES = ("rhel-coreos", "rhel-coreos-extensions")

ANYWHERE = (
    "hyperkube",
    "pod",
    "cluster-etcd-operator",
    "cluster-kube-apiserver-operator",
    "cluster-network-operator",
    "ovn-kubernetes",
    "multus-cni",
    "coredns",
    "haproxy-router",
    "oauth-server",
    "console",
    "prometheus",
    "keepalived-ipfailover",
    "kube-rbac-proxy",
    "kube-proxy",
    "kube-state-metrics",
    "agent-installer-api-server",
    "agent-installer-node-agent",
    "apiserver-network-proxy",
    "cli-artifacts",
    "cloud-credential-operator",
    "cloud-network-config-controller",
    "cluster-authentication-operator",
    "cluster-autoscaler",
    "cluster-autoscaler-operator",
    "cluster-baremetal-operator",
    "cluster-bootstrap",
    "cluster-capi-operator",
    "cluster-cloud-controller-manager-operator",
    "cluster-config-api",
    "cluster-config-operator",
    "cluster-control-plane-machine-set-operator",
    "cluster-csi-snapshot-controller-operator",
    "cluster-dns-operator",
    "cluster-image-registry-operator",
    "cluster-ingress-operator",
    "cluster-kube-controller-manager-operator",
    "cluster-kube-scheduler-operator",
    "cluster-kube-storage-version-migrator-operator",
    "cluster-machine-approver",
    "cluster-monitoring-operator",
    "cluster-node-tuning-operator",
    "cluster-openshift-apiserver-operator",
    "cluster-openshift-controller-manager-operator",
    "cluster-policy-controller",
    "cluster-samples-operator",
    "cluster-storage-operator",
    "configmap-reloader",
    "console-operator",
    "container-networking-plugins",
    "csi-external-attacher",
    "csi-external-provisioner",
    "csi-external-resizer",
    "csi-external-snapshotter",
    "csi-livenessprobe",
    "csi-node-driver-registrar",
    "csi-snapshot-controller",
    "deployer",
    "docker-builder",
    "docker-registry",
    "driver-toolkit",
    "insights-operator",
    "installer",
    "installer-artifacts",
    "machine-api-operator",
    "must-gather",
    "network-metrics-daemon",
    "node-exporter",
    "oauth-apiserver",
    "oauth-proxy",
    "olm-operator-controller",
    "openshift-apiserver",
    "openshift-controller-manager",
    "operator-lifecycle-manager",
    "operator-marketplace",
    "operator-registry",
    "prometheus-alertmanager",
    "prometheus-operator",
    "service-ca-operator",
    "telemeter",
    "thanos",
    "tools",
)
ONE_PLATFORM = (
    "aws-machine-controllers",
    "vsphere-csi-driver",
    "azure-machine-controllers",
    "gcp-machine-controllers",
    "openstack-machine-controllers",
    "baremetal-machine-controllers",
    "ibm-cloud-controller-manager",
    "nutanix-machine-controllers",
    "powervs-machine-controllers",
    "aws-cloud-controller-manager",
    "aws-ebs-csi-driver",
    "aws-ebs-csi-driver-operator",
    "aws-pod-identity-webhook",
    "azure-cloud-controller-manager",
    "azure-cloud-node-manager",
    "azure-disk-csi-driver",
    "azure-file-csi-driver",
    "gcp-cloud-controller-manager",
    "gcp-pd-csi-driver",
    "gcp-pd-csi-driver-operator",
    "openstack-cinder-csi-driver",
    "openstack-cloud-controller-manager",
    "vsphere-cloud-controller-manager",
    "vsphere-csi-driver-operator",
    "vsphere-csi-driver-syncer",
    "vsphere-problem-detector",
)


def component_names(count: int, on_one_platform: int) -> tuple[str, ...]:
    """Return ``count`` names, OS images last; beyond the lists the names carry numbers."""
    anywhere = count - on_one_platform - len(ALWAYS) - len(OS_IMAGES)
    return (
        *ALWAYS,
        *itertools.islice(_endless(ANYWHERE), anywhere),
        *itertools.islice(_endless(ONE_PLATFORM), on_one_platform),
        *OS_IMAGES,
    )


def _endless(names: tuple[str, ...]) -> itertools.chain[str]:
    further = (f"{name}-{number}" for number in itertools.count(2) for name in names)
    return itertools.chain(names, further)
