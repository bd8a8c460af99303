# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The changeManagement stanza of a resource, in every generation of the enhancement, recognised by its shape.

The latest text is native. The two earlier ones, called g2 (a reference to a policy, ``disabledUntil``,
``pausedUntil``) and g1 (the configuration inline), are translated. A stanza that mixes them is invalid.
Source: openshift/enhancements pull request 1571, "ChangeManagement Stanzas", in its revisions of 2024 and 2025.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    read_instant,
    write_instant,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.maintenance_schedules import (
    read_maintenance_schedule,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policies import fault, policy_timeline
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError, quoted
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import (
    PERMISSIVE,
    RESTRICTIVE,
    SCHEDULE,
    Always,
    During,
    Reason,
    Timeline,
)

RESOURCE_KINDS = ("ClusterVersion", "MachineConfigPool", "HostedCluster", "NodePool")

_UNTILS = ("disabledUntil", "pausedUntil")
_NATIVE = ("strategy", "byPolicy", "permissiveUntil", "restrictiveUntil")
_REFERRING = (*_UNTILS, "policy")
_INLINE = ("strategy", "config", *_UNTILS)
_NATIVE_STRATEGIES = ("ByPolicy", PERMISSIVE, RESTRICTIVE, "PermissiveUntil", "RestrictiveUntil")
_INLINE_STRATEGIES = (SCHEDULE, "Disabled", "Assisted", "Manual")

ABSENT: t.Final = object()
"""Stands for a resource that has no stanza at all; null in the place of one says nothing, and restricts."""

_ABSENT = Always(True, Reason("NoChangeManagement", "the resource has no change management", PERMISSIVE))
_PERMISSIVE = Always(True, Reason(PERMISSIVE, "the resource is permissive", PERMISSIVE))
_RESTRICTIVE = Always(False, Reason(RESTRICTIVE, "the resource is restrictive", RESTRICTIVE))

OPEN_BY_OLD_TEXT = (
    "An inline maintenance schedule without permit and exclude is permissive by the text of its time; the latest text "
    "restricts instead. Write what is meant."
)


@dataclass(frozen=True)
class ReadStanza:
    """What a stanza permits over time, and what a person should know about how it was read."""

    timeline: Timeline
    warnings: tuple[str, ...] = ()


def read_stanza(field: Field, policies: object) -> ReadStanza:
    """Return what a stanza means; raise PolicyError for one that breaks a rule.

    ABSENT stands for a resource without change management, which is permissive. An empty stanza, and null, is invalid:
    tools drop what was in it as easily as they drop nothing.
    """
    field = _unwrapped(field)
    if field.value is ABSENT:
        return ReadStanza(_ABSENT)
    if not isinstance(field.value, Mapping) or not field.value:
        raise field.broken(f"{quoted(field.value)} says nothing", "Leave the stanza out, or name a strategy in it.")
    keys = set(field.value)
    strategy = field.value.get("strategy")
    if "strategy" not in keys and keys <= set(_REFERRING):
        return ReadStanza(_referring(field, policies))
    if keys <= set(_INLINE) and (keys & {"config", *_UNTILS} or strategy in _INLINE_STRATEGIES):
        return _inline(field)
    if keys & {"config", *_REFERRING} and keys & set(_NATIVE):
        raise field.broken(
            f"it mixes {', '.join(sorted(map(str, keys)))}", "Use the fields of one generation of the enhancement only."
        )
    return ReadStanza(_native(field, policies))


def stanza_timeline(stanza: object, policies: object, path: str = "changeManagement") -> ReadStanza:
    """Return what a stanza means; one that breaks a rule restricts, with that as the reason."""
    try:
        return read_stanza(Field(path, stanza), policies)
    except PolicyError as error:
        return ReadStanza(fault("InvalidStanza", f"{error.on}: {error.seen}. {error.advice.rstrip('.')}"))


def _unwrapped(field: Field) -> Field:
    """Return the stanza itself where the whole resource, or its spec, was given."""
    if isinstance(field.value, Mapping) and field.value.get("kind") is not None:
        Field(f"{field.path}.kind", field.value["kind"]).one_of(RESOURCE_KINDS)
        spec = field.value.get("spec")
        if not isinstance(spec, Mapping):
            raise PolicyError("spec", f"{quoted(spec)} is not a mapping", "Give the whole resource, or its stanza.")
        return Field("spec.changeManagement", spec.get("changeManagement", ABSENT))
    if isinstance(field.value, Mapping) and set(field.value) == {"changeManagement"}:
        return Field("changeManagement", field.value["changeManagement"])
    return field


def _native(field: Field, policies: object) -> Timeline:
    members = field.mapping(*_NATIVE)
    strategy = members["strategy"].require().one_of(_NATIVE_STRATEGIES)
    for word, until in (("PermissiveUntil", "permissiveUntil"), ("RestrictiveUntil", "restrictiveUntil")):
        if members[until].is_set and strategy != word:
            raise members[until].broken(f"strategy is {strategy}", f"It may be given with strategy {word} only.")
    reference = members["byPolicy"]
    by_policy = _policy_named(reference, policies, "name") if reference.is_set else None
    if strategy == "ByPolicy":
        if by_policy is None:
            raise reference.broken("it is missing", "Strategy ByPolicy needs byPolicy with the name of a policy.")
        return by_policy
    if strategy in (PERMISSIVE, RESTRICTIVE):
        return _PERMISSIVE if strategy == PERMISSIVE else _RESTRICTIVE
    if strategy == "PermissiveUntil":
        return _until(members["permissiveUntil"].require(), True, by_policy or _RESTRICTIVE)
    return _until(members["restrictiveUntil"].require(), False, by_policy or _PERMISSIVE)


def _referring(field: Field, policies: object) -> Timeline:
    """Return what a g2 stanza means. What follows an expired until without a policy is as in the latest text."""
    members = field.mapping(*_REFERRING)
    if members["policy"].is_set:
        base = _policy_named(members["policy"], policies, "name", "namespace")
    else:
        base = _PERMISSIVE if members["pausedUntil"].is_set and not members["disabledUntil"].is_set else _RESTRICTIVE
    return _with_untils(members, base)


def _inline(field: Field) -> ReadStanza:
    """Return what a g1 stanza means; strategy Disabled heeds no until, and Manual is not paused by one."""
    members = field.mapping(*_INLINE)
    strategy = members["strategy"].require().one_of(_INLINE_STRATEGIES)
    warnings: tuple[str, ...] = ()
    config = members["config"].mapping("maintenanceSchedule", "assisted", "manual") if members["config"].is_set else {}
    if strategy == "Disabled":
        return ReadStanza(Always(True, Reason("Disabled", "change management is disabled", PERMISSIVE)))
    if strategy == SCHEDULE:
        inline = config["maintenanceSchedule"] if config else members["config"]
        schedule = read_maintenance_schedule(inline.require())
        base: Timeline = _PERMISSIVE if schedule.is_empty else schedule.timeline()
        warnings = (OPEN_BY_OLD_TEXT,) if schedule.is_empty else ()
    else:
        text = f"strategy {strategy} leaves it to a person to initiate changes"
        base = Always(False, Reason(strategy, text, RESTRICTIVE))
    return ReadStanza(_with_untils(members, base), warnings)


def _with_untils(members: Mapping[str, Field], base: Timeline) -> Timeline:
    """Return ``base`` under ``pausedUntil``, and both under ``disabledUntil``, which beats everything."""
    paused = members["pausedUntil"]
    if paused.is_set:
        base = _until(paused, False, base)
    disabled = members["disabledUntil"]
    return _until(disabled, True, base) if disabled.is_set else base


def _until(field: Field, first: bool, then: Timeline) -> Timeline:
    """Return ``then`` after an instant; the older texts also have "true" for ever and "false" for not at all."""
    name = field.path.rpartition(".")[2]
    strategy = PERMISSIVE if first else RESTRICTIVE
    older = name in _UNTILS
    if older and str(field.value).lower() in ("true", "false") and isinstance(field.value, (bool, str)):
        if str(field.value).lower() == "false":
            return then
        return Always(first, Reason(name, f"{name} is true", strategy))
    end = read_instant(field.value, field.path)
    return During(None, end, first, then, Reason(name, f"{name} is {write_instant(end)}", strategy))


def _policy_named(field: Field, policies: object, *known: str) -> Timeline:
    members = field.mapping(*known)
    namespace = members["namespace"].text(253) if "namespace" in members and members["namespace"].is_set else ""
    return policy_timeline(policies, members["name"].require().text(253), namespace)
