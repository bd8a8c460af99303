# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The work of module change_policy: policies, and the stanzas of resources, as they are wanted where they last."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.asker import who_asks
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.changes_store import (
    Edit,
    edit_entries,
    read_stored,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.local_time import local_time
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.longest_node import longest_node
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import (
    read_resources,
    refuse_missing,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import write_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.outlook import Outlook, outlook
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.permissions import estimate_of
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policies import Policy, read_policy_spec
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError, gathered
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import (
    GOVERNED_SITE,
    NAME,
    ResourceName,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import (
    THE_CLUSTER,
    refuse_master,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import read_stanza, reference_of
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import (
    ASSIGNMENTS,
    POLICIES,
    Entries,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import SCHEDULE
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CLUSTER_VERSION
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result


@dataclass(frozen=True)
class Wanted:
    """The desired state: policy ``name`` with ``spec``, None to remove it; stanzas by resource, None to remove one.

    ``estimate`` is how many seconds the longest work takes, None for the longest node of the site.
    """

    name: str = ""
    spec: Mapping[str, t.Any] | None = None
    remove: bool = False
    assignments: Mapping[ResourceName, Mapping[str, t.Any] | None] | None = None
    reason: str = ""
    allow_missing: bool = False
    take_over: bool = False
    estimate: int | None = None


@dataclass(frozen=True)
class Written:
    """What became of it: documents before and after, by ConfigMap and key, where they differ."""

    before: Mapping[str, t.Any]
    after: Mapping[str, t.Any]
    by: str
    outlook: Outlook | None = None

    @property
    def changed(self) -> bool:
        """Whether anything was, or in a dry run would be, written."""
        return self.before != self.after


_NOTHING = Written({}, {}, "")


def carry_out(client: ClusterClient, params: Mapping[str, t.Any]) -> Result:
    """Write policy and assignments, and the mark of a governed site, each where it is requested."""
    wanted = _wanted(params)
    written = write_wanted(client, wanted) if wanted.name or wanted.assignments else _NOTHING
    marked = mark_site(client, params["governed"])
    warnings = written.outlook.warnings if written.outlook else ()
    objects = {
        "who": written.by,
        "warnings_of_policy": list(warnings),
        "outlook": written.outlook.as_data(local_time(params["time_zone"])) if written.outlook else None,
    }
    difference = {"before": {**written.before, **marked.before}, "after": {**written.after, **marked.after}}
    return Result(written.changed or marked.changed, objects, diff=difference, warnings=warnings)


def _wanted(params: Mapping[str, t.Any]) -> Wanted:
    remove = params["state"] == "absent"
    if params["name"] and not remove and params["spec"] is None:
        raise PolicyError("spec", "it is missing", "Set the content of the policy, or state absent.")
    assignments = {ResourceName.of_key(key): stanza for key, stanza in (params["assignments"] or {}).items()}
    for name, stanza in assignments.items():
        if stanza is None and not remove:
            rule = "Set a stanza. To remove the stanza of the resource, set state absent."
            raise PolicyError(f"assignments.{name.key}", "it is null", rule)
    return Wanted(
        name=params["name"] or "",
        spec=None if remove else params["spec"],
        remove=remove,
        assignments=assignments,
        reason=params["reason"] or "",
        allow_missing=params["allow_missing"],
        take_over=params["take_over"],
        estimate=params["estimate"],
    )


def write_wanted(client: ClusterClient, wanted: Wanted) -> Written:
    """Write what is wanted and not so yet; raise PolicyError, before anything is written, where it breaks a rule."""
    policy = _validated(wanted)
    if not wanted.allow_missing:
        _check_references(client, wanted)
    by = who_asks(client).username
    at = write_instant(instant_of(client.clock))
    record: dict[str, t.Any] = {"by": by, "reason": wanted.reason, "at": at, "take_over": wanted.take_over}
    before: dict[str, t.Any] = {}
    after: dict[str, t.Any] = {}
    if wanted.name and wanted.remove:
        _check_unused(client, wanted)

    def edit_policies(found: Entries) -> dict[str, Edit]:
        return _noted(POLICIES, "spec", found, {wanted.name: wanted.spec}, before, after)

    def edit_assignments(found: Entries) -> dict[str, Edit]:
        named = {name.key: stanza for name, stanza in (wanted.assignments or {}).items()}
        return _noted(ASSIGNMENTS, "changeManagement", found, named, before, after)

    if wanted.name:
        edit_entries(client, POLICIES, edit_policies, **record)
    if wanted.assignments:
        edit_entries(client, ASSIGNMENTS, edit_assignments, **record)
    return Written(before, after, by, _outlook(client, policy, wanted.estimate))


def mark_site(client: ClusterClient, governed: bool | None) -> Written:
    """Mark the site as governed, or take the mark away; None leaves it as it is.

    The mark is on ClusterVersion: it outlives the namespace of the documents, and what is not assigned then is closed.
    """
    if governed is None:
        return Written({}, {}, "")
    found = client.get(CLUSTER_VERSION, THE_CLUSTER.name)
    if found is None:
        raise PolicyError("governed", "the cluster has no ClusterVersion", "Set governed in the guard of each play.")
    before = GOVERNED_SITE in (found["metadata"].get("annotations") or {})
    if before != governed:
        mark = {"metadata": {"annotations": {GOVERNED_SITE: "true" if governed else None}}}
        client.patch(CLUSTER_VERSION, THE_CLUSTER.name, mark)
    return Written({"governed": before}, {"governed": governed}, "")


def _noted(
    name: str,
    part: str,
    found: Entries,
    wanted: Mapping[str, Mapping[str, t.Any] | None],
    before: dict[str, t.Any],
    after: dict[str, t.Any],
) -> dict[str, Edit]:
    """Return the edits that bring ``part`` of each entry about, and note both states where they differ."""
    edits = {}
    for key, content in wanted.items():
        document = found.documents.get(key)
        held = (document or {}).get(part)
        damaged = key in found.faults
        if damaged or held != content:
            before[f"{name}/{key}"] = "unreadable" if damaged else held
            after[f"{name}/{key}"] = content
            others = {other for other in (document or {}) if other not in (part, "changes")}
            keep = content is not None or any((document or {})[other] is not None for other in others)
            edits[key] = Edit({part: content} if keep else None, "set" if content is not None else "removed")
    return edits


def _outlook(client: ClusterClient, policy: Policy | None, estimate: int | None) -> Outlook | None:
    """Return what the schedule of a policy comes to, None for none."""
    if policy is None or policy.strategy != SCHEDULE:
        return None
    work = longest_node(client) if estimate is None else estimate_of(estimate)
    return outlook(policy, instant_of(client.clock), work)


def _validated(wanted: Wanted) -> Policy | None:
    """Return the policy; raise PolicyError with all complaints at once."""
    policy, *_stanzas = gathered(
        lambda: _validated_policy(wanted),
        *(partial(_validated_stanza, name, stanza) for name, stanza in (wanted.assignments or {}).items()),
    )
    return t.cast("Policy | None", policy)


def _validated_policy(wanted: Wanted) -> Policy | None:
    if not wanted.name:
        return None
    if not NAME.fullmatch(wanted.name):
        raise PolicyError(
            "name", f"{wanted.name[:60]!r} is not a valid name", "Use lower-case letters, digits, - and ."
        )
    return None if wanted.remove else read_policy_spec(Field("spec", wanted.spec))


def _validated_stanza(name: ResourceName, stanza: Mapping[str, t.Any] | None) -> None:
    refuse_master(name)
    if stanza is not None:
        read_stanza(Field(f"assignments.{name.key}", stanza), {})


def _check_references(client: ClusterClient, wanted: Wanted) -> None:
    """Raise PolicyError for a stanza of a resource that does not exist, and for one that refers to no policy."""
    stanzas = {name.key: stanza for name, stanza in (wanted.assignments or {}).items() if stanza is not None}
    if not stanzas:
        return
    refuse_missing(read_resources(client), stanzas)
    stored = read_stored(client).policies
    known = {*stored.documents, *stored.faults, *([wanted.name] if wanted.name else [])}
    for key, stanza in stanzas.items():
        reference = reference_of(stanza)
        if reference and reference not in known:
            rule = f"Use one of {', '.join(sorted(known)[:20]) or 'none, there are none'}, or set allow_missing."
            raise PolicyError(f"assignments.{key}.byPolicy.name", f"there is no policy {reference}", rule)


def _check_unused(client: ClusterClient, wanted: Wanted) -> None:
    """Raise PolicyError while a remaining stanza refers to a policy that would be removed."""
    freed = {name.key for name in wanted.assignments or {}}
    stanzas = {key: one.get("changeManagement") for key, one in read_stored(client).assignments.documents.items()}
    users = [key for key, stanza in stanzas.items() if key not in freed and reference_of(stanza) == wanted.name]
    if users:
        rule = "Assign another policy to them first, or in the same task. A missing policy restricts change."
        raise PolicyError(f"policy {wanted.name}", f"{', '.join(sorted(users)[:10])} still refer to it", rule)
