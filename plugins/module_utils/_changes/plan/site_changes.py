# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""All that is governed in a cluster, judged at one instant: resources, nodes, policies."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import (
    ChangeState,
    Question,
    change_state,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.overrides import (
    Override,
    read_override,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policies import fault
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import (
    CLUSTER_VERSION,
    HOSTED_CLUSTER,
    MASTER_POOL,
    NODE_POOL,
    POOL,
    Resource,
    ResourceName,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import stanza_timeline
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import Both

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.clock_comparison import (
        ClockComparison,
    )
    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import Entries
    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import Timeline

THE_CLUSTER = ResourceName(CLUSTER_VERSION, "version")


@dataclass(frozen=True)
class Governed:
    """What governs one resource: its stanza, an override that is in force, and what both come to over time."""

    timeline: Timeline
    stanza: object = None
    override: Override | None = None
    warnings: tuple[str, ...] = ()


class Governance:
    """Policies and assignments of a cluster, from its ConfigMaps or from the play."""

    def __init__(self, policies: Entries, assignments: Entries) -> None:
        self.policies = policies
        self.assignments = assignments
        self._by_name: dict[str, object] = {name: {"spec": one.get("spec")} for name, one in policies.documents.items()}
        # A policy that cannot be read has to be there all the same: it restricts with that as the reason.
        self._by_name.update({name: {"spec": seen} for name, seen in policies.faults.items()})

    @property
    def by_name(self) -> Mapping[str, object]:
        """Return the policies as stanzas find them."""
        return self._by_name

    def of(self, resource: Resource, now: int) -> Governed:
        """Return what governs ``resource``.

        The cluster version operator copies the stanza of ClusterVersion to the master pool; so it is read here.
        """
        mirrored = resource.name == ResourceName(POOL, MASTER_POOL)
        key = (THE_CLUSTER if mirrored else resource.name).key
        if key in self.assignments.faults:
            return Governed(fault("InvalidAssignment", f"assignment {key}: {self.assignments.faults[key]}"))
        document = self.assignments.documents.get(key, {})
        stanza = document.get("changeManagement", resource.stanza)
        read = stanza_timeline(stanza, self.by_name, f"{key}.changeManagement")
        try:
            override = read_override(Field(f"{key}.override", document.get("override")))
        except PolicyError as error:
            return Governed(fault("InvalidOverride", f"{error.on}: {error.seen}. {error.advice}"), stanza)
        if override is None:
            return Governed(read.timeline, stanza, None, read.warnings)
        # One that is over by our clock may be in force by the server's, so it stays in the timeline.
        shown = None if override.is_over(now) else override
        return Governed(override.over(read.timeline), stanza, shown, read.warnings)


@dataclass(frozen=True)
class Judged:
    """A resource and the answer for it."""

    resource: Resource
    governed: Governed
    timeline: Timeline
    state: ChangeState
    bypass: tuple[str, ...] = ()


@dataclass(frozen=True)
class Inquiry:
    """What is asked about all resources: ``question`` carries the bounds, ``clock`` the instants."""

    question: Question
    clock: ClockComparison
    hierarchy: bool = False


def judge(
    resources: t.Sequence[Resource],
    governance: Governance,
    inquiry: Inquiry,
    bypasses: Mapping[str, tuple[str, ...]],
) -> list[Judged]:
    """Return the answer for each resource; ``bypasses`` are exempt MachineConfigs by the name of their pool."""
    now = inquiry.clock.answered
    governed = {resource.name: governance.of(resource, now) for resource in resources}
    judged = []
    for resource in resources:
        own = governed[resource.name]
        superior = above_of(resource, resources) if inquiry.hierarchy else None
        above = governed.get(superior) if superior else None
        bypass = bypasses.get(resource.name.name, ()) if resource.name.kind == POOL else ()
        timeline = own.timeline
        if above is not None:
            timeline = Both(above.timeline, own.timeline, inquiry.question.horizon)
        question = replace(inquiry.question, pending=resource.pending, bypass=bool(bypass))
        state = _state(timeline, own, above, replace(inquiry, question=question))
        judged.append(Judged(resource, own, timeline, state, bypass))
    return judged


def above_of(resource: Resource, resources: t.Iterable[Resource]) -> ResourceName | None:
    """Return the control plane that a worker resource belongs to, None for control planes themselves."""
    if resource.name.kind == POOL:
        return None if resource.name.name == MASTER_POOL else THE_CLUSTER
    if resource.name.kind != NODE_POOL:
        return None
    clusters = (one.name for one in resources if one.name.kind == HOSTED_CLUSTER)
    return next(
        (name for name in clusters if (name.namespace, name.name) == (resource.name.namespace, resource.target)), None
    )


def _state(timeline: Timeline, own: Governed, above: Governed | None, inquiry: Inquiry) -> ChangeState:
    """Return the answer at every instant that a clock shows; the first restriction among them counts."""
    clock = inquiry.clock
    if clock.is_too_far:
        text = f"our clock and the API server's differ by {abs(clock.skew)} s, more than {clock.limit} s"
        return change_state(fault("ClockSkew", text), replace(inquiry.question, instant=clock.answered))
    states = []
    for moment in clock.moments():
        parts: tuple[tuple[str, bool], ...] = ()
        if above is not None:
            parts = (
                ("control_plane_permitted", above.timeline.at(moment).permitted),
                ("worker_configured_permitted", own.timeline.at(moment).permitted),
            )
        question = replace(inquiry.question, instant=moment)
        states.append(change_state(timeline, question, warnings=own.warnings, parts=parts))
    return next((state for state in states if not state.permitted), states[0])
