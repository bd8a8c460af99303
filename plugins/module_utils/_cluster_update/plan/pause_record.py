# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The record of a pause on the object that is paused: what stood there before, and what was put in its place."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.errors import PauseRecordError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import SCHEMA_VERSION_KEY

ANNOTATION = "fieldops-openshift/paused"
PAUSED_BY_ANNOTATION = "cluster.x-k8s.io/paused"
_SCHEMA = 1
_LONGEST = 20000

Path = tuple[str, ...]

PAUSE_REQUESTS: Path = ("spec", "pauseRequests")
"""Of a NodeHealthCheck: each entry is the request of one party, and it stands still while there is any."""

_MAY_BE_PAUSED: Mapping[str, frozenset[Path]] = {
    "ClusterAutoscaler": frozenset(
        {
            ("spec",),
            ("spec", "scaleDown"),
            ("spec", "scaleDown", "enabled"),
            ("spec", "resourceLimits"),
            ("spec", "resourceLimits", "maxNodesTotal"),
        }
    ),
    "MachineAutoscaler": frozenset({("spec", "minReplicas"), ("spec", "maxReplicas")}),
    "MachineHealthCheck": frozenset({("metadata", "annotations", PAUSED_BY_ANNOTATION)}),
    "NodeHealthCheck": frozenset({("spec",), PAUSE_REQUESTS}),
}
"""Where our record may lead to: it is written with rights that users who may annotate an object need not have."""


@dataclass(frozen=True)
class PausedField:
    """One field; ``was`` is None where there was none."""

    path: Path
    was: t.Any
    paused: t.Any


@dataclass(frozen=True)
class PauseRecord:
    """Who paused an object, when and why, and its fields; an object that was paused already has none."""

    by: str
    at: str
    reason: str
    fields: tuple[PausedField, ...]

    def as_text(self) -> str:
        """Return the value of the annotation."""
        fields = [{"path": list(one.path), "was": one.was, "paused": one.paused} for one in self.fields]
        document = {SCHEMA_VERSION_KEY: _SCHEMA, "by": self.by, "at": self.at, "reason": self.reason, "fields": fields}
        return json.dumps(document, sort_keys=True)

    @classmethod
    def on(cls, found: Mapping[str, t.Any]) -> PauseRecord | None:
        """Return the record that an object bears, None for one that we have not paused.

        Raise PauseRecordError for a record that cannot be ours: nothing is guessed and nothing restored from it.
        """
        metadata = found["metadata"]
        text = (metadata.get("annotations") or {}).get(ANNOTATION)
        if text is None:
            return None
        name = f"{found['kind']} {metadata['name']}"
        try:
            document = json.loads(text) if len(text) <= _LONGEST else None
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict) or document.get(SCHEMA_VERSION_KEY) != _SCHEMA:
            raise _damaged(name, "it is not a document of this version")
        return cls(
            by=_text(name, document, "by"),
            at=_text(name, document, "at"),
            reason=_text(name, document, "reason"),
            fields=_fields(name, found, document),
        )


def _text(name: str, document: Mapping[str, t.Any], key: str) -> str:
    value = document.get(key)
    if not isinstance(value, str):
        raise _damaged(name, f"its {key} is not a string")
    return value


def _fields(name: str, found: Mapping[str, t.Any], document: Mapping[str, t.Any]) -> tuple[PausedField, ...]:
    raw = document.get("fields")
    if not isinstance(raw, list):
        raise _damaged(name, "it has no list of fields")
    return tuple(_field(name, _MAY_BE_PAUSED[str(found["kind"])], one) for one in raw)


def _field(name: str, allowed: frozenset[Path], one: object) -> PausedField:
    path = one.get("path") if isinstance(one, dict) else None
    if not isinstance(one, dict) or not isinstance(path, list) or set(one) != {"path", "was", "paused"}:
        raise _damaged(name, "it has an invalid entry in its fields")
    if not all(isinstance(part, str) for part in path) or tuple(path) not in allowed:
        raise _damaged(name, f"it contains a field that is never paused: {path!r:.100}")
    return PausedField(tuple(path), one["was"], one["paused"])


def _damaged(name: str, seen: str) -> PauseRecordError:
    return PauseRecordError(
        "read the state before the pause",
        on=f"annotation {ANNOTATION} of {name}",
        seen=seen,
        advice="Correct the fields of the object, then remove the annotation.",
    )
