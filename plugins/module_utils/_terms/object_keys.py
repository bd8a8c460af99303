# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Annotation and label keys, each with the component that writes it."""

from __future__ import annotations

PART_OF_LABEL = "app.kubernetes.io/part-of"
PART_OF = "fieldops-openshift"
"""Value of PART_OF_LABEL on every object that this collection creates."""

NAMESPACE = "fieldops-openshift"
"""Namespace that holds what this collection keeps in a cluster."""

REACH_NAMESPACE_PREFIX = "fieldops-reach-"
"""How the namespaces of helper pods begin; the name of the run follows."""

FIELD_MANAGER = "fieldops-openshift"
"""Owner of the fields that this collection applies."""

SCHEMA_VERSION_KEY = "schemaVersion"
"""Key of the format version in every document that this collection keeps."""

NODE_ROLE_PREFIX = "node-role.kubernetes.io/"
ZONE_LABEL = "topology.kubernetes.io/zone"
MIRROR_POD = "kubernetes.io/config.mirror"

ETCD_NAMESPACE = "openshift-etcd"
GUARD_SELECTOR = "app=guard"
"""Pods that show whether the static pods of their node serve (library-go, pkg/operator/staticpod/controller/guard)."""

MACHINE_CONFIG_NAMESPACE = "openshift-machine-config-operator"
MACHINE_CONFIG_OPERATOR_SELECTOR = "k8s-app=machine-config-operator"

POOL_ROLE_LABEL = "machineconfiguration.openshift.io/role"
"""By which the selector of a machine config pool finds MachineConfigs and PinnedImageSets."""

BOOTC_MANAGED = "bootc.dev/managed"
"""Label of a node whose OS image bootc-operator decides on (its api/v1alpha1/constants.go, LabelManaged)."""

# The machine-config operator's, pkg/daemon/constants/constants.go
CURRENT_CONFIG = "machineconfiguration.openshift.io/currentConfig"
DESIRED_CONFIG = "machineconfiguration.openshift.io/desiredConfig"
CURRENT_IMAGE = "machineconfiguration.openshift.io/currentImage"
DESIRED_IMAGE = "machineconfiguration.openshift.io/desiredImage"
DAEMON_STATE = "machineconfiguration.openshift.io/state"
DAEMON_REASON = "machineconfiguration.openshift.io/reason"
