# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The kinds of API objects that this collection reads or writes, each under the API version it is used with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class ObjectKind:
    """What the Kubernetes API calls a group, version and kind."""

    api_version: str
    kind: str

    @property
    def group(self) -> str:
        """Return the API group, empty for the core group."""
        return self.api_version.rpartition("/")[0]

    def __str__(self) -> str:
        return f"{self.kind}.{self.group}" if self.group else self.kind


NAMESPACE = ObjectKind("v1", "Namespace")
NODE = ObjectKind("v1", "Node")
POD = ObjectKind("v1", "Pod")
CONFIG_MAP = ObjectKind("v1", "ConfigMap")
SECRET = ObjectKind("v1", "Secret")
DAEMON_SET = ObjectKind("apps/v1", "DaemonSet")
POD_DISRUPTION_BUDGET = ObjectKind("policy/v1", "PodDisruptionBudget")
LEASE = ObjectKind("coordination.k8s.io/v1", "Lease")
VALIDATING_ADMISSION_POLICY = ObjectKind("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy")
VALIDATING_ADMISSION_POLICY_BINDING = ObjectKind("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding")
CERTIFICATE_SIGNING_REQUEST = ObjectKind("certificates.k8s.io/v1", "CertificateSigningRequest")

SUBSCRIPTION = ObjectKind("operators.coreos.com/v1alpha1", "Subscription")
CATALOG_SOURCE = ObjectKind("operators.coreos.com/v1alpha1", "CatalogSource")
CLUSTER_CATALOG = ObjectKind("olm.operatorframework.io/v1", "ClusterCatalog")
IMAGE_DIGEST_MIRROR_SET = ObjectKind("config.openshift.io/v1", "ImageDigestMirrorSet")
IMAGE_TAG_MIRROR_SET = ObjectKind("config.openshift.io/v1", "ImageTagMirrorSet")
CLUSTER_VERSION = ObjectKind("config.openshift.io/v1", "ClusterVersion")
CLUSTER_OPERATOR = ObjectKind("config.openshift.io/v1", "ClusterOperator")
INFRASTRUCTURE = ObjectKind("config.openshift.io/v1", "Infrastructure")
MACHINE_CONFIG = ObjectKind("machineconfiguration.openshift.io/v1", "MachineConfig")
MACHINE_CONFIG_POOL = ObjectKind("machineconfiguration.openshift.io/v1", "MachineConfigPool")
MACHINE_OS_CONFIG = ObjectKind("machineconfiguration.openshift.io/v1", "MachineOSConfig")
MACHINE_CONFIG_NODE = ObjectKind("machineconfiguration.openshift.io/v1", "MachineConfigNode")
PINNED_IMAGE_SET = ObjectKind("machineconfiguration.openshift.io/v1", "PinnedImageSet")
