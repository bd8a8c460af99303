# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Workloads as a drain meets them: budgets, guards, daemons, local data, finalizers, static pods."""

from __future__ import annotations

import time
import typing as t
from collections.abc import Iterable, Mapping, Sequence

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

ETCD_NAMESPACE = "openshift-etcd"
PLANT_SECONDS = 30.0
FINALIZER = "lab.fieldops.example/hold"


def namespace(name: str) -> Json:
    """Return a namespace."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}


def deployment(name: str, image: str, *, replicas: int = 2, namespace: str = "default") -> Json:
    """Return a Deployment of pods that sleep and end as soon as they are asked to."""
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"replicas": replicas, **_pods(name, image)},
    }


def daemon_set(name: str, image: str, *, namespace: str = "default") -> Json:
    """Return a DaemonSet that runs on every node, whatever its taints."""
    pods = _pods(name, image)
    pods["template"]["spec"]["tolerations"] = [{"operator": "Exists"}]
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": metadata, "spec": pods}


def disruption_budget(name: str, *, namespace: str = "default", **limit: int) -> Json:
    """Return a PodDisruptionBudget over the pods of ``name``; ``limit`` is maxUnavailable or minAvailable."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"selector": {"matchLabels": {"app": name}}, **limit},
    }


def pod(name: str, image: str, *, namespace: str = "default", node: str = "", app: str = "") -> Json:
    """Return a pod without a controller, labelled ``app``; on ``node``, if one is named, past the scheduler."""
    spec = _pod_spec(image)
    if node:
        spec = {**spec, "nodeName": node, "tolerations": [{"operator": "Exists"}]}
    metadata = {"name": name, "namespace": namespace, "labels": {"app": app or name}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def with_local_data(pod: Json) -> Json:
    """Return the pod with an emptyDir, whose content a drain destroys."""
    container = {**pod["spec"]["containers"][0], "volumeMounts": [{"name": "scratch", "mountPath": "/scratch"}]}
    spec = {**pod["spec"], "containers": [container], "volumes": [{"name": "scratch", "emptyDir": {}}]}
    return {**pod, "spec": spec}


def with_finalizer(pod: Json) -> Json:
    """Return the pod with a finalizer that nobody removes: it stays Terminating."""
    return {**pod, "metadata": {**pod["metadata"], "finalizers": [FINALIZER]}}


def etcd_guard(node: str, image: str) -> Json:
    """Return the guard pod of a control-plane node; it can run there and nowhere else.

    Source: library-go, pkg/operator/staticpod/controller/guard. Not copied: its readiness probe, which asks etcd.
    """
    guard = pod(f"etcd-guard-{node}", image, namespace=ETCD_NAMESPACE, app="guard")
    wanted = {"key": "kubernetes.io/hostname", "operator": "In", "values": [node]}
    here = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [wanted]}]}}
    keys = {"node-role.kubernetes.io/master": "NoSchedule", "node.kubernetes.io/not-ready": "NoExecute"}
    keys["node.kubernetes.io/unreachable"] = "NoExecute"
    spec = {
        **guard["spec"],
        "affinity": {"nodeAffinity": here},
        "priorityClassName": "system-cluster-critical",
        "terminationGracePeriodSeconds": 3,
        "tolerations": [{"key": key, "effect": effect, "operator": "Exists"} for key, effect in keys.items()],
    }
    return {**guard, "spec": spec}


def etcd_guards(nodes: Sequence[str], image: str) -> list[Json]:
    """Return the guard pods by which a drain of a control-plane node waits for etcd's quorum, and their budget.

    A single-node cluster has none, as upstream.
    """
    budget = disruption_budget("guard", namespace=ETCD_NAMESPACE, minAvailable=len(nodes) - 1)
    budget["metadata"]["name"] = "etcd-guard-pdb"
    guards = [etcd_guard(node, image) for node in nodes]
    return [namespace(ETCD_NAMESPACE), *([*guards, budget] if len(nodes) > 1 else [])]


def everyday(control_plane: Sequence[str], image: str) -> list[Json]:
    """Return what drains cope with on every cluster: guards, a DaemonSet, a Deployment with a budget, local data."""
    web = [deployment("web", image), disruption_budget("web", maxUnavailable=1)]
    return [*etcd_guards(control_plane, image), daemon_set("agent", image), *web, with_local_data(pod("cache", image))]


def plant(client: RestClient, objects: Iterable[Json]) -> None:
    """Apply namespaces, then everything else, as soon as the controllers have made pods possible in there."""
    planted = [*objects]
    spaces = [one for one in planted if one["kind"] == "Namespace"]
    client.apply_all(spaces)
    deadline = time.monotonic() + PLANT_SECONDS
    for one in spaces:
        while not client.exists(f"/api/v1/namespaces/{one['metadata']['name']}/serviceaccounts/default"):
            if time.monotonic() > deadline:
                advice = "Is there a controller manager?"
                raise LabError("wait for a service account", on=one["metadata"]["name"], seen="none", advice=advice)
            time.sleep(0.2)
    client.apply_all(one for one in planted if one not in spaces)


def static_pod(name: str, image: str, *, namespace: str = "openshift-etcd") -> Json:
    """Return what a file in a kubelet's manifest directory holds; the API shows it as a mirror pod ``NAME-NODE``."""
    one = pod(name, image, namespace=namespace)
    return {**one, "spec": {**one["spec"], "hostNetwork": True, "priorityClassName": "system-node-critical"}}


def _pods(name: str, image: str) -> dict[str, t.Any]:
    labels: Mapping[str, str] = {"app": name}
    template = {"metadata": {"labels": labels}, "spec": _pod_spec(image)}
    return {"selector": {"matchLabels": labels}, "template": template}


def _pod_spec(image: str) -> Json:
    script = "trap 'exit 0' TERM; while true; do sleep 1000 & wait $!; done"
    container = {"name": "main", "image": image, "command": ["/bin/sh", "-c", script]}
    return {"containers": [container], "terminationGracePeriodSeconds": 5}
