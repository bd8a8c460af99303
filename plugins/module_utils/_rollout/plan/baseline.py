# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What was broken on a node before it started, so that it does not count against the node afterwards."""

from __future__ import annotations

import typing as t
from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pod_filters import (
    controller_of,
    is_finished,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import MIRROR_POD

Object = t.Mapping[str, t.Any]

BROKEN_AFTER_SECONDS = 300
"""A pod that has not been ready for a shorter time may only be starting: the node has to prove that it came up."""

MOST_PARTS = 40
"""How many parts the record of a node keeps. On a node with more of them the others do count afterwards."""

_CRASHING = "CrashLoopBackOff"


def broken_parts(node: Object, heartbeat: str, pods: Sequence[Object]) -> tuple[str, ...]:
    """Return the conditions of a node, and those of its own ``pods``, that are broken for some time already.

    ``heartbeat`` is when the node reported last, by its own clock, which also stamps what its pods report. A node
    that is not ready has no baseline: all of its pods count as not ready then.
    """
    state = NodeState.of(node)
    if not state.ready:
        return ()
    pods_broken = {part_of(pod, state.name) for pod in own_pods(pods) if _is_broken(pod, heartbeat)}
    return (*state.pressures, *sorted(pods_broken))[:MOST_PARTS]


def own_pods(pods: Sequence[Object]) -> list[Object]:
    """Return those of ``pods`` that belong to their node: of DaemonSets, and static ones."""
    return [pod for pod in pods if _belongs_to_node(pod) and not is_finished(pod)]


def part_of(pod: Object, node: str) -> str:
    """Return what stays of a pod of ``node`` when it is replaced: its DaemonSet, or the name of a static pod.

    The kubelet appends the name of the node to that of a static pod: pkg/kubelet/config/common.go,
    generatePodName.
    """
    namespace, name = pod["metadata"]["namespace"], pod["metadata"]["name"]
    owner = controller_of(pod) or {}
    if owner.get("kind") == "DaemonSet":
        return f"DaemonSet {namespace}/{owner['name']}"
    suffix = f"-{node}"
    return f"static pod {namespace}/{name.removesuffix(suffix)}"


def _belongs_to_node(pod: Object) -> bool:
    owner = controller_of(pod) or {}
    is_static = MIRROR_POD in (pod["metadata"].get("annotations") or {})
    return not pod["metadata"].get("deletionTimestamp") and (owner.get("kind") == "DaemonSet" or is_static)


def _is_broken(pod: Object, heartbeat: str) -> bool:
    ready = conditions_of(pod).get("Ready")
    if ready is not None and ready.is_true:
        return False
    if _crashes(pod):
        return True
    since = instant_of((ready.last_transition if ready else "") or pod["metadata"].get("creationTimestamp") or "")
    now = instant_of(heartbeat)
    return since is not None and now is not None and (now - since).total_seconds() >= BROKEN_AFTER_SECONDS


def _crashes(pod: Object) -> bool:
    """Whether a container has ended so often that the kubelet waits: it is ready for moments in between."""
    statuses = (pod.get("status") or {}).get("containerStatuses") or []
    return any(((one.get("state") or {}).get("waiting") or {}).get("reason") == _CRASHING for one in statuses)
