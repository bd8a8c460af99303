# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Helper pods: there when a node has to be reached, the same for all tasks of a run, and gone afterwards."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.manifests import (
    namespace_manifest,
    pod_manifest,
    pod_name,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.node_images import (
    DAEMON_LABELS,
    DAEMON_NAMESPACE,
    held_image,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.run_identity import (
    RunIdentity,
    expiry,
    holder_of,
    is_abandoned,
    is_of_pods,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    FieldOpsError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import PART_OF, PART_OF_LABEL
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NAMESPACE, NODE, POD

_LOOK_AGAIN = 0.2
_LASTING = (
    "ErrImageNeverPull",
    "InvalidImageName",
    "CreateContainerConfigError",
    "CreateContainerError",
    "RunContainerError",
)
"""Reasons of a waiting container that time does not cure. Source: kubelet, pkg/kubelet/{images,kuberuntime}."""


class EnsuredPod(t.NamedTuple):
    """A helper pod that runs: its UID, and whether it was created just now."""

    uid: str
    created: bool


class HelperPodError(FieldOpsError):
    """A node cannot be reached through a helper pod."""

    kind = "helper_pod"


class HelperPods:
    """The helper pods of one ``run``; each lives for at most ``lifetime`` seconds.

    ``image`` is one that the nodes hold; without it that of each node's own machine-config daemon is taken.
    Methods raise ApiError, and HelperPodError or NoHelperImageError where a pod cannot be had.
    """

    def __init__(
        self,
        client: ClusterClient,
        run: RunIdentity,
        *,
        lifetime: int,
        image: str = "",
        is_gone: Callable[[str], bool] = lambda _holder: False,
    ) -> None:
        """``is_gone`` is whether a holder, as ``RunIdentity.holder`` names it, is known to have ended."""
        self._client = client
        self.run = run
        self._lifetime = lifetime
        self._image = image
        self._is_gone = is_gone

    def ensure(self, nodes: Sequence[str], deadline: Deadline) -> dict[str, EnsuredPod]:
        """Ensure that the pod of each node runs, and return it.

        A pod is created at the beginning of a run and after a reboot of the node, whose kubelet may report with a delay
        that the earlier pod has ended.
        """
        made = {node: self._is_missing(node, deadline) for node in nodes}
        for node in (node for node, is_missing in made.items() if is_missing):
            self._make(node, deadline)
        return {node: self._await_running(node, deadline, made=made[node]) for node in nodes}

    def replace(self, node: str, uid: str, deadline: Deadline) -> EnsuredPod:
        """Remove the pod ``uid`` of the node, whatever its status is, and return the pod that runs in its place."""
        found = self._client.get(POD, pod_name(node), self.run.namespace)
        if found is not None and found["metadata"]["uid"] == uid:
            self._remove_pod(found, deadline)
        return self.ensure([node], deadline)[node]

    def remove(self, deadline: Deadline) -> bool:
        """Remove the run's namespace with all in it, wait until it is removed, and return whether there was one."""
        return self._remove_namespace(self.run.namespace, deadline)

    def remove_abandoned(self, deadline: Deadline) -> list[str]:
        """Remove the namespaces that earlier runs left behind and return their names."""
        selector, now = f"{PART_OF_LABEL}={PART_OF}", self._client.clock.utcnow()
        names = [
            str(found["metadata"]["name"])
            for found in self._client.list_objects(NAMESPACE, labels=selector)
            if is_abandoned(found, now) or (is_of_pods(found) and self._is_gone(holder_of(found)))
        ]
        return [name for name in names if name != self.run.namespace and self._remove_namespace(name, deadline)]

    def _daemons(self, node: str) -> list[dict[str, t.Any]]:
        fields = f"spec.nodeName={node}"
        return self._client.list_objects(POD, DAEMON_NAMESPACE, labels=DAEMON_LABELS, fields=fields)

    def _is_missing(self, node: str, deadline: Deadline) -> bool:
        found = self._client.get(POD, pod_name(node), self.run.namespace)
        if found is not None and not _is_usable(found):
            self._remove_pod(found, deadline)
            return True
        return found is None

    def _make(self, node: str, deadline: Deadline) -> None:
        self._ensure_namespace(deadline)
        if self._client.get(NODE, node) is None:
            raise _unreachable(node, "the cluster has no node of this name", "Use the name of the Node object.")
        image = self._image or held_image(self._daemons(node), node)
        self._create(pod_manifest(self.run, node, image, self._lifetime), deadline)

    def _ensure_namespace(self, deadline: Deadline) -> None:
        if self._client.get(NAMESPACE, self.run.namespace) is not None:
            return
        self.remove_abandoned(deadline)
        expires = expiry(self._client.clock.utcnow(), self._lifetime)
        answer = self._client.attempt(_creation(namespace_manifest(self.run, expires)))
        if not answer.ok and answer.reason != "AlreadyExists":
            raise ApiError(Call("create", NAMESPACE, self.run.namespace), answer, server=self._client.access.server)

    def _create(self, manifest: Mapping[str, t.Any], deadline: Deadline) -> None:
        """Create the pod; a namespace just made has no service account yet, without which no pod is admitted."""
        call = _creation(manifest)
        while True:
            answer = self._client.attempt(call)
            if answer.ok or answer.reason == "AlreadyExists":
                return
            is_early = answer.status == 403 and "serviceaccount" in answer.message.lower()
            if not (is_early or answer.transient) or deadline.expired:
                raise ApiError(call, answer, server=self._client.access.server)
            deadline.pause(_LOOK_AGAIN)

    def _await_running(self, node: str, deadline: Deadline, *, made: bool) -> EnsuredPod:
        """Wait for the pod, in whose place another is made once if it ends and was not ``made`` just now."""
        while True:
            found = self._client.get(POD, pod_name(node), self.run.namespace)
            if found is not None and _is_usable(found) and _is_running(found):
                return EnsuredPod(str(found["metadata"]["uid"]), made)
            seen = "it was removed" if found is None else _standing(found)
            if found is None or _has_failed(found):
                if made or not self._is_missing(node, deadline):
                    raise _unreachable(
                        node,
                        seen,
                        "Check the events of the pod, and set the option image to an image that the node holds.",
                    )
                self._make(node, deadline)
                made = True
            if deadline.expired:
                raise DeadlineExceededError(
                    "start the helper pod",
                    on=f"Node {node}",
                    seen=f"after {deadline.seconds:.0f} s: {seen}",
                    advice="Check that the node is ready and that its kubelet runs.",
                )
            deadline.pause(_LOOK_AGAIN)

    def _remove_pod(self, found: Mapping[str, t.Any], deadline: Deadline) -> None:
        name, uid = found["metadata"]["name"], found["metadata"]["uid"]
        # The kubelet of a node that reboots does not confirm the end of its pods; nothing of this one is of value.
        self._client.delete(POD, name, self.run.namespace, uid=uid, grace_period=0)
        while True:
            now = self._client.get(POD, name, self.run.namespace)
            if now is None or now["metadata"]["uid"] != uid:
                return
            deadline.require(
                "remove the ended helper pod",
                on=f"Pod {name}",
                seen="it is still there",
                advice="Check its finalizers.",
            )
            deadline.pause(_LOOK_AGAIN)

    def _remove_namespace(self, name: str, deadline: Deadline) -> bool:
        if self._client.get(NAMESPACE, name) is None:
            return False
        for pod in self._client.list_objects(POD, name):
            self._client.delete(POD, pod["metadata"]["name"], name, uid=pod["metadata"]["uid"], grace_period=1)
        self._client.delete(NAMESPACE, name)
        while self._client.get(NAMESPACE, name) is not None:
            deadline.require(
                "remove the namespace of the helper pods",
                on=f"Namespace {name}",
                seen="it is still there",
                advice="Check its conditions with 'oc describe namespace'.",
            )
            deadline.pause(_LOOK_AGAIN)
        return True


def _creation(manifest: Mapping[str, t.Any]) -> Call:
    kind = {"Namespace": NAMESPACE, "Pod": POD}[manifest["kind"]]
    metadata = manifest["metadata"]
    return Call("create", kind, metadata["name"], metadata.get("namespace"), body=dict(manifest))


def _is_usable(pod: Mapping[str, t.Any]) -> bool:
    phase = (pod.get("status") or {}).get("phase")
    return "deletionTimestamp" not in pod["metadata"] and phase not in ("Succeeded", "Failed")


def _is_running(pod: Mapping[str, t.Any]) -> bool:
    return any("running" in (status.get("state") or {}) for status in _statuses(pod))


def _has_failed(pod: Mapping[str, t.Any]) -> bool:
    return not _is_usable(pod) or any(_waiting(status).get("reason") in _LASTING for status in _statuses(pod))


def _statuses(pod: Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    return (pod.get("status") or {}).get("containerStatuses") or []


def _waiting(status: Mapping[str, t.Any]) -> dict[str, t.Any]:
    return (status.get("state") or {}).get("waiting") or {}


def _standing(pod: Mapping[str, t.Any]) -> str:
    reasons = [_waiting(status) for status in _statuses(pod)]
    words = [f"{each.get('reason')}: {each.get('message', '')}".rstrip(": ") for each in reasons if each]
    phase = str((pod.get("status") or {}).get("phase", "Unknown"))
    return "; ".join(words) or f"the pod is {phase}"


def _unreachable(node: str, seen: str, advice: str) -> HelperPodError:
    return HelperPodError("reach the node through a helper pod", on=f"Node {node}", seen=seen, advice=advice)
