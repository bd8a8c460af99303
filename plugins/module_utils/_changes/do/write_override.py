# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The work of module change_override: setting and ending overrides."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.asker import Asker, who_asks
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.changes_store import (
    Edit,
    edit_entries,
    read_stored,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import (
    read_resources,
    refuse_missing,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.durations import read_duration
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    read_instant,
    write_instant,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.overrides import (
    ALL,
    CONTROL_PLANE,
    Override,
    read_override,
    read_overrides,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import POOL, ResourceName
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import (
    MASTER,
    THE_CLUSTER,
    Given,
    Governance,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import (
    OVERRIDES,
    Entries,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

Document = dict[str, t.Any]


@dataclass(frozen=True)
class WantedOverride:
    """What must be in force on ``resources``: strategy None ends what is, from ``start`` on or that has started.

    ``ends`` is the strategy of what is ended, None for either. ``seconds`` is how long it lasts where ``until`` is not
    given. ``scope`` is for ClusterVersion.
    """

    resources: tuple[ResourceName, ...]
    strategy: str | None
    reason: str
    ends: str | None = None
    start: str | None = None
    until: str | None = None
    seconds: int | None = None
    scope: str = ""
    allow_missing: bool = False


@dataclass(frozen=True)
class OverrideWritten:
    """The overrides before and after, by the key of their resource; the one that was wanted; who wrote it."""

    before: Document
    after: Document
    override: Document | None
    by: str

    @property
    def changed(self) -> bool:
        """Whether anything was, or in a dry run would be, written."""
        return self.before != self.after


def carry_out(client: ClusterClient, params: Mapping[str, t.Any]) -> Result:
    """Set or end the override of the resources that are named, of the whole cluster where none are."""
    written = write_override(client, _wanted(params), clock_limit=params["clock_limit"])
    return Result(
        changed=written.changed,
        objects={"override": written.override, "overrides": written.after, "who": written.by},
        diff={"before": written.before, "after": written.after},
    )


def _wanted(params: Mapping[str, t.Any]) -> WantedOverride:
    present = params["state"] == "present"
    if present and params["strategy"] is None:
        raise PolicyError("strategy", "it is missing", "Set whether change is permitted or restricted.")
    for end in ("until", "duration"):
        if params[end] and not present:
            raise PolicyError(end, "it is set to end an override", "Omit it. What is ended does not start again.")
    resources, scope = _bound(params)
    length = params["duration"]
    return WantedOverride(
        resources=resources,
        strategy=params["strategy"] if present else None,
        reason=params["reason"],
        ends=None if present else params["strategy"],
        start=params["from"],
        until=params["until"],
        seconds=read_duration(length, "duration") if length else None,
        scope=scope,
        allow_missing=params["allow_missing"],
    )


def _bound(params: Mapping[str, t.Any]) -> tuple[tuple[ResourceName, ...], str]:
    """Return the resources that are named and the scope of an override of ClusterVersion."""
    if params["pools"]:
        names = tuple(ResourceName.of(POOL, pool) for pool in params["pools"])
        return tuple(THE_CLUSTER if name == MASTER else name for name in names), CONTROL_PLANE
    if params["kind"] is None:
        return (THE_CLUSTER,), params["scope"] or ALL
    name = ResourceName.of(params["kind"], params["name"], params["namespace"] or "")
    if name == MASTER:
        rule = f"The master pool uses the stanza of {THE_CLUSTER.title}. Override that."
        raise PolicyError("name", "the control plane is one resource", rule)
    if name != THE_CLUSTER and params["scope"]:
        raise PolicyError("scope", f"it is set for {name.title}", f"Use it for {THE_CLUSTER.title} only.")
    if name == THE_CLUSTER and not params["scope"] and params["state"] == "present":
        rule = "Set its scope: all (the control plane and all pools) or control_plane."
        raise PolicyError("scope", "it is missing", rule)
    return (name,), params["scope"] or ""


def write_override(client: ClusterClient, wanted: WantedOverride, *, clock_limit: int) -> OverrideWritten:
    """Record the override with who and why; the same one again, regardless of who asks, changes nothing.

    Raise PolicyError for an end that is not to come, while the clocks disagree (its end would mean nothing), for names
    of nothing, and for a permission that a restriction would leave without effect.
    """
    recorded = read_stored(client).assignments
    if not wanted.allow_missing:
        refuse_missing(read_resources(client), _to_exist(recorded, wanted))
    for resource in wanted.resources:
        _require_readable(recorded, resource)
    asker = who_asks(client, clock_limit=clock_limit)
    override = _override(wanted, asker)
    now = asker.clock.answered + asker.clock.skew
    before: Document = {}
    after: Document = {}

    def decide(found: Entries) -> Mapping[str, Edit]:
        if override is not None and override.permitted:
            _refuse_without_effect(found, wanted.resources, override, now)
        edits = {}
        for resource in wanted.resources:
            held = [one for one in _held(found, resource) if not one.is_over(now)]
            own = _of(resource, override)
            kept = [one for one in held if not _gives_way(one, wanted, own, now)]
            same = next((one for one in held if own and _means_the_same(one, own)), own)
            listed = _listed([*kept, *([same] if same else [])])
            before[resource.key], after[resource.key] = _listed(held), listed
            if before[resource.key] != listed:
                did = f"override {override.strategy}" if override else "override ended"
                edits[resource.key] = Edit({"overrides": listed}, did)
        return edits

    at = write_instant(asker.clock.answered)
    edit_entries(client, OVERRIDES, decide, by=asker.username, reason=wanted.reason, at=at)
    return OverrideWritten(before, after, override.as_data() if override else None, asker.username)


def _to_exist(recorded: Entries, wanted: WantedOverride) -> set[str]:
    """Return the keys of resources that must exist; what is recorded for one that is gone can be ended."""
    keys = {one.key for one in wanted.resources}
    if wanted.strategy is not None:
        return keys
    return keys - {*recorded.documents, *recorded.faults}


def _of(resource: ResourceName, override: Override | None) -> Override | None:
    """Return the override as it is for a resource: only one of ClusterVersion has a scope."""
    return override if override is None or resource == THE_CLUSTER else replace(override, scope="")


def _listed(overrides: Iterable[Override]) -> list[Document]:
    return [one.as_data() for one in sorted(overrides, key=lambda one: (one.start or 0, one.scope))]


def _held(found: Entries, resource: ResourceName) -> tuple[Override, ...]:
    _require_readable(found, resource)
    listed = found.documents.get(resource.key, {}).get("overrides")
    return read_overrides(Field(f"{resource.key}.overrides", listed), scoped=resource == THE_CLUSTER)


def _require_readable(found: Entries, resource: ResourceName) -> None:
    """Raise PolicyError for an entry that cannot be read: an override of it would mean something else later."""
    if resource.key in found.faults:
        rule = "Assign a stanza again with change_policy, or remove the entry from the ConfigMap change-overrides."
        raise PolicyError(f"assignment {resource.key}", found.faults[resource.key], rule)


def _gives_way(one: Override, wanted: WantedOverride, override: Override | None, now: int) -> bool:
    """Return whether a recorded override goes for what is wanted."""
    if override is not None:
        return one.place == override.place
    if one.scope and wanted.scope and one.scope != wanted.scope:
        return False
    if wanted.ends is not None and one.strategy != wanted.ends:
        return False
    if wanted.start is not None:
        return one.start == read_instant(wanted.start, "from")
    return one.holds(now)


def _refuse_without_effect(found: Entries, resources: Iterable[ResourceName], override: Override, now: int) -> None:
    governance = Governance(Entries(""), found, Given())
    for name in resources:
        own = _of(name, override)
        for one in governance.overrides_of(name):
            if own and not one.permitted and one.holds(override.start or now) and one.place != own.place:
                rule = "End that restriction first: it takes precedence over a permission."
                since = f", from {write_instant(one.start)}" if one.start is not None else ""
                scope = f" of {one.scope}" if one.scope else ""
                raise PolicyError(name.title, f"{one.by} has restricted it{scope}{since}: {one.reason}", rule)


def _override(wanted: WantedOverride, asker: Asker) -> Override | None:
    """Return the override to record; raise PolicyError for one that breaks a rule or is over already."""
    if wanted.strategy is None:
        return None
    if not wanted.reason.strip():
        raise PolicyError("reason", "it is empty", "Set a reason that explains the override to other users.")
    written = {"strategy": wanted.strategy, "from": wanted.start, "until": _end(wanted, asker)}
    scope = {"scope": wanted.scope} if wanted.scope else {}
    field = Field("override", {**written, **scope, "by": asker.username, "reason": wanted.reason})
    override = read_override(field, scoped=bool(wanted.scope))
    if (override.until is not None or override.start is not None) and asker.clock.is_too_far:
        raise PolicyError(
            "until",
            asker.clock.complaint,
            "Synchronize the clocks first, because the end of the override depends on them.",
        )
    if override.is_over(asker.clock.answered):
        raise PolicyError("until", f"{written['until']} is in the past", "Use a time in the future.")
    return override


def _end(wanted: WantedOverride, asker: Asker) -> str | None:
    if wanted.seconds is None:
        return wanted.until
    begun = asker.clock.answered if wanted.start is None else read_instant(wanted.start, "from")
    return write_instant(begun + wanted.seconds)


def _means_the_same(held: Override, wanted: Override) -> bool:
    """Return whether both mean the same; who asked and why first is kept."""
    return (held.place, held.permitted, held.until) == (wanted.place, wanted.permitted, wanted.until)
