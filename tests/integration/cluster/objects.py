# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Small objects for the tests of this room."""

from __future__ import annotations

import typing as t

Object = dict[str, t.Any]


def config_map(name: str, namespace: str, **data: str) -> Object:
    """Return a ConfigMap."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": namespace},
        "data": data,
    }


def running_pod(name: str, namespace: str) -> Object:
    """Return a pod that is bound to a node, running and ready, as far as its status says."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": {"app": "database"}},
        "spec": {"nodeName": "worker-0", "containers": [{"name": "main", "image": "quay.example/database"}]},
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
    }


def budget_that_allows(disruptions: int, namespace: str) -> Object:
    """Return a PodDisruptionBudget over ``running_pod``, with the status that its controller would write."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "database", "namespace": namespace},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "database"}}},
        "status": {
            "observedGeneration": 1,
            "disruptionsAllowed": disruptions,
            "currentHealthy": 1,
            "desiredHealthy": 1 - disruptions,
            "expectedPods": 1,
        },
    }
