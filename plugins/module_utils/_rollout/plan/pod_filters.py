# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which pods a drain removes, leaves alone or may not touch, decided for all before the first eviction.

The rules and their order are those of kubectl drain: k8s.io/kubectl, pkg/drain/filters.go.
"""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    MIRROR_POD,
    PART_OF,
    PART_OF_LABEL,
    REACH_NAMESPACE_PREFIX,
)

Pod = t.Mapping[str, t.Any]

REMOVE = "remove"
LEAVE = "leave"
REFUSE = "refuse"


@dataclass(frozen=True)
class DrainRules:
    """What the caller permits.

    ``force`` lets pods go that nothing will replace, ``delete_local_data`` those whose emptyDir goes with them.
    ``leave_terminating_after`` is how many seconds after its deletion a pod is no longer waited for, 0 for never.
    """

    force: bool = False
    delete_local_data: bool = False
    leave_terminating_after: int = 0


@dataclass(frozen=True)
class PodPlan:
    """What a drain does with one pod, and why if it is not simply removed."""

    namespace: str
    name: str
    uid: str
    action: str
    reason: str = ""

    @property
    def title(self) -> str:
        """``namespace/name``."""
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True)
class Surroundings:
    """What else the rules look at: the DaemonSets there are, by namespace and name, and two instants.

    ``listed_at`` is when the pods were listed. Pods created after ``cordoned_at``, the server's time, came although the
    node was cordoned and would come again; None where that time is not known.
    """

    daemon_sets: Collection[tuple[str, str]]
    listed_at: datetime
    cordoned_at: datetime | None = None


def plan_pods(pods: Sequence[Pod], rules: DrainRules, around: Surroundings) -> list[PodPlan]:
    """Return what is to happen with each pod of a node."""
    return [_plan(pod, rules, around) for pod in pods]


def is_finished(pod: Pod) -> bool:
    """Whether all containers of a pod have ended permanently."""
    return (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")


def controller_of(pod: Pod) -> Mapping[str, t.Any] | None:
    """Return the owner reference of the pod's controller."""
    owners = pod["metadata"].get("ownerReferences") or []
    return next((owner for owner in owners if owner.get("controller")), None)


def _plan(pod: Pod, rules: DrainRules, around: Surroundings) -> PodPlan:
    metadata = pod["metadata"]
    leaving = _why_left(pod, rules, around)
    objections = [] if leaving else _objections(pod, rules, around)
    action = LEAVE if leaving else REFUSE if objections else REMOVE
    reason = leaving or "; ".join(objections)
    return PodPlan(metadata["namespace"], metadata["name"], metadata["uid"], action, reason)


def _why_left(pod: Pod, rules: DrainRules, around: Surroundings) -> str:
    metadata = pod["metadata"]
    deleted = instant_of(metadata.get("deletionTimestamp") or "")
    limit = rules.leave_terminating_after
    if limit and deleted and (around.listed_at - deleted).total_seconds() > limit:
        return f"it has been terminating for more than {limit} s"
    if _is_daemon(pod) and not is_finished(pod) and _daemon_exists(pod, around):
        return "its DaemonSet would restart it"
    if MIRROR_POD in (metadata.get("annotations") or {}):
        return "it is a static pod of the node"
    if _is_way_in(metadata):
        return "this play reaches the node through it"
    created = instant_of(metadata.get("creationTimestamp") or "")
    if around.cordoned_at and created and created > around.cordoned_at and not deleted:
        return "it was scheduled after the cordon, which it tolerates"
    return ""


def _objections(pod: Pod, rules: DrainRules, around: Surroundings) -> list[str]:
    if is_finished(pod):
        return []
    found = []
    if _is_daemon(pod) and not _daemon_exists(pod, around) and not rules.force:
        found.append("its DaemonSet no longer exists, so nothing would replace it (force permits that)")
    if not rules.delete_local_data and any("emptyDir" in volume for volume in pod["spec"].get("volumes") or []):
        found.append("the data in its emptyDir would be lost (delete_emptydir_data permits that)")
    if controller_of(pod) is None and not rules.force:
        found.append("it has no controller, so nothing would replace it (force permits that)")
    return found


def _is_daemon(pod: Pod) -> bool:
    owner = controller_of(pod)
    return owner is not None and owner.get("kind") == "DaemonSet"


def _is_way_in(metadata: Mapping[str, t.Any]) -> bool:
    """Whether it is a helper pod: by label and by namespace, which only those make who may act on nodes anyway."""
    is_ours = (metadata.get("labels") or {}).get(PART_OF_LABEL) == PART_OF
    return is_ours and str(metadata["namespace"]).startswith(REACH_NAMESPACE_PREFIX)


def _daemon_exists(pod: Pod, around: Surroundings) -> bool:
    owner = controller_of(pod) or {}
    return (pod["metadata"]["namespace"], owner.get("name")) in around.daemon_sets
