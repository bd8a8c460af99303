# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The node that the cluster-version-operator runs on, for its two workloads where there are no hosts.

Copies Kubernetes' Deployment controller and kubelet as far as the operator meets them: strategy Recreate
(pkg/controller/deployment/recreate.go: the old pod ends before the new one begins) with its status, and the version
pod (cluster-version-operator, pkg/cvo/updatepayload.go), which copies the payload of its image into a folder of the
node; an image out of reach leaves it Pending (pkg/kubelet/images: ErrImagePull). Not copied: activeDeadlineSeconds, the
operator itself gives up after four minutes; restarts of a container that ends by itself, which is an error here.
"""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Mapping, Sequence

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor, with_condition
from ansible_collections.fieldops.openshift.tests.lab.registry.version_operator_payload import NAME, NAMESPACE
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

DEPLOYMENTS = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments"
DEPLOYMENT = f"{DEPLOYMENTS}/{NAME}"
PODS = f"/api/v1/namespaces/{NAMESPACE}/pods"
NODE_NAME = "master-0"
COUNTS = ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")


class Container(t.Protocol):
    """The operator's container and its node's disk."""

    def start(self, image: str, arguments: Sequence[str], environment: Mapping[str, str]) -> None: ...

    def stop(self) -> None: ...

    def require_running(self) -> None: ...

    def extract(self, image: str, directory: str) -> None: ...


class VersionOperatorNode(Actor):
    """Runs the Deployment in ``container``, and version pods of the images that it has ``reached``."""

    watched = (DEPLOYMENTS, PODS)

    def __init__(self, client: RestClient, container: Container, reached: Collection[str]) -> None:
        super().__init__(client)
        self._container = container
        self._reached = reached
        self._running: Json = {}

    def step(self) -> None:
        """Run what is to be run."""
        self._container.require_running()
        self._run_deployment(self.client.get(DEPLOYMENT))
        for pod in self.client.get(PODS)["items"]:
            self._run_version_pod(pod)

    def _run_deployment(self, deployment: Json) -> None:
        template = deployment["spec"]["template"]["spec"]["containers"][0]
        if template != self._running:
            self._container.stop()
            self._container.start(template["image"], template["args"], _environment(template))
            self._running = template
        generation = deployment["metadata"]["generation"]
        if deployment.get("status", {}).get("observedGeneration") != generation:
            conditions = with_condition([], "Available", True, "MinimumReplicasAvailable")
            conditions = with_condition(conditions, "Progressing", True, "NewReplicaSetAvailable")
            status = {"observedGeneration": generation, **dict.fromkeys(COUNTS, 1), "conditions": conditions}
            self.client.merge(f"{DEPLOYMENT}/status", {"status": status})

    def _run_version_pod(self, pod: Json) -> None:
        path = f"{PODS}/{pod['metadata']['name']}"
        container = pod["spec"]["containers"][0]
        if "deletionTimestamp" in pod["metadata"]:
            self.client.delete(path, gracePeriodSeconds="0")
        elif pod["status"]["phase"] != "Pending" or "initContainerStatuses" in pod["status"]:
            return
        elif container["image"] in self._reached:
            self._container.extract(container["image"], container["command"][-1])
            self.client.merge(f"{path}/status", {"status": {"phase": "Succeeded"}})
        else:
            statuses = [_waiting(one) for one in pod["spec"]["initContainers"]]
            self.client.merge(f"{path}/status", {"status": {"initContainerStatuses": statuses}})


def _environment(container: Json) -> dict[str, str]:
    """Return the variables of a container; the only one that is a reference is the name of the node."""
    return {one["name"]: one.get("value", NODE_NAME) for one in container["env"]}


def _waiting(container: Json) -> Json:
    """Return the status of a container whose image no registry can be asked for."""
    image = container["image"]
    host = image.partition("/")[0]
    said = (
        f"initializing source docker://{image}: pinging container registry {host}: "
        f'Get "https://{host}/v2/": dial tcp: connect: no route to host'
    )
    state = {"waiting": {"reason": "ErrImagePull", "message": said}}
    named = {"name": container["name"], "image": image, "imageID": ""}
    return {**named, "ready": False, "restartCount": 0, "state": state}
