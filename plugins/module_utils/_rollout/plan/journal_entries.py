# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The journal of a rollout: a ConfigMap with one entry for each node."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import JournalError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
    SCHEMA_VERSION_KEY,
)

SCHEMA_VERSION = "1"
ROLLOUT_LABEL = "fieldops-openshift/rollout"
_NAME_PREFIX = "rollout-"
HEAD_KEY = "rolloutHead"
"""Key of what holds for the whole rollout. Its capital letter is in no name of a node."""


@dataclass(frozen=True)
class Journal:
    """What was written of one rollout; ``entries`` are by the node's name."""

    rollout: str
    target: str = ""
    started: str = ""
    by: str = ""
    entries: Mapping[str, NodeRecord] = field(default_factory=dict)
    resource_version: str = ""

    @property
    def exists(self) -> bool:
        """Whether anything has been written yet."""
        return bool(self.resource_version)


def journal_name(rollout: str) -> str:
    """Return the name of the ConfigMap that holds the journal."""
    return f"{_NAME_PREFIX}{rollout}"


def rollout_of(name: str) -> str:
    """Return the id of the rollout whose journal is the ConfigMap ``name``."""
    return name[len(_NAME_PREFIX) :]


def journal_of(config_map: Mapping[str, t.Any] | None, rollout: str) -> Journal:
    """Return the journal in a ConfigMap; raise JournalError or DamagedRecordError for one that we did not write so."""
    if config_map is None:
        return Journal(rollout)
    content = dict(config_map.get("data") or {})
    on = f"ConfigMap {NAMESPACE}/{journal_name(rollout)}"
    if content.pop(SCHEMA_VERSION_KEY, "") != SCHEMA_VERSION:
        raise _unusable(on, f"its {SCHEMA_VERSION_KEY} is not {SCHEMA_VERSION}")
    head = _head(content.pop(HEAD_KEY, ""), on)
    nodes = {name: text for name, text in content.items() if name == name.lower()}
    return Journal(
        rollout,
        target=str(head.get("target", "")),
        started=str(head.get("started", "")),
        by=str(head.get("by", "")),
        entries={name: NodeRecord.from_text(text, on=f"{on}, key {name}") for name, text in nodes.items()},
        resource_version=str(config_map["metadata"].get("resourceVersion") or ""),
    )


def new_journal(
    rollout: str, target: str, started: str, by: str, entries: Mapping[str, NodeRecord]
) -> dict[str, t.Any]:
    """Return the ConfigMap with which a journal begins."""
    head = json.dumps({"target": target, "started": started, "by": by}, sort_keys=True)
    return {
        "metadata": {
            "name": journal_name(rollout),
            "namespace": NAMESPACE,
            "labels": {PART_OF_LABEL: PART_OF, ROLLOUT_LABEL: rollout[:63].rstrip("-.")},
        },
        "data": {SCHEMA_VERSION_KEY: SCHEMA_VERSION, HEAD_KEY: head, **_texts(entries)},
    }


def further_entries(entries: Mapping[str, NodeRecord]) -> dict[str, t.Any]:
    """Return the merge patch that writes ``entries`` into a journal."""
    return {"data": _texts(entries)}


def _texts(entries: Mapping[str, NodeRecord]) -> dict[str, str]:
    return {name: record.as_text() for name, record in entries.items()}


def _head(text: str, on: str) -> dict[str, t.Any]:
    try:
        head = json.loads(text)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict):
        raise _unusable(on, f"its {HEAD_KEY} is not a JSON object")
    return head


def _unusable(on: str, seen: str) -> JournalError:
    return JournalError(
        "read the journal",
        on=on,
        seen=seen,
        advice="Use a different id. Another release of this collection or another program wrote the journal.",
    )
