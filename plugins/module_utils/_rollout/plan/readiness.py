# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a node is back after its reboot: what is missing, as sentences."""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.baseline import own_pods, part_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState

Object = t.Mapping[str, t.Any]

_NAMED = 5


@dataclass(frozen=True)
class Before:
    """What was read of a node before its reboot; empty where no reboot must be proved.

    ``heartbeat`` is an instant of the node's own clock, so that no two clocks are compared. ``broken`` is what was
    broken already when the node was started, as ``broken_parts`` names it: it is not required afterwards.
    """

    boot_id: str = ""
    heartbeat: str = ""
    broken: Collection[str] = ()


@dataclass(frozen=True)
class Expected:
    """What the node must have now, as its machine-config daemon reports it; empty where that is not asked."""

    config: str = ""
    image: str = ""


def missing_of(
    node: Object, lease: Object | None, pods: Sequence[Object], before: Before, expected: Expected | None = None
) -> list[str]:
    """Return what keeps a node from being back, nothing once it is.

    ``lease`` is the node's own in kube-node-lease, ``pods`` are those on the node.
    """
    state = NodeState.of(node)
    missing = kubelet_missing(node, lease, before)
    if _is_before(state, before):
        return missing
    missing += [f"it has {name}" for name in state.pressures if name not in before.broken]
    if state.is_managed and not state.is_updated:
        missing.append(f"its machine-config daemon is {state.daemon_state or 'silent'}: {_daemon_words(state)}")
    return [*missing, *_other_than(state, expected or Expected()), *_pods_missing(pods, state.name, before)]


def kubelet_missing(node: Object, lease: Object | None, before: Before) -> list[str]:
    """Return what keeps the kubelet of a node from being back, whatever runs on the node."""
    state = NodeState.of(node)
    if before.boot_id and state.boot_id == before.boot_id:
        return ["its kubelet has reported no new boot: it has not rebooted, or its kubelet does not run"]
    if before.boot_id and not state.boot_id:
        return ["it has not reported a boot"]
    if not state.ready:
        return [f"it is not ready: {state.ready_reason}"]
    return [] if _is_fresh(heartbeat_of(node, lease), before) else ["it has not reported its state since its reboot"]


def _is_before(state: NodeState, before: Before) -> bool:
    """Whether all that the node says is still from the boot to end."""
    return bool(before.boot_id) and state.boot_id in ("", before.boot_id)


def _other_than(state: NodeState, expected: Expected) -> list[str]:
    wrong = []
    if expected.config and state.current_config != expected.config:
        wrong.append(f"it has configuration {state.current_config or 'none'} and requires {expected.config}")
    if expected.image and state.current_image != expected.image:
        wrong.append(f"it has image {state.current_image or 'none'} and requires {expected.image}")
    return wrong


def heartbeat_of(node: Object, lease: Object | None) -> str:
    """Return when the node reported last, by its own clock: its status or its lease, whichever is later."""
    conditions = (node.get("status") or {}).get("conditions") or []
    texts = [one.get("lastHeartbeatTime") or "" for one in conditions if one["type"] == "Ready"]
    texts.append(((lease or {}).get("spec") or {}).get("renewTime") or "")
    known = [(instant, text) for text in texts if (instant := instant_of(text)) is not None]
    return max(known)[1] if known else ""


def _is_fresh(heartbeat: str, before: Before) -> bool:
    old, new = instant_of(before.heartbeat), instant_of(heartbeat)
    return old is None or (new is not None and new > old)


def _daemon_words(state: NodeState) -> str:
    if state.daemon_reason:
        return state.daemon_reason
    return f"it has configuration {state.current_config or 'none'} and requires {state.desired_config or 'none'}"


def _pods_missing(pods: Sequence[Object], node: str, before: Before) -> list[str]:
    """Return a sentence on the node's own pods, those of DaemonSets and static ones, that do not serve yet."""
    own = [pod for pod in own_pods(pods) if part_of(pod, node) not in before.broken]
    waiting = [pod for pod in own if not _serves(pod, before)]
    if not waiting:
        return []
    names = sorted(f"{pod['metadata']['namespace']}/{pod['metadata']['name']}" for pod in waiting)
    return [f"{len(names)} of its {len(own)} daemon and static pods are not ready: {listed(names, _NAMED)}"]


def _serves(pod: Object, before: Before) -> bool:
    ready = conditions_of(pod).get("Ready")
    return ready is not None and ready.is_true and _started_since(pod, before)


def _started_since(pod: Object, before: Before) -> bool:
    """Whether its containers run since the reboot: until the kubelet has looked, a pod still says it is ready."""
    old = instant_of(before.heartbeat)
    if old is None:
        return True
    statuses = (pod.get("status") or {}).get("containerStatuses") or []
    started = [instant_of(((one.get("state") or {}).get("running") or {}).get("startedAt") or "") for one in statuses]
    return all(instant is not None and instant >= old.replace(microsecond=0) for instant in started)
