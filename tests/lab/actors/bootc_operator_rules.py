# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What bootc-operator and its daemons make of what they see.

Copies bootc-operator, ``internal/controller/rollout.go`` (classifyNode, buildRolloutState, resolveMaxUnavailable,
selectDrainCandidates, findUnhealthySlots), ``status.go`` (syncPoolStatus, syncUpToDateCondition, rolloutBreakdown),
``bootcnodepool_controller.go`` (parseImageRef, resolveTargetDigest), ``internal/daemon/reconciler.go`` (classifyAction)
and ``internal/image`` (InfoMatchesDigest), as they are from pull requests 159 and 167 on.
``tests/integration/lab/test_bootc_operator_conformance.py`` holds it to what upstream's own tests expect of them.
"""

from __future__ import annotations

import math
import re
import typing as t
from collections.abc import Collection, Iterable, Mapping, Sequence

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json

SLOT = "bootc.dev/in-reboot-slot"
STATES = ("UpToDate", "Pending", "Staging", "Staged", "Rebooting", "Degraded")
UP_TO_DATE, PENDING, STAGING, STAGED, REBOOTING, DEGRADED = STATES
UNHEALTHY_SLOTS_THAT_HALT = 2
_REFERENCE = re.compile(r"[a-z0-9.-]+(\.[a-z0-9-]+|:[0-9]+|localhost)/[a-z0-9._/-]+(:[\w.-]+)?(@sha256:[0-9a-f]{64})?")


class InvalidSpecError(Exception):
    """A pool that the operator stops at; the message is that of its condition."""


def target_of(pool: Json) -> tuple[str, str]:
    """Return the image without tag and the digest that a pool asks for; of tags none is looked up."""
    ref = pool["spec"]["image"]["ref"]
    if not _REFERENCE.fullmatch(ref):
        raise InvalidSpecError(f'invalid image ref "{ref}": repository name must be canonical')
    name, _, digest = ref.partition("@")
    if not digest:
        raise InvalidSpecError(f'image ref "{ref}" has no digest')
    host, _, path = name.partition("/")
    return f"{host}/{path.partition(':')[0]}", digest


def is_image(info: Mapping[str, t.Any] | None, digest: str) -> bool:
    """Whether a deployment has an image: by its own digest or by that of the list in its name."""
    return info is not None and digest in (info["imageDigest"], info["image"].partition("@")[2])


def condition(status: Mapping[str, t.Any], kind: str) -> Mapping[str, t.Any]:
    """Return a condition, empty where there is none."""
    return next((one for one in status.get("conditions") or () if one["type"] == kind), {})


def state_of(node: Json) -> str:
    """Return where the controller takes a BootcNode to be; of its conditions no generation is asked."""
    status = node.get("status") or {}
    if condition(status, "Degraded").get("status") == "True":
        return DEGRADED
    if not status.get("booted"):
        return PENDING
    if is_image(status["booted"], node["spec"]["desiredImage"].partition("@")[2]):
        return UP_TO_DATE
    idle = condition(status, "Idle")
    is_known = idle.get("status") == "False" and idle.get("reason") in (STAGING, STAGED, REBOOTING)
    return str(idle["reason"]) if is_known else PENDING


def sorted_by_state(nodes: Iterable[Json], late: Collection[str] = ()) -> dict[str, list[Json]]:
    """Return the nodes of a pool by state; those that are ``late`` in coming back count as degraded."""
    found: dict[str, list[Json]] = {state: [] for state in STATES}
    for node in sorted(nodes, key=lambda one: str(one["metadata"]["name"])):
        state = state_of(node)
        is_late = state == REBOOTING and node["metadata"]["name"] in late
        found[DEGRADED if is_late else state].append(node)
    return found


def is_in_slot(node: Json) -> bool:
    """Whether the operator has begun a node and not let it go."""
    return SLOT in (node["metadata"].get("annotations") or {})


def most_unavailable(rollout: Mapping[str, t.Any], nodes: int) -> int:
    """Return how many nodes may be away at a time: one unless said otherwise, none while the pool is paused."""
    if rollout.get("paused"):
        return 0
    wanted = rollout.get("maxUnavailable", 1)
    if isinstance(wanted, int):
        return wanted
    percent = re.fullmatch(r"(\d+)%", wanted)
    if not percent:
        raise InvalidSpecError(f'invalid maxUnavailable "{wanted}"')
    return math.ceil(int(percent[1]) * nodes / 100)


def next_nodes(staged: Sequence[Json], slots: int) -> list[Json]:
    """Return the staged nodes to drain: those that were begun, then others by name for as many slots as are free."""
    by_name = sorted(staged, key=lambda node: str(node["metadata"]["name"]))
    begun = [node for node in by_name if is_in_slot(node)]
    return begun + [node for node in by_name if not is_in_slot(node)][:slots]


def unhealthy_slots(nodes: Mapping[str, Sequence[Json]], digest: str, late: Collection[str] = ()) -> list[str]:
    """Return what is wrong in slots: a node that complains of the new image, is late, or has it and is not ready."""
    slots = [node for node in nodes[DEGRADED] if is_in_slot(node)]
    booted = [(node, (node.get("status") or {}).get("booted")) for node in slots]
    degraded = [
        f"{node['metadata']['name']}: Degraded"
        for node, image in booted
        if not image or is_image(image, digest) or node["metadata"]["name"] in late
    ]
    unready = [f"{node['metadata']['name']}: NotReady" for node in nodes[UP_TO_DATE] if is_in_slot(node)]
    return sorted([*degraded, *unready])


def pool_status(pool: Json, nodes: Mapping[str, Sequence[Json]], digest: str) -> Json:
    """Return what the operator writes of a pool beside its condition Degraded."""
    count = {state: len(found) for state, found in nodes.items()}
    total, updated = sum(count.values()), count[UP_TO_DATE]
    before = (pool.get("status") or {}).get("deployedDigest", "")
    deployed = digest if total == updated else before
    is_paused = (pool["spec"].get("rollout") or {}).get("paused")
    reason = "AllUpdated" if total == updated else "Paused" if is_paused else "RolloutInProgress"
    parts = ", ".join(f"{count[state]} {state.lower()}" for state in STATES[1:])
    return {
        "observedGeneration": pool["metadata"].get("generation", 0),
        "targetDigest": digest,
        "deployedDigest": deployed,
        "updateAvailable": digest != deployed,
        "nodeCount": total,
        "updatedCount": updated,
        "updatingCount": total - updated - count[DEGRADED],
        "degradedCount": count[DEGRADED],
        "up_to_date": (total == updated, reason, "" if total == updated else f"{updated}/{total} updated; {parts}"),
    }


def daemon_action(node: Json) -> str:
    """Return what the daemon of a node does next: stage, await its boot, boot, or nothing."""
    digest = node["spec"]["desiredImage"].partition("@")[2]
    status = node.get("status") or {}
    if is_image(status.get("booted"), digest):
        return "idle"
    if not is_image(status.get("staged"), digest):
        return "stage"
    return "boot" if node["spec"]["desiredImageState"] == "Booted" else "await"
