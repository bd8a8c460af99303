# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Definitions of the autoscaler and of medik8s, cut down to the fields that matter here, and objects of them.

Source: openshift/cluster-autoscaler-operator, install/01_clusterautoscaler.crd.yaml and 02_machineautoscaler.crd.yaml;
medik8s/node-healthcheck-operator, api/v1alpha1/nodehealthcheck_types.go. github.com/openshift/api does not hold them.
What upstream requires and bounds is required and bounded here.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.differences import meaningful
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

GROUP = "autoscaling.openshift.io"
MACHINES = "openshift-machine-api"
CLUSTER_AUTOSCALER = f"/apis/{GROUP}/v1/clusterautoscalers/default"
MACHINE_AUTOSCALERS = f"/apis/{GROUP}/v1beta1/namespaces/{MACHINES}/machineautoscalers"
REMEDIATION = "remediation.medik8s.io"
NODE_HEALTH_CHECKS = f"/apis/{REMEDIATION}/v1alpha1/nodehealthchecks"
HEALTH_CHECKS = f"/apis/machine.openshift.io/v1beta1/namespaces/{MACHINES}/machinehealthchecks"
SERVED_SECONDS = 60.0
AUTOMATION = (CLUSTER_AUTOSCALER.rpartition("/")[0], MACHINE_AUTOSCALERS, HEALTH_CHECKS, NODE_HEALTH_CHECKS)


def plant_automation(client: RestClient) -> None:
    """Let a cluster have autoscalers and health checks, one of them paused by others."""
    serve_automation(client)
    client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": MACHINES}})
    client.apply_all([cluster_autoscaler(scaleDown={"enabled": True}), machine_set("a", 3)])
    client.apply_all([machine_autoscaler("a", 1, 6), health_check("worker")])
    client.apply_all([node_health_check("worker"), node_health_check("infra", "a backup")])


def serve_automation(client: RestClient) -> None:
    """Let a cluster serve the kinds of all automation."""
    client.apply_all(definitions())
    wait_for(lambda: all(map(client.exists, AUTOMATION)), SERVED_SECONDS)


def automation(client: RestClient) -> list[Json]:
    """Return what adds, removes or replaces machines."""
    return [meaningful(one) for path in AUTOMATION for one in client.get(path)["items"]]


def definitions() -> list[Json]:
    """Return the CustomResourceDefinitions."""
    integer = {"type": "integer", "format": "int32", "minimum": 0}
    limits = {"type": "object", "properties": {"maxNodesTotal": integer, "cores": _bounds(), "memory": _bounds()}}
    down = {
        "type": "object",
        "required": ["enabled"],
        "properties": {"enabled": {"type": "boolean"}, "unneededTime": {"type": "string"}},
    }
    cluster = {"type": "object", "properties": {"resourceLimits": limits, "scaleDown": down}}
    target = {name: {"type": "string", "minLength": 1} for name in ("apiVersion", "kind", "name")}
    machine = {
        "type": "object",
        "required": ["maxReplicas", "minReplicas", "scaleTargetRef"],
        "properties": {
            "minReplicas": integer,
            "maxReplicas": {**integer, "minimum": 1},
            "scaleTargetRef": {"type": "object", "required": ["kind", "name"], "properties": target},
        },
    }
    node_check = {
        "type": "object",
        "required": ["selector"],
        "properties": {
            "selector": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
            "pauseRequests": {"type": "array", "items": {"type": "string"}},
        },
    }
    return [
        _definition(GROUP, "ClusterAutoscaler", "Cluster", "v1", cluster),
        _definition(GROUP, "MachineAutoscaler", "Namespaced", "v1beta1", machine),
        _definition(REMEDIATION, "NodeHealthCheck", "Cluster", "v1alpha1", node_check),
    ]


def cluster_autoscaler(**spec: t.Any) -> Json:
    """Return the cluster's autoscaler; there is only one, called default."""
    return {"apiVersion": f"{GROUP}/v1", "kind": "ClusterAutoscaler", "metadata": {"name": "default"}, "spec": spec}


def machine_autoscaler(name: str, least: int, most: int) -> Json:
    """Return the autoscaler of the MachineSet of the same name."""
    target = {"apiVersion": "machine.openshift.io/v1beta1", "kind": "MachineSet", "name": name}
    return {
        "apiVersion": f"{GROUP}/v1beta1",
        "kind": "MachineAutoscaler",
        "metadata": {"name": name, "namespace": MACHINES},
        "spec": {"minReplicas": least, "maxReplicas": most, "scaleTargetRef": target},
    }


def machine_set(name: str, replicas: int) -> Json:
    """Return a MachineSet of the given size."""
    labels = {"machine.openshift.io/cluster-api-machineset": name}
    return {
        "apiVersion": "machine.openshift.io/v1beta1",
        "kind": "MachineSet",
        "metadata": {"name": name, "namespace": MACHINES},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {}},
        },
    }


def health_check(name: str, annotations: dict[str, str] | None = None) -> Json:
    """Return a MachineHealthCheck over the machines of a role."""
    condition = {"type": "Ready", "status": "False", "timeout": "300s"}
    return {
        "apiVersion": "machine.openshift.io/v1beta1",
        "kind": "MachineHealthCheck",
        "metadata": {"name": name, "namespace": MACHINES, **({"annotations": annotations} if annotations else {})},
        "spec": {
            "maxUnhealthy": "40%",
            "selector": {"matchLabels": {"machine.openshift.io/cluster-api-machine-role": name}},
            "unhealthyConditions": [condition],
        },
    }


def _bounds() -> Json:
    integer = {"type": "integer", "format": "int32"}
    return {"type": "object", "required": ["min", "max"], "properties": {"min": integer, "max": integer}}


def node_health_check(name: str, *requests: str) -> Json:
    """Return a NodeHealthCheck over the nodes of a role, with requests of others to pause it."""
    selector = {"matchLabels": {f"node-role.kubernetes.io/{name}": ""}}
    paused = {"pauseRequests": list(requests)} if requests else {}
    return {
        "apiVersion": f"{REMEDIATION}/v1alpha1",
        "kind": "NodeHealthCheck",
        "metadata": {"name": name},
        "spec": {"selector": selector, **paused},
    }


def _definition(group: str, kind: str, scope: str, version: str, spec: Json) -> Json:
    plural = f"{kind.lower()}s"
    schema = {"type": "object", "properties": {"spec": spec, "status": {"type": "object"}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "names": {"kind": kind, "listKind": f"{kind}List", "plural": plural, "singular": kind.lower()},
            "scope": scope,
            "versions": [
                {"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}},
            ],
        },
    }
