# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The guard of modules that begin a change: asks change management for the resource that they are about to change."""

from __future__ import annotations

import math
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.asker import CLOCK_LIMIT
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import (
    GuardCheck,
    Site,
    read_site,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.clock_comparison import ClockComparison
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.permissions import (
    estimate_of,
    permission_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
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
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Permission

UNGOVERNED = "nothing in this cluster is governed by change management"

GUARD_OPTION: dict[str, t.Any] = {
    "type": "dict",
    "options": {
        "stanza": {"type": "dict"},
        "assignments": {"type": "dict"},
        "policies": {"type": "dict"},
        "governed": {"type": "bool", "default": False},
        "allow_missing": {"type": "bool", "default": False},
        "estimate": {"type": "int", "default": 0},
        "clock_limit": {"type": "int", "default": CLOCK_LIMIT},
    },
}
"""Option ``guard`` of the modules that start a change, and of those that show whether one may start."""

GUARD_NEVER_NULL = (("guard",), ("guard", "stanza"), ("guard", "assignments"), ("guard", "policies"))
"""An empty variable would else mean what the cluster keeps, where the site meant a stanza of its own."""


@dataclass(frozen=True)
class ChangeGuard:
    """Asks what was given with the run, else what the cluster keeps for the resource.

    ``estimate`` is how long the change takes where it is not known better.
    """

    client: ClusterClient
    check: GuardCheck
    estimate: Estimate

    @classmethod
    def of(cls, client: ClusterClient, option: Mapping[str, t.Any] | None) -> ChangeGuard:
        """Return the guard that option ``guard`` describes."""
        return cls(client, GuardCheck.of(option), estimate_of((option or {}).get("estimate", 0)))

    def ask(self, pool: str, estimate: Estimate) -> Permission:
        """Return whether a change of the nodes of ``pool``, or of the cluster as a whole, may start now.

        The permission has to last for the estimate. Where the cluster has no MachineConfigPool of that name, its
        ClusterVersion answers for the nodes; where it has neither, only a stanza restricts. Raise ApiError, and
        PolicyError for a pool whose name cannot be one, and where no window is ever as long as the work.
        """
        name = ResourceName.of(POOL, pool) if pool else THE_CLUSTER
        judged = self._judged(name)
        if judged is None:
            return Permission(True, name.title, UNGOVERNED)
        return no_hopeless(permission_of(judged, estimate if estimate.seconds else self.estimate))

    def _judged(self, name: ResourceName) -> Judged | None:
        site = read_site(self.client, self.check, with_nodes=False)
        return _judged_at(site, self.check, name, site.asker.clock)


@dataclass(frozen=True)
class ForeseenGuard:
    """Answers for any instant by what was read once; the clocks of this machine and the API server count as one."""

    site: Site
    check: GuardCheck

    @classmethod
    def of(cls, client: ClusterClient, option: Mapping[str, t.Any] | None) -> ForeseenGuard:
        """Read the site once; raise ApiError and PolicyError as ``ChangeGuard`` does."""
        check = GuardCheck.of(option)
        return cls(read_site(client, check, with_nodes=False), check)

    def ask_at(self, pool: str, estimate: Estimate, instant: datetime) -> Permission:
        """Return whether a change of the nodes of ``pool``, or of the cluster, may start at ``instant``.

        Raise PolicyError for a pool whose name cannot be one.
        """
        name = ResourceName.of(POOL, pool) if pool else THE_CLUSTER
        second = math.ceil(instant.timestamp())
        clock = ClockComparison(second, second, second, self.check.clock_limit)
        judged = _judged_at(self.site, self.check, name, clock)
        return permission_of(judged, estimate) if judged else Permission(True, name.title, UNGOVERNED)


def _judged_at(site: Site, check: GuardCheck, name: ResourceName, clock: ClockComparison) -> Judged | None:
    """Return the judgement on a resource at the time of a clock; None where nothing governs it.

    A resource that the cluster does not have is judged as the cluster, or by what the play gives.
    """
    found = site.of(name) or site.of(THE_CLUSTER)
    if found is None and check.given.stanza is None and not check.given.governed:
        return None
    resource = found.resource if found else Resource(name)
    return judge([resource], site.governance, clock, check.windows)[0]


def no_hopeless(permission: Permission) -> Permission:
    """Return the permission; raise PolicyError where waiting for it has no end."""
    if permission.hopeless:
        rule = "Extend the windows, set a shorter estimate, or permit the change once with an override."
        raise PolicyError(f"the windows of {permission.resource}", permission.hopeless, rule)
    return permission
