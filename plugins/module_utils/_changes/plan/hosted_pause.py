# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""How a hub enforces change management on hosted control planes: through ``pausedUntil`` of the resource itself.

HyperShift reconciles neither a HostedCluster nor a NodePool while that field holds "true" or an instant to come.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import write_instant

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import ChangeState

PAUSED_BY = "fieldops.openshift/paused-by"
PAUSED_BY_US = "change-management"
"""Annotation on a resource that we paused; a pause without it is somebody else's and stays as it is."""

FOR_EVER = "true"


@dataclass(frozen=True)
class Pause:
    """``wanted`` is the value that ``pausedUntil`` shall have, empty for none; ``kept`` that it is not ours to set."""

    wanted: str
    kept: bool = False

    def patch(self) -> dict[str, t.Any]:
        """Return the merge patch that brings it about."""
        mark = PAUSED_BY_US if self.wanted else None
        return {"metadata": {"annotations": {PAUSED_BY: mark}}, "spec": {"pausedUntil": self.wanted or None}}


def wanted_pause(state: ChangeState, found: str, paused_by: str) -> Pause:
    """Return the pause that ``state`` asks for, given the present value and mark of the resource."""
    if found and paused_by != PAUSED_BY_US:
        return Pause(found, kept=True)
    if state.permitted:
        return Pause("")
    return Pause(FOR_EVER if state.next_transition is None else write_instant(state.next_transition))
