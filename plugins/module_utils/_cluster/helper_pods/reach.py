# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the modules of helper pods do: make them for nodes, show them, remove them."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.manifests import pod_name
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.node_session import NodeSession
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.pods import HelperPods
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.run_identity import (
    EXPIRES,
    RUN_LABEL,
    RunIdentity,
    is_abandoned,
    is_of_pods,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import PART_OF, PART_OF_LABEL
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NAMESPACE, POD
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

_FIND_PYTHON = "command -v python3 || command -v /usr/libexec/platform-python"
_COMMAND_SECONDS = 30.0


def _result(changed: bool, run: RunIdentity, *, present: bool, nodes: Sequence[Mapping[str, t.Any]] = ()) -> Result:
    """Return each node with its pod and the path of the Python on its host, empty for none."""
    there, gone = {"namespace": run.namespace}, {"namespace": None}
    diff = {"before": gone if present else there, "after": there if present else gone} if changed else None
    warnings = [
        f"Node {node['node']} has no Python on its host: only commands and files work there, not modules."
        for node in nodes
        if not node["python"]
    ]
    return Result(changed, {"namespace": run.namespace, "nodes": list(nodes)}, diff=diff, warnings=warnings)


def ensure_helper_pods(client: ClusterClient, params: Mapping[str, t.Any]) -> Result:
    """Bring the helper pods of a run into ``state``. In check mode the server tries what it can, and nothing is run."""
    run = RunIdentity(params["run"])
    pods = HelperPods(client, run, lifetime=params["lifetime"], image=params["image"])
    deadline = Deadline(params["wait_timeout"], client.clock)
    if client.dry_run:
        return _result(_would_change(client, run, params), run, present=params["state"] == "present")
    if params["state"] == "absent":
        left = pods.remove_abandoned(deadline)
        return _result(pods.remove(deadline) or bool(left), run, present=False)
    ensured = pods.ensure(params["nodes"], deadline)
    nodes = tuple(
        {"node": node, "pod": pod_name(node), "python": _python_of(client, pods, node)} for node in params["nodes"]
    )
    return _result(any(pod.created for pod in ensured.values()), run, present=True, nodes=nodes)


def list_helper_pods(client: ClusterClient) -> list[dict[str, t.Any]]:
    """Return every run that has a namespace of helper pods in the cluster, with its pods."""
    found = client.list_objects(NAMESPACE, labels=f"{PART_OF_LABEL}={PART_OF}")
    return [_run_document(client, namespace) for namespace in found if is_of_pods(namespace)]


def _run_document(client: ClusterClient, namespace: Mapping[str, t.Any]) -> dict[str, t.Any]:
    metadata = namespace["metadata"]
    pods = client.list_objects(POD, metadata["name"])
    return {
        "namespace": metadata["name"],
        "run": (metadata.get("labels") or {}).get(RUN_LABEL, ""),
        "expires": (metadata.get("annotations") or {}).get(EXPIRES, ""),
        "abandoned": is_abandoned(namespace, client.clock.utcnow()),
        "pods": [
            {
                "node": pod["spec"].get("nodeName", ""),
                "pod": pod["metadata"]["name"],
                "phase": (pod.get("status") or {}).get("phase", ""),
            }
            for pod in pods
        ],
    }


def _would_change(client: ClusterClient, run: RunIdentity, params: Mapping[str, t.Any]) -> bool:
    if params["state"] == "absent":
        return client.get(NAMESPACE, run.namespace) is not None
    there = {pod["metadata"]["name"] for pod in client.list_objects(POD, run.namespace)}
    return not {pod_name(node) for node in params["nodes"]} <= there


def _python_of(client: ClusterClient, pods: HelperPods, node: str) -> str:
    session = NodeSession(client, pods, node, in_host=True)
    deadline = Deadline(_COMMAND_SECONDS, client.clock)
    session.open(deadline)
    _status, stdout, _stderr = session.run(_FIND_PYTHON, None, deadline)
    return stdout.decode("utf-8", "replace").strip()
