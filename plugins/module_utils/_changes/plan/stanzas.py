# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The changeManagement stanza of a resource.

Source: openshift/enhancements pull request 1571, "ChangeManagement Stanzas", in its latest text. The forms of earlier
texts are refused like anything else that is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    read_instant,
    write_instant,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policies import fault, policy_timeline
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError, quoted
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import (
    PERMISSIVE,
    RESTRICTIVE,
    Always,
    During,
    Reason,
    Timeline,
)

RESOURCE_KINDS = ("ClusterVersion", "MachineConfigPool", "HostedCluster", "NodePool")
FIELDS = ("strategy", "byPolicy", "permissiveUntil", "restrictiveUntil")
STRATEGIES = ("ByPolicy", PERMISSIVE, RESTRICTIVE, "PermissiveUntil", "RestrictiveUntil")

ABSENT: Final = object()
"""Stands for a resource that has no stanza at all; null in the place of one says nothing, and restricts."""

_ABSENT = Always(True, Reason("NoChangeManagement", "the resource has no change management", PERMISSIVE))
_PERMISSIVE = Always(True, Reason(PERMISSIVE, "the resource is permissive", PERMISSIVE))
_RESTRICTIVE = Always(False, Reason(RESTRICTIVE, "the resource is restrictive", RESTRICTIVE))


def read_stanza(field: Field, policies: object) -> Timeline:
    """Return what a stanza means; raise PolicyError for one that breaks a rule.

    ABSENT stands for a resource without change management, which is permissive. An empty stanza, and null, is invalid:
    tools drop what was in it as easily as they drop nothing.
    """
    field = _unwrapped(field)
    if field.value is ABSENT:
        return _ABSENT
    if not isinstance(field.value, Mapping) or not field.value:
        raise field.broken(f"{quoted(field.value)} is not a stanza", "Omit the stanza, or set a strategy in it.")
    strategy, name, permissive, restrictive = field.parts(
        strategy=lambda one: one.require().one_of(STRATEGIES),
        byPolicy=lambda one: one.optional(_name_of_policy),
        permissiveUntil=lambda one: one.optional(_instant),
        restrictiveUntil=lambda one: one.optional(_instant),
    )
    _require_what_belongs_to(strategy, field, dict(zip(FIELDS[1:], (name, permissive, restrictive))))
    by_policy = policy_timeline(policies, name) if name is not None else None
    if strategy == "PermissiveUntil":
        return _until(permissive, "permissiveUntil", True, by_policy or _RESTRICTIVE)
    if strategy == "RestrictiveUntil":
        return _until(restrictive, "restrictiveUntil", False, by_policy or _PERMISSIVE)
    if strategy == "ByPolicy" and by_policy is not None:
        return by_policy
    return _PERMISSIVE if strategy == PERMISSIVE else _RESTRICTIVE


def stanza_timeline(stanza: object, policies: object, path: str = "changeManagement") -> Timeline:
    """Return what a stanza means; one that breaks a rule restricts, with that as the reason."""
    try:
        return read_stanza(Field(path, stanza), policies)
    except PolicyError as error:
        return fault("InvalidStanza", f"{error.on}: {error.seen}. {error.advice.rstrip('.')}")


def reference_of(stanza: object) -> str:
    """Return the name of the policy that ``stanza`` refers to, empty for none."""
    found = stanza.get("byPolicy") if isinstance(stanza, Mapping) else None
    name = found.get("name") if isinstance(found, Mapping) else None
    return name if isinstance(name, str) else ""


def _unwrapped(field: Field) -> Field:
    """Return the stanza itself where the whole resource, or its spec, was given."""
    if isinstance(field.value, Mapping) and field.value.get("kind") is not None:
        Field(f"{field.path}.kind", field.value["kind"]).one_of(RESOURCE_KINDS)
        spec = field.value.get("spec")
        if not isinstance(spec, Mapping):
            raise PolicyError("spec", f"{quoted(spec)} is not a mapping", "Specify the whole resource, or its stanza.")
        return Field("spec.changeManagement", spec.get("changeManagement", ABSENT))
    if isinstance(field.value, Mapping) and set(field.value) == {"changeManagement"}:
        return Field("changeManagement", field.value["changeManagement"])
    return field


def _require_what_belongs_to(strategy: str, field: Field, given: Mapping[str, object]) -> None:
    """Raise PolicyError for a strategy without its own member, and for an instant with another strategy."""
    for member, value in given.items():
        word = f"{member[:1].upper()}{member[1:]}"
        if word == strategy and value is None:
            raise PolicyError(f"{field.path}.{member}", "it is missing", f"Set it with strategy {word}.")
        if word != strategy and value is not None and member != "byPolicy":
            raise PolicyError(f"{field.path}.{member}", f"strategy is {strategy}", f"Set it with strategy {word} only.")


def _until(end: int, name: str, first: bool, then: Timeline) -> Timeline:
    """Return ``then`` after an instant."""
    reason = Reason(name, f"{name} is {write_instant(end)}", PERMISSIVE if first else RESTRICTIVE)
    return During(None, end, first, then, reason)


def _instant(field: Field) -> int:
    return read_instant(field.value, field.path)


def _name_of_policy(field: Field) -> str:
    (name,) = field.parts(name=lambda one: one.require().text(253))
    return str(name)
