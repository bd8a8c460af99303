# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The guard of modules that begin a change: asks change management for the resource that they are about to change."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import (
    Look,
    read_site,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import write_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import (
    POOL,
    Resource,
    ResourceName,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import (
    THE_CLUSTER,
    Judged,
    judge,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Permission
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import ChangeState
    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

UNGOVERNED = "nothing in this cluster is governed by change management"
_WINDOWS = 2
"""The window that is open, if one is, and the next one."""

GUARD_OPTION: dict[str, t.Any] = {
    "type": "dict",
    "options": {
        "stanza": {"type": "dict"},
        "policies": {"type": "dict"},
        "governed": {"type": "bool", "default": False},
        "estimate": {"type": "int", "default": 0},
        "clock_limit": {"type": "int", "default": 30},
    },
}
"""Option ``guard`` of the modules that begin a change."""


@dataclass(frozen=True)
class ChangeGuard:
    """Asks the stanza that was given with the run, else what the cluster keeps for the resource.

    ``estimate`` is how many seconds the change takes where it is not known better.
    """

    client: ClusterClient
    look: Look
    stanza: Mapping[str, t.Any] | None = None
    estimate: int = 0

    @classmethod
    def of(cls, client: ClusterClient, option: Mapping[str, t.Any] | None) -> ChangeGuard:
        """Return the guard that option ``guard`` describes."""
        known = option or {}
        stanza = known.get("stanza")
        look = Look(
            policies=known.get("policies"),
            windows=_WINDOWS,
            clock_limit=known.get("clock_limit", 30),
            governed=known.get("governed", False),
        )
        return cls(client, look, stanza, known.get("estimate", 0))

    def ask(self, pool: str, estimate: Estimate) -> Permission:
        """Return whether a change of the nodes of ``pool``, or of the cluster as a whole, may be begun now.

        The permission has to last for the estimate. Where the cluster has no MachineConfigPool of that name, its
        ClusterVersion answers for the nodes; where it has neither, only a stanza restricts. Raise ApiError, and
        PolicyError for a pool whose name cannot be one.
        """
        name = ResourceName.of(POOL, pool) if pool else THE_CLUSTER
        judged = self._judged(name)
        if judged is None:
            return Permission(True, name.title, UNGOVERNED)
        return _permission(judged, estimate if estimate.seconds else self._by_default())

    def _by_default(self) -> Estimate:
        return Estimate(self.estimate, f"it may take {describe_seconds(self.estimate)}" if self.estimate else "")

    def _judged(self, name: ResourceName) -> Judged | None:
        look = self.look if self.stanza is None else self.look.with_stanza(self.stanza, name, THE_CLUSTER)
        site = read_site(self.client, look, with_nodes=False)
        found = site.of(name) or site.of(THE_CLUSTER)
        if found is None and self.stanza is not None:
            return judge([Resource(name)], site.governance, site.asker.clock, look.windows)[0]
        return found


def _permission(judged: Judged, estimate: Estimate) -> Permission:
    state, title = judged.state, judged.resource.name.title
    if not state.permitted:
        return Permission(False, title, f"{title}: {state.sentence}", _next_opening(state))
    remaining = state.permissive_remaining
    if remaining != -1 and remaining < estimate.seconds:
        left = f"change of {title} is permitted for {describe_seconds(remaining)} more"
        return Permission(False, title, f"{estimate.words}, and {left}", _next_opening(state))
    left = "" if remaining == -1 else f" for {describe_seconds(remaining)}"
    told = f"; {estimate.words}" if estimate.words else ""
    return Permission(True, title, f"change of {title} is permitted{left}{told}")


def _next_opening(state: ChangeState) -> str:
    """Return when the next window opens that is not open yet, empty where none is known."""
    later = [window.start for window in state.windows if window.start > state.instant]
    return write_instant(later[0]) if later else ""
