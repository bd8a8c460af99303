# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A cluster whose nodes have no hosts but take pods: real scheduler, controllers and budgets, kwok for kubelets."""

from __future__ import annotations

import json
import time
import typing as t
from collections.abc import Callable

from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.control_plane import start_controller_manager, start_scheduler
from ansible_collections.fieldops.openshift.tests.lab.kwok import start_kwok, without_host
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed import nodes, workloads

IMAGE = "registry.lab.example/pause:1"
ANNOTATION = "fieldops-openshift/rollout"


class DrainSite:
    """The cluster, and what tests of drains do in it."""

    def __init__(self, server: ApiServer, workers: int) -> None:
        self.server = server
        self.rest = server.rest
        start_controller_manager(server)
        start_scheduler(server)
        start_kwok(server)
        self.rest.apply_all(without_host(nodes.node("worker", number)) for number in range(workers))
        self.wait_for(lambda: all(self._is_ready(f"worker-{number}") for number in range(workers)))

    def node(self, name: str) -> Json:
        """Return a Node object."""
        return self.rest.get(f"/api/v1/nodes/{name}")

    def record(self, name: str) -> dict[str, t.Any]:
        """Return what is written on a node, nothing where there is no annotation."""
        found: dict[str, t.Any] = json.loads(self.node(name)["metadata"]["annotations"].get(ANNOTATION, "{}"))
        return found

    def cordon(self, name: str, cordoned: bool) -> None:
        """Cordon a node as somebody else would, or take that back together with whatever was written on it."""
        annotations = {} if cordoned else {"annotations": {ANNOTATION: None}}
        self.rest.merge(f"/api/v1/nodes/{name}", {"metadata": annotations, "spec": {"unschedulable": cordoned or None}})

    def pods(self, namespace: str, node: str = "") -> list[Json]:
        """Return the pods of a namespace, or those of them that are on a node."""
        selector = {"fieldSelector": f"spec.nodeName={node}"} if node else {}
        found: list[Json] = self.rest.get(f"/api/v1/namespaces/{namespace}/pods", **selector)["items"]
        return found

    def deploy(self, name: str, namespace: str, replicas: int, **budget: int) -> None:
        """Run a Deployment, with a disruption budget if one is given, and wait until its pods are ready."""
        self.rest.apply(workloads.deployment(name, IMAGE, replicas=replicas, namespace=namespace))
        if budget:
            self.rest.apply(workloads.disruption_budget(name, namespace=namespace, **budget))
            path = f"/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets/{name}"
            self.wait_for(lambda: self.rest.get(path).get("status", {}).get("currentHealthy") == replicas)
        self.wait_for(lambda: len([pod for pod in self.pods(namespace) if _is_ready(pod)]) >= replicas)

    def place(self, pod: Json, node: str) -> None:
        """Put a pod on a node and wait until it runs there."""
        self.rest.apply({**pod, "spec": {**pod["spec"], "nodeName": node}})
        namespace, name = pod["metadata"]["namespace"], pod["metadata"]["name"]
        path = f"/api/v1/namespaces/{namespace}/pods/{name}"
        self.wait_for(lambda: self.rest.get(path)["status"].get("phase") == "Running")

    def remove(self, namespace: str) -> None:
        """Remove a namespace and wait until its pods are gone; what else is in it takes its controller five seconds."""
        for kind in ("deployments", "daemonsets", "replicasets"):
            self.rest.delete(f"/apis/apps/v1/namespaces/{namespace}/{kind}")
        for name in (pod["metadata"]["name"] for pod in self.pods(namespace) if "finalizers" in pod["metadata"]):
            self.rest.merge(f"/api/v1/namespaces/{namespace}/pods/{name}", {"metadata": {"finalizers": None}})
        self.rest.delete(f"/api/v1/namespaces/{namespace}/pods")
        self.wait_for(lambda: not self.pods(namespace))
        self.rest.delete(f"/api/v1/namespaces/{namespace}")

    def wait_for(self, condition: Callable[[], bool], seconds: float = 180.0) -> None:
        """Wait until ``condition`` holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, "it did not come true in time"
            time.sleep(0.2)

    def _is_ready(self, name: str) -> bool:
        return _is_ready(self.node(name))


def _is_ready(obj: Json) -> bool:
    conditions = {one["type"]: one["status"] for one in obj.get("status", {}).get("conditions", [])}
    return conditions.get("Ready") == "True"
