# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads what change management governs, and judges it at the present instant."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.asker import CLOCK_LIMIT, Asker, who_asks
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.changes_store import read_stored
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import (
    Resource,
    ResourceName,
    anticipated,
    resource_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import (
    THE_CLUSTER,
    Given,
    Governance,
    Judged,
    judge,
    refuse_master,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import Entries
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import LocalTime, no_local_time
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_VERSION,
    MACHINE_CONFIG_POOL,
    NODE,
    ObjectKind,
)

HOSTED_CLUSTER = ObjectKind("hypershift.openshift.io/v1beta1", "HostedCluster")
NODE_POOL = ObjectKind("hypershift.openshift.io/v1beta1", "NodePool")
GOVERNED_KINDS = (CLUSTER_VERSION, MACHINE_CONFIG_POOL, HOSTED_CLUSTER, NODE_POOL)

Document = dict[str, t.Any]


@dataclass(frozen=True)
class GuardCheck:
    """What one check takes from option ``guard``, and how many of the next windows it wants.

    With ``allow_missing`` the play may assign stanzas to resources that the cluster does not have. ``overrides`` of
    resources, by key, are looked at in place of those that the cluster keeps: what would hold with them.
    """

    given: Given = field(default_factory=Given)
    clock_limit: int = CLOCK_LIMIT
    windows: int = 3
    allow_missing: bool = False
    local: LocalTime = no_local_time
    overrides: Mapping[str, t.Any] = field(default_factory=dict)

    @classmethod
    def of(cls, option: Mapping[str, t.Any] | None, windows: int = 3, local: LocalTime = no_local_time) -> GuardCheck:
        """Return the check that option ``guard`` describes; raise PolicyError for an assignment to no resource."""
        known = option or {}
        assigned = known.get("assignments") or {}
        given = Given(
            stanza=known.get("stanza"),
            assignments={_assigned(key).key: stanza for key, stanza in assigned.items()},
            policies=known.get("policies") or {},
            governed=known.get("governed", False),
        )
        return cls(given, known.get("clock_limit", CLOCK_LIMIT), windows, known.get("allow_missing", False), local)


@dataclass(frozen=True)
class Site:
    """What was read and judged."""

    asker: Asker
    governance: Governance
    judged: tuple[Judged, ...]
    nodes: tuple[NodeState, ...]

    @property
    def now(self) -> int:
        """Return the instant of the judgement by our own clock."""
        return self.asker.clock.answered

    @property
    def orphans(self) -> list[str]:
        """Return the keys of assignments whose resource the cluster does not have."""
        return self.governance.orphans(one.resource.name.key for one in self.judged)

    def of(self, name: ResourceName) -> Judged | None:
        """Return the judgement on one resource, None when there is no such resource."""
        return next((one for one in self.judged if one.resource.name == name), None)


def _assigned(key: str) -> ResourceName:
    name = ResourceName.of_key(key)
    refuse_master(name)
    return name


def read_resources(client: ClusterClient, deadline: Deadline | None = None) -> list[Resource]:
    """Return all resources of the kinds that can be governed, one request for each kind and page."""
    return anticipated(
        [
            resource_of(found)
            for kind in GOVERNED_KINDS
            for found in client.list_objects(kind, missing_ok=True, deadline=deadline)
        ]
    )


def refuse_missing(resources: Iterable[Resource], keys: Iterable[str]) -> None:
    """Raise PolicyError for a key of a resource that does not exist: what is misspelt would govern nothing."""
    known = sorted(one.name.key for one in resources)
    missing = sorted(set(keys) - {*known, THE_CLUSTER.key})
    if missing:
        rule = f"Use one of {', '.join(known[:20]) or 'none, the cluster has none'}, or set allow_missing."
        raise PolicyError(f"assignment {missing[0]}", "there is no such resource in the cluster", rule)


def _with_overrides(assignments: Entries, overrides: Mapping[str, t.Any]) -> Entries:
    kept = assignments.documents
    wanted = {key: {**kept.get(key, {}), "overrides": listed or None} for key, listed in overrides.items()}
    return replace(assignments, documents={**kept, **wanted})


def read_site(client: ClusterClient, check: GuardCheck, *, with_nodes: bool = True) -> Site:
    """Read the cluster once and judge it; raise ApiError when the API refuses, or is away for too long.

    One request for each kind and page, three for what is stored, and one that says who asks and what time it is.
    """
    deadline = client.patience()
    resources = read_resources(client, deadline)
    if not check.allow_missing:
        refuse_missing(resources, check.given.assignments)
    stored = read_stored(client, deadline)
    marked = any(one.governs_site for one in resources)
    governance = Governance(
        stored.policies,
        _with_overrides(stored.assignments, check.overrides),
        replace(check.given, governed=check.given.governed or marked),
    )
    nodes = [NodeState.of(found) for found in client.list_objects(NODE, deadline=deadline)] if with_nodes else []
    asker = who_asks(client, clock_limit=check.clock_limit, deadline=deadline)
    judged = judge(resources, governance, asker.clock, check.windows, check.local)
    return Site(asker, governance, tuple(judged), tuple(nodes))
