# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A pool as an update sees it: whether the update waits for it."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

_REQUIRED_LABEL = "operator.machineconfiguration.openshift.io/required-for-upgrade"
_ALWAYS_REQUIRED = ("master", "arbiter")
_RELEASE = "machineconfiguration.openshift.io/release-image-version"


@dataclass(frozen=True)
class UpdatePool:
    """A pool; ``required`` ones have to be updated before the release is complete, others may stay paused.

    ``rendered_for`` is the version of the release that its configuration was rendered for, empty where that was not
    read. Source: machine-config-operator, pkg/operator/sync.go, syncRequiredMachineConfigPools.
    """

    state: PoolState
    required: bool
    rendered_for: str = ""

    @property
    def name(self) -> str:
        """Return the name of the pool."""
        return self.state.name

    @property
    def waits(self) -> bool:
        """Whether nodes of the pool have not got its configuration yet."""
        return not self.state.updated or self.state.updated_machines < self.state.machines

    @property
    def words(self) -> str:
        """Return how far it is, as in ``pool worker has 1 of 3 nodes, it is paused``."""
        paused = ", it is paused" if self.state.paused else ""
        return f"pool {self.name} has {self.state.updated_machines} of {self.state.machines} nodes updated{paused}"

    @classmethod
    def of(cls, pool: Mapping[str, t.Any], rendered_for: str = "") -> UpdatePool:
        """Return the view of a MachineConfigPool object."""
        labels = pool["metadata"].get("labels") or {}
        state = PoolState.of(pool)
        return cls(state, _REQUIRED_LABEL in labels or state.name in _ALWAYS_REQUIRED, rendered_for)


def release_of(config: Mapping[str, t.Any] | None) -> str:
    """Return the version of the release that a MachineConfig was rendered for, empty where it does not say.

    The controller renders only once its own release has started it, and then annotates a configuration that stays the
    same again; by this the operator identifies one that it waits for (pkg/controller/render/render_controller.go,
    syncGeneratedMachineConfig; pkg/operator/status.go, isMachineConfigPoolConfigurationValid).
    """
    notes = ((config or {}).get("metadata") or {}).get("annotations") or {}
    return str(notes.get(_RELEASE) or "")
