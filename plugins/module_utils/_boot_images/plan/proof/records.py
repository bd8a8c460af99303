# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The record of proofs: one ConfigMap, of each MachineSet its last one."""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    Object,
    as_mapping,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.note import ProofNote
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
    SCHEMA_VERSION_KEY,
)

CONFIG_MAP_NAME = "boot-image-proofs"
SCHEMA_VERSION = "1"
MOST = 1000
"""Records that are kept; more would not fit into a ConfigMap, which holds at most 1 MiB."""

_TEXTS = ("machine_set", "template", "reason", "machine", "node", "began", "ended", "by")


@dataclass(frozen=True)
class ProofRecord:
    """What came of the last proof of a MachineSet; ``restored`` says whether it is as it was before."""

    machine_set: str
    template: str
    proved: bool
    reason: str = ""
    machine: str = ""
    node: str = ""
    began: str = ""
    ended: str = ""
    by: str = ""
    restored: bool = True

    @classmethod
    def of_note(cls, machine_set: str, note: ProofNote, *, restored: bool) -> ProofRecord:
        """Return the record of a proof that has come to its end."""
        return cls(
            machine_set,
            note.template,
            note.proved,
            note.reason,
            note.machine,
            note.node,
            note.began,
            note.ended,
            note.by,
            restored,
        )

    def as_data(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        return dict(vars(self))


def read_records(found: Object | None) -> dict[str, ProofRecord]:
    """Return the records by MachineSet. What cannot be read counts as not proved: the proof is then done again."""
    content = as_mapping(as_mapping(found).get("data"))
    if content.get(SCHEMA_VERSION_KEY) != SCHEMA_VERSION:
        return {}
    read = (_read(str(text)) for key, text in content.items() if key != SCHEMA_VERSION_KEY)
    return {one.machine_set: one for one in read if one is not None}


def record_body(found: Object | None, record: ProofRecord) -> dict[str, t.Any]:
    """Return what creates the ConfigMap, or is merged into it, to store ``record``; the oldest beyond MOST go."""
    others = [one for name, one in read_records(found).items() if name != record.machine_set]
    gone = sorted(others, key=lambda one: one.ended, reverse=True)[MOST - 1 :]
    content: dict[str, str | None] = {one.machine_set: None for one in gone}
    content |= {SCHEMA_VERSION_KEY: SCHEMA_VERSION, record.machine_set: json.dumps(record.as_data())}
    metadata = {"name": CONFIG_MAP_NAME, "namespace": NAMESPACE, "labels": {PART_OF_LABEL: PART_OF}}
    return {"metadata": metadata, "data": content}


def _read(text: str) -> ProofRecord | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not all(isinstance(found.get(name), str) for name in _TEXTS):
        return None
    texts = {name: found[name] for name in _TEXTS}
    return ProofRecord(**texts, proved=found.get("proved") is True, restored=found.get("restored") is True)
