# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The kinds of API objects of a hub that only this room reads."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

MANAGED_CLUSTER = ObjectKind("cluster.open-cluster-management.io/v1", "ManagedCluster")
CLUSTER_DEPLOYMENT = ObjectKind("hive.openshift.io/v1", "ClusterDeployment")
AGENT_CLUSTER_INSTALL = ObjectKind("extensions.hive.openshift.io/v1beta1", "AgentClusterInstall")
CLUSTER_INSTANCE = ObjectKind("siteconfig.open-cluster-management.io/v1alpha1", "ClusterInstance")
