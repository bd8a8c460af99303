# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A pool as an update sees it: whether the update waits for it."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

if t.TYPE_CHECKING:
    from collections.abc import Mapping

_REQUIRED_LABEL = "operator.machineconfiguration.openshift.io/required-for-upgrade"
_ALWAYS_REQUIRED = ("master", "arbiter")


@dataclass(frozen=True)
class UpdatePool:
    """A pool; ``required`` ones have to be updated before the release is complete, others may stay paused.

    Source: machine-config-operator, pkg/operator/sync.go, syncRequiredMachineConfigPools.
    """

    state: PoolState
    required: bool

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
    def of(cls, pool: Mapping[str, t.Any]) -> UpdatePool:
        """Return the view of a MachineConfigPool object."""
        labels = pool["metadata"].get("labels") or {}
        state = PoolState.of(pool)
        return cls(state, required=_REQUIRED_LABEL in labels or state.name in _ALWAYS_REQUIRED)
