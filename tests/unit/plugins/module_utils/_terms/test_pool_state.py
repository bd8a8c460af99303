# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState


def pool(**conditions: tuple[str, str]) -> dict[str, t.Any]:
    """Return a MachineConfigPool with conditions given as type = (status, message)."""
    return {
        "metadata": {"name": "worker"},
        "spec": {"paused": True, "configuration": {"name": "rendered-worker-b"}},
        "status": {
            "configuration": {"name": "rendered-worker-a"},
            "machineCount": 5,
            "updatedMachineCount": 2,
            "readyMachineCount": 4,
            "unavailableMachineCount": 1,
            "degradedMachineCount": 0,
            "conditions": [{"type": n, "status": s, "message": m} for n, (s, m) in conditions.items()],
        },
    }


def test_counts_and_configurations_are_read() -> None:
    state = PoolState.of(pool(Updating=("True", "")))
    assert (state.machines, state.updated_machines, state.ready_machines, state.unavailable_machines) == (5, 2, 4, 1)
    assert (state.current_config, state.desired_config) == ("rendered-worker-a", "rendered-worker-b")
    assert (state.paused, state.updating, state.updated, state.degraded) == (True, True, False, False)


def test_a_pool_without_status_is_neither_updated_nor_degraded() -> None:
    state = PoolState.of({"metadata": {"name": "new"}, "spec": {}})
    assert (state.updated, state.degraded, state.machines) == (False, False, 0)


@pytest.mark.parametrize(
    ("conditions", "reason"),
    [
        ({"Degraded": ("False", "")}, ""),
        ({"Degraded": ("True", ""), "NodeDegraded": ("True", "Node w1: disk full")}, "Node w1: disk full"),
        ({"Degraded": ("True", "summary")}, "summary"),
        ({"Degraded": ("True", "summary"), "RenderDegraded": ("True", "bad unit")}, "bad unit"),
    ],
)
def test_the_most_telling_reason_of_degradation_is_given(conditions: dict[str, tuple[str, str]], reason: str) -> None:
    assert PoolState.of(pool(**conditions)).degraded_reason == reason
