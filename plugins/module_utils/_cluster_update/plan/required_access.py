# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The accesses to the API that roles of Kubernetes grant, and which of them a user lacks."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

ROLES = ("ClusterRole", "Role")
EVERYTHING = {"verb": "*", "group": "*", "resource": "*"}
"""What a cluster administrator is allowed, as attributes of a SelfSubjectAccessReview."""


@dataclass(frozen=True)
class Access:
    """One verb on one resource, as RBAC grants it; ``resource`` may have a subresource: ``pods/eviction``.

    ``name`` and ``namespace`` are empty where the access is not limited to one. ``role`` is the role that grants it.
    """

    verb: str
    group: str
    resource: str
    name: str
    namespace: str
    role: str

    def as_attributes(self) -> dict[str, str]:
        """Return it as a SelfSubjectAccessReview describes it."""
        resource, _slash, subresource = self.resource.partition("/")
        known = {"verb": self.verb, "group": self.group, "resource": resource, "subresource": subresource}
        return {key: value for key, value in {**known, "name": self.name, "namespace": self.namespace}.items() if value}

    def as_data(self) -> dict[str, str]:
        """Return it as module results show it."""
        resource = f"{self.resource}.{self.group}" if self.group else self.resource
        return {
            "verb": self.verb,
            "resource": resource,
            "name": self.name,
            "namespace": self.namespace,
            "role": self.role,
        }


def accesses_of(manifests: Iterable[Mapping[str, t.Any]]) -> list[Access]:
    """Return every access that the roles in ``manifests`` grant, once. Lists are unfolded, other kinds are skipped.

    Raise InvalidInputError for what is no manifest, and where there are manifests without any role.
    """
    objects = [one for manifest in manifests for one in _unfolded(manifest)]
    roles = [one for one in objects if one["kind"] in ROLES]
    if objects and not roles:
        raise _unusable(f"there is no {' or '.join(ROLES)} in them")
    return list(dict.fromkeys(access for role in roles for access in _granted(role)))


def _unfolded(manifest: Mapping[str, t.Any]) -> Iterator[Mapping[str, t.Any]]:
    if manifest.get("kind") == "List":
        for one in manifest.get("items") or []:
            yield from _unfolded(one)
    elif manifest.get("kind") and (manifest.get("metadata") or {}).get("name"):
        yield manifest
    else:
        raise _unusable(f"an object of kind {str(manifest.get('kind'))[:100]} has no kind or no name")


def _unusable(seen: str) -> InvalidInputError:
    advice = "Specify the content of files of extensions/rbac, or other roles of Kubernetes."
    return InvalidInputError("read the required permissions", on="the option manifests", seen=seen, advice=advice)


def _granted(role: Mapping[str, t.Any]) -> Iterator[Access]:
    metadata = role["metadata"]
    namespace = str(metadata.get("namespace") or "")
    for rule in role.get("rules") or []:
        for group in rule.get("apiGroups") or []:
            for resource in rule.get("resources") or []:
                for verb in rule.get("verbs") or []:
                    for name in rule.get("resourceNames") or [""]:
                        yield Access(verb, group, resource, name, namespace, str(metadata["name"]))


def access_sentence(user: str, denied: Iterable[Access], complaint: str) -> str:
    """Return what prevents the user from working, as one line; ``complaint`` is about clocks that differ."""
    roles = list(dict.fromkeys(access.role for access in denied))
    told = [f"{user} does not have all permissions of {', '.join(roles)}"] if roles else []
    return "; ".join([*told, *filter(None, [complaint])]) or f"{user} has all required permissions"
