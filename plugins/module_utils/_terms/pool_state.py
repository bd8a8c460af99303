# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a MachineConfigPool object says about the nodes of a pool."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import Condition, conditions_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pause_record import REQUIRED_LABEL, PauseRecord


@dataclass(frozen=True)
class PoolState:
    """A pool at the moment its object was read; ``degraded_reason`` is empty unless it is degraded.

    ``updated_since`` is when its last node was updated, empty while one is not. ``required`` are pools without which no
    update ends. ``held_by`` is the rollout that keeps the pool paused, empty where none does.

    Source: openshift/api, machineconfiguration/v1/types.go, MachineConfigPoolStatus.
    """

    name: str
    paused: bool
    updated: bool
    updating: bool
    degraded: bool
    degraded_reason: str
    machines: int
    updated_machines: int
    ready_machines: int
    unavailable_machines: int
    degraded_machines: int
    current_config: str
    desired_config: str
    updated_since: str = ""
    required: bool = False
    held_by: str = ""

    @classmethod
    def of(cls, pool: Mapping[str, t.Any]) -> PoolState:
        """Return the state of a MachineConfigPool object; a pool without status is neither updated nor degraded."""
        spec = pool.get("spec") or {}
        status = pool.get("status") or {}
        conditions = conditions_of(pool)
        return cls(
            name=pool["metadata"]["name"],
            paused=bool(spec.get("paused", False)),
            updated=_holds(conditions, "Updated"),
            updating=_holds(conditions, "Updating"),
            degraded=_holds(conditions, "Degraded"),
            degraded_reason=_degraded_reason(conditions),
            machines=status.get("machineCount", 0),
            updated_machines=status.get("updatedMachineCount", 0),
            ready_machines=status.get("readyMachineCount", 0),
            unavailable_machines=status.get("unavailableMachineCount", 0),
            degraded_machines=status.get("degradedMachineCount", 0),
            current_config=(status.get("configuration") or {}).get("name", ""),
            desired_config=(spec.get("configuration") or {}).get("name", ""),
            updated_since=conditions["Updated"].last_transition if _holds(conditions, "Updated") else "",
            required=REQUIRED_LABEL in (pool["metadata"].get("labels") or {}),
            held_by=_held_by(pool),
        )


def _held_by(pool: Mapping[str, t.Any]) -> str:
    record = PauseRecord.of(pool)
    paused = bool((pool.get("spec") or {}).get("paused"))
    return record.rollout if record and record.paused and paused else ""


def _holds(conditions: Mapping[str, Condition], name: str) -> bool:
    return name in conditions and conditions[name].is_true


def _degraded_reason(conditions: Mapping[str, Condition]) -> str:
    """Return the message of the most telling degraded condition: the summary one is often empty."""
    telling = [c for name, c in sorted(conditions.items()) if name.endswith("Degraded") and c.is_true]
    telling.sort(key=lambda condition: condition.type == "Degraded")
    return next((c.message or c.reason for c in telling if c.message or c.reason), "")
