# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What lasts of change management in a cluster: policies, assignments and overrides in three ConfigMaps.

Overrides are apart, so that a GitOps controller can own the other two: it would set back an emergency stop. Every entry
is a JSON document of its own that carries who changed it, when and why, and the last such changes. An entry that cannot
be read restricts all that depends on it; it is never left out.
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError, quoted
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
    SCHEMA_VERSION_KEY,
)

POLICIES = "change-policies"
ASSIGNMENTS = "change-assignments"
OVERRIDES = "change-overrides"
SCHEMA_VERSION = "1"
CHANGED_BY = "fieldops.openshift/changed-by"
"""Annotation on the ConfigMaps: who changed them last, which the admission policy compares with the asker."""

MOST_CHANGES = 5
_PARTS = {
    POLICIES: ("spec", "changes"),
    ASSIGNMENTS: ("changeManagement", "changes"),
    OVERRIDES: ("overrides", "changes"),
}


@dataclass(frozen=True)
class Change:
    """Who changed an entry, when, why, and what was done."""

    by: str
    at: str
    reason: str
    did: str

    def as_data(self) -> dict[str, str]:
        """Return the change as it is stored."""
        return {"by": self.by, "at": self.at, "reason": self.reason, "did": self.did}


@dataclass(frozen=True)
class Entries:
    """The entries of one ConfigMap: documents by key, and what is wrong with those that could not be read."""

    name: str
    documents: Mapping[str, Mapping[str, t.Any]] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)
    resource_version: str | None = None

    @property
    def exists(self) -> bool:
        """Whether the ConfigMap was there."""
        return self.resource_version is not None


def read_entries(name: str, found: Mapping[str, t.Any] | None) -> Entries:
    """Return the entries of ConfigMap ``name``, none where it is absent.

    Raise PolicyError when the whole is of another format: then nothing in it can be relied on.
    """
    if found is None:
        return Entries(name)
    held = dict(found.get("data") or {})
    binary = dict.fromkeys(found.get("binaryData") or {}, "it is in binaryData")
    version = held.pop(SCHEMA_VERSION_KEY, None)
    if version != SCHEMA_VERSION:
        rule = f"Use the release of this collection that wrote it. This release supports format {SCHEMA_VERSION} only."
        raise PolicyError(f"ConfigMap {NAMESPACE}/{name}", f"{SCHEMA_VERSION_KEY} is {quoted(version)}", rule)
    read = {key: _document(name, text) for key, text in held.items()}
    documents = {key: one for key, one in read.items() if not isinstance(one, str)}
    faults = {**{key: one for key, one in read.items() if isinstance(one, str)}, **binary}
    return Entries(name, documents, faults, str(found["metadata"].get("resourceVersion", "")))


def with_overrides(assignments: Entries, overrides: Entries) -> Entries:
    """Return the assignments, each with the overrides of its resource, and the last changes of both.

    An entry whose overrides have ended only records who ended them: it assigns nothing.
    """
    held = {
        key: one for key, one in overrides.documents.items() if one.get("overrides") or key in assignments.documents
    }
    joined = {
        key: _joined(assignments.documents.get(key, {}), held.get(key, {})) for key in {**assignments.documents, **held}
    }
    return replace(assignments, documents=joined, faults={**assignments.faults, **overrides.faults})


def changed_document(name: str, before: Mapping[str, t.Any] | None, parts: Mapping[str, t.Any], change: Change) -> str:
    """Return an entry with new ``parts``, its last changes kept, as it is stored."""
    history = list((before or {}).get("changes") or ())
    merged = {**(before or {}), **parts}
    kept = {part: value for part, value in merged.items() if part in _PARTS[name] and value is not None}
    kept["changes"] = [change.as_data(), *history][:MOST_CHANGES]
    return json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def config_map(name: str, entries: Mapping[str, str | None], by: str) -> dict[str, t.Any]:
    """Return the body that creates or merges ConfigMap ``name`` with these entries; None removes one."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": name,
            "namespace": NAMESPACE,
            "labels": {PART_OF_LABEL: PART_OF},
            "annotations": {CHANGED_BY: by},
        },
        "data": {SCHEMA_VERSION_KEY: SCHEMA_VERSION, **entries},
    }


def _joined(assignment: Mapping[str, t.Any], override: Mapping[str, t.Any]) -> dict[str, t.Any]:
    listed = [one.get("changes") for one in (override, assignment)]
    changes = [change for one in listed if isinstance(one, list) for change in one if isinstance(change, dict)]
    changes.sort(key=lambda change: str(change.get("at")), reverse=True)
    return {**assignment, **override, **({"changes": changes[:MOST_CHANGES]} if changes else {})}


def _document(name: str, text: str) -> dict[str, t.Any] | str:
    """Return a stored entry, or in words what is wrong with it."""
    try:
        document = json.loads(text, object_pairs_hook=_without_repetition)
    except (ValueError, RecursionError) as error:
        return f"it is not JSON: {error}"
    if not isinstance(document, dict):
        return f"{quoted(document)} is not a mapping"
    unknown = sorted(set(document) - set(_PARTS[name]))
    if unknown:
        return f"it has the unknown fields {', '.join(unknown)[:200]}"
    if not set(document) - {"changes"}:
        return "it is empty"
    has_ended = name == OVERRIDES and document["overrides"] == []
    return {part: value for part, value in document.items() if part == "changes"} if has_ended else document


def _without_repetition(pairs: list[tuple[str, t.Any]]) -> dict[str, t.Any]:
    """Return a JSON object; one with a key twice means one thing to us and another one to others."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("it contains a key twice")
    return found
