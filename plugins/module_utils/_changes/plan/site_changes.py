# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""All that is governed in a cluster, judged at one instant: resources, nodes, policies."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import (
    ChangeState,
    Question,
    change_state,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.clock_comparison import (
    ClockComparison,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.overrides import (
    ALL,
    Override,
    read_overrides,
    under,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policies import fault
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import (
    CLUSTER_VERSION,
    MASTER_POOL,
    POOL,
    Resource,
    ResourceName,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import (
    ABSENT,
    stanza_timeline,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import Entries
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import (
    LocalTime,
    Timeline,
    no_local_time,
)

THE_CLUSTER = ResourceName(CLUSTER_VERSION, "version")
MASTER = ResourceName(POOL, MASTER_POOL)


@dataclass(frozen=True)
class Governed:
    """What governs one resource: its stanza, overrides that are in force or to come, and what all come to over time.

    ``binding`` is whether anything does; a resource without change management is open and nothing is enforced on it.
    """

    timeline: Timeline
    stanza: object = None
    overrides: tuple[Override, ...] = ()
    binding: bool = True


@dataclass(frozen=True)
class Given:
    """What the play gives in place of what the cluster keeps.

    ``stanza`` is that of every resource that ``assignments`` do not name. In a ``governed`` site what nothing is
    assigned to is closed.
    """

    stanza: object = None
    assignments: Mapping[str, object] = field(default_factory=dict)
    policies: Mapping[str, object] = field(default_factory=dict)
    governed: bool = False


class Governance:
    """Policies and assignments of a cluster, and what the play gives in their place."""

    def __init__(self, policies: Entries, assignments: Entries, given: Given) -> None:
        self.policies = policies
        self.assignments = assignments
        self.given = given
        self.by_name: dict[str, object] = {name: _policy(one) for name, one in policies.documents.items()}
        # A policy that cannot be read must be there nevertheless: it restricts with that as the reason.
        self.by_name.update({name: {"spec": seen} for name, seen in policies.faults.items()})
        self.by_name.update(given.policies)
        self._stray = next((f"assignment {key}: {seen}" for key, seen in strays(assignments).items()), "")

    def of(self, resource: Resource, now: int) -> Governed:
        """Return what governs ``resource``.

        The cluster version operator copies the stanza of ClusterVersion to the master pool; so it is read here.
        """
        key = (THE_CLUSTER if resource.name == MASTER else resource.name).key
        # An override of ClusterVersion may bind all pools.
        consulted = {key, THE_CLUSTER.key} if resource.name.kind == POOL else {key}
        for one in sorted(consulted & set(self.assignments.faults)):
            return Governed(fault("InvalidAssignment", f"assignment {one}: {self.assignments.faults[one]}"))
        if self._stray:
            return Governed(fault("InvalidAssignment", self._stray))
        kept = self.assignments.documents.get(key, {}).get("changeManagement", resource.stanza)
        stanza = self._stanza(key, kept)
        shown = None if stanza is ABSENT else stanza
        try:
            overrides = self.overrides_of(resource.name)
        except PolicyError as error:
            return Governed(fault("InvalidOverride", f"{error.on}: {error.seen}. {error.advice}"), shown)
        read = stanza_timeline(stanza, self.by_name, f"{key}.changeManagement")
        if stanza is ABSENT and self.given.governed:
            read = fault("NotAssigned", "the site is governed and nothing is assigned to the resource")
        in_force = any(one.holds(now) for one in overrides)
        binding = in_force or stanza is not ABSENT or self.given.governed
        # One that is over by our clock may be in force by the server's, so it stays in the timeline.
        timeline = under(read, overrides)
        lasting = tuple(one for one in overrides if not one.is_over(now))
        return Governed(timeline, shown, lasting, binding)

    def overrides_of(self, name: ResourceName) -> tuple[Override, ...]:
        """Return the overrides that bind a resource; raise PolicyError for one that breaks a rule."""
        own = () if name in (MASTER, THE_CLUSTER) else self._overrides(name)
        above = self._overrides(THE_CLUSTER) if name.kind in (POOL, CLUSTER_VERSION) else ()
        return (*own, *(one for one in above if one.scope == ALL or name in (MASTER, THE_CLUSTER)))

    def _overrides(self, name: ResourceName) -> tuple[Override, ...]:
        field = Field(f"{name.key}.overrides", self.assignments.documents.get(name.key, {}).get("overrides"))
        return read_overrides(field, scoped=name == THE_CLUSTER)

    def orphans(self, existing: t.Iterable[str]) -> list[str]:
        """Return the keys of assignments to resources that are not among the keys of ``existing`` ones."""
        assigned = {*self.assignments.documents, *self.assignments.faults, *self.given.assignments}
        return sorted(assigned - set(existing) - set(strays(self.assignments)))

    def alerts(self, existing: t.Iterable[str]) -> list[str]:
        """Return in a line each what is wrong with the documents, whatever it closes or leaves open."""
        missing = [f"assignment {key}: there is no such resource" for key in self.orphans(existing)]
        stray = [
            f"assignment {key}: {seen}; change is restricted everywhere"
            for key, seen in strays(self.assignments).items()
        ]
        damaged = [f"assignment {key}: {seen}" for key, seen in self.assignments.faults.items()]
        return [*stray, *damaged, *missing]

    def _stanza(self, key: str, kept: object) -> object:
        """Return the stanza of a resource, the play's first."""
        return self.given.assignments.get(key, kept if self.given.stanza is None else self.given.stanza)


def strays(assignments: Entries) -> dict[str, str]:
    """Return what is wrong with keys that name no resource. Their resources are unknown: all are restricted."""
    seen = {key: _wrong_with(key) for key in sorted({*assignments.documents, *assignments.faults})}
    return {key: words for key, words in seen.items() if words}


def _wrong_with(key: str) -> str:
    try:
        name = ResourceName.of_key(key)
    except PolicyError as error:
        return f"it does not name a resource: {error.seen}"
    return f"the master pool uses the assignment of {THE_CLUSTER.title}" if name == MASTER else ""


def refuse_master(name: ResourceName) -> None:
    """Raise PolicyError for the master pool: an assignment of its own would have no effect."""
    if name == MASTER:
        rule = f"The master pool uses the stanza of {THE_CLUSTER.title}. Assign the policy to that."
        raise PolicyError(f"assignments.{name.key}", "the control plane is one resource", rule)


def _policy(document: Mapping[str, t.Any]) -> object:
    """Return a stored policy as policies are read: who changed it is no part of what it says."""
    return {part: value for part, value in document.items() if part != "changes"}


@dataclass(frozen=True)
class Judged:
    """A resource and the answer for it."""

    resource: Resource
    governed: Governed
    state: ChangeState

    @property
    def waiting_until(self) -> int | None:
        """Return when a change that is pending and blocked may start; None for no such change, or no window."""
        return self.state.next_transition if self.resource.pending and not self.state.permitted else None


def judge(
    resources: t.Iterable[Resource],
    governance: Governance,
    clock: ClockComparison,
    windows: int,
    local: LocalTime = no_local_time,
) -> list[Judged]:
    """Return the answer for each resource, with so many of its next ``windows``."""
    judged = []
    for resource in resources:
        own = governance.of(resource, clock.answered)
        judged.append(
            Judged(resource, own, _state(own, clock, Question(clock.answered, windows, resource.pending, local)))
        )
    return judged


def _state(own: Governed, clock: ClockComparison, question: Question) -> ChangeState:
    """Return the answer at every instant that a clock shows; the first restriction among them counts."""
    if clock.is_too_far:
        return change_state(fault("ClockSkew", clock.complaint), question)
    states = [change_state(own.timeline, replace(question, instant=moment)) for moment in clock.moments()]
    return next((state for state in states if not state.permitted), states[0])
