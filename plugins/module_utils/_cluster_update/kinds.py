# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The kinds of API objects that only this room reads or writes."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

CLUSTER_AUTOSCALER = ObjectKind("autoscaling.openshift.io/v1", "ClusterAutoscaler")
MACHINE_AUTOSCALER = ObjectKind("autoscaling.openshift.io/v1beta1", "MachineAutoscaler")
MACHINE_HEALTH_CHECK = ObjectKind("machine.openshift.io/v1beta1", "MachineHealthCheck")
NODE_HEALTH_CHECK = ObjectKind("remediation.medik8s.io/v1alpha1", "NodeHealthCheck")

API_REQUEST_COUNT = ObjectKind("apiserver.openshift.io/v1", "APIRequestCount")
CONTROLLER_CONFIG = ObjectKind("machineconfiguration.openshift.io/v1", "ControllerConfig")
ETCD = ObjectKind("operator.openshift.io/v1", "Etcd")
ROUTE = ObjectKind("route.openshift.io/v1", "Route")
