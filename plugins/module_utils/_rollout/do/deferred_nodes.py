# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nodes that come last in their group, because something that the rollout itself needs runs there."""

from __future__ import annotations

import os
import platform
import typing as t
from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.api_address import nodes_at
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.standing import RolloutNode
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    MACHINE_CONFIG_NAMESPACE,
    MACHINE_CONFIG_OPERATOR_SELECTOR,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import POD

IN_A_POD = "KUBERNETES_SERVICE_HOST"
"""Set by every kubelet in every container."""


def deferred_nodes(client: ClusterClient, every_node: Sequence[RolloutNode], *, has_operator: bool) -> list[str]:
    """Return the node that we reach the API by, that of this job's own pod, and that of the machine-config operator."""
    found = nodes_at(client.access.server, every_node)
    if os.environ.get(IN_A_POD):
        # A pod's host name is its own name. A pod of that name in another cluster changes no more than the order.
        found += _nodes_of(client.list_objects(POD, fields=f"metadata.name={platform.node()}"))
    if has_operator:
        found += _nodes_of(client.list_objects(POD, MACHINE_CONFIG_NAMESPACE, labels=MACHINE_CONFIG_OPERATOR_SELECTOR))
    return found


def _nodes_of(pods: Sequence[dict[str, t.Any]]) -> list[str]:
    return [node for node in ((pod.get("spec") or {}).get("nodeName", "") for pod in pods) if node]
