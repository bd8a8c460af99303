# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The change of a node to another rendered configuration, which its machine-config daemon applies by itself."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import ConfigRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import is_cordoned
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_pause import is_paused
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    DESIRED_CONFIG,
    DESIRED_IMAGE,
)

# Both are the machine-config operator's, pkg/daemon/constants/constants.go.
DESIRED_DRAIN = "machineconfiguration.openshift.io/desiredDrain"
APPLIED_DRAIN = "machineconfiguration.openshift.io/lastAppliedDrain"

BROKEN = ("Degraded", "Unreconcilable")
"""States in which a machine-config daemon does not go on."""


@dataclass(frozen=True)
class ConfigTarget:
    """What a node must have: a rendered configuration, and in image mode the image that was built for its pool."""

    config: str
    image: str = ""

    def is_reached_by(self, state: NodeState) -> bool:
        """Whether the daemon has brought a node there and is done."""
        return state.is_updated and state.current_config == self.config and state.current_image == self.image

    def is_assigned_to(self, state: NodeState) -> bool:
        """Whether the configuration is assigned."""
        return state.desired_config == self.config and state.desired_image == self.image


def heading(state: NodeState, wanted: ConfigTarget) -> ConfigTarget:
    """Return the target of a node: what is assigned to it until it has that, and then ``wanted``.

    A pool may be rendered again at any time, and a daemon at work takes no other target before it is done.
    """
    if state.is_managed and not state.is_updated:
        return ConfigTarget(state.desired_config, state.desired_image)
    return wanted


def assignment(
    node: Mapping[str, t.Any], pool: Mapping[str, t.Any], target: ConfigTarget
) -> Mapping[str, t.Any] | None:
    """Return the merge patch that assigns ``target`` to a node, None where it is assigned.

    Source: machine-config-operator, pkg/controller/node/node_controller.go, updateCandidateNode, which does this for
    pools that are not paused. Raise ConfigRefusedError where others decide, or the daemon does something else.
    """
    state = NodeState.of(node)
    if target.is_assigned_to(state):
        return None
    if not state.is_managed:
        raise _refused(
            state, "it is not managed by a machine-config daemon", "Update it without the machine-config operator."
        )
    if not is_paused(pool):
        name = pool["metadata"]["name"]
        seen = f"its pool {name} is open, so that the machine-config operator chooses the nodes itself"
        raise _refused(state, seen, f"Pause pool {name} first.")
    if not state.is_updated:
        seen = f"its daemon is {state.daemon_state or 'silent'} while it applies {state.desired_config}"
        raise _refused(state, seen, "Wait until it ends, or fix the cause, first.")
    notes = {DESIRED_CONFIG: target.config, DESIRED_IMAGE: target.image or None}
    return {"metadata": {"annotations": notes}}


def restored_cordon(node: Mapping[str, t.Any], target: ConfigTarget) -> Mapping[str, t.Any] | None:
    """Return the patch that puts back a cordon which was there before ours and which the daemon has taken away.

    The daemon uncordons a node at the end, even if others had cordoned it. Before that nothing is put back: then
    it was a person who took the cordon away.
    """
    record = NodeRecord.of(node)
    if record is None or not record.is_under_way or not record.found_unschedulable or is_cordoned(node):
        return None
    notes = node["metadata"].get("annotations") or {}
    if notes.get(APPLIED_DRAIN) != f"uncordon-{target.config}":
        return None
    return {"spec": {"unschedulable": True}}


def seconds_away(node: Mapping[str, t.Any], target: ConfigTarget, now: datetime) -> float:
    """Return for how long a node that changes to ``target`` has not been ready, ``now`` by the cluster's clock."""
    ready = conditions_of(node).get("Ready")
    since = instant_of(ready.last_transition) if ready and not ready.is_true else None
    if since is None or not target.is_assigned_to(NodeState.of(node)):
        return 0.0
    return (now - since).total_seconds()


def config_sentence(node: Mapping[str, t.Any], target: ConfigTarget) -> str:
    """Say how far the daemon of a node has come."""
    state = NodeState.of(node)
    if target.is_reached_by(state):
        return f"{state.name} has {target.config}"
    if not target.is_assigned_to(state):
        return f"{state.name} has {state.current_config} and requires {target.config}"
    if state.daemon_state in BROKEN:
        return f"{state.name}: its daemon is {state.daemon_state}: {state.daemon_reason or 'it reports no reason'}"
    return f"{state.name} is changing to {target.config}: {_phase(node, state, target)}"


def _phase(node: Mapping[str, t.Any], state: NodeState, target: ConfigTarget) -> str:
    notes = node["metadata"].get("annotations") or {}
    wanted, applied = notes.get(DESIRED_DRAIN, ""), notes.get(APPLIED_DRAIN, "")
    if not state.ready:
        return f"it is not ready: {state.ready_reason}"
    if wanted == f"uncordon-{target.config}":
        return "the daemon requests its uncordon" if applied != wanted else "the daemon is about to finish"
    if wanted == f"drain-{target.config}":
        return "the daemon is waiting for the drain" if applied != wanted else "the daemon is applying it"
    return f"the daemon is {state.daemon_state or 'silent'}"


def _refused(state: NodeState, seen: str, advice: str) -> ConfigRefusedError:
    return ConfigRefusedError("assign a configuration to the node", on=f"Node {state.name}", seen=seen, advice=advice)
