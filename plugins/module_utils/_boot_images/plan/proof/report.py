# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A proof as results show it."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.moves import (
    ProofMove,
    ProofObservation,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.note import ProofNote
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.records import ProofRecord


def proof_data(observation: ProofObservation, move: ProofMove) -> dict[str, t.Any]:
    """Return the proof that is in progress or has just ended, or the record of the last one, as the modules return
    it."""
    note = move.note or observation.note
    return {
        "machine_set": observation.resource.name,
        "proof": note_data(note) if note else record_data(observation.record),
    }


def note_data(note: ProofNote) -> dict[str, t.Any]:
    """Return a proof that is in progress."""
    shown = ("phase", "template", "machine", "node", "proved", "reason", "began", "ended", "by", "replicas")
    return {name: getattr(note, name) for name in shown}


def record_data(record: ProofRecord | None) -> dict[str, t.Any]:
    """Return the record of a proof, empty where there is none."""
    if record is None:
        return {}
    return {"phase": "recorded", **{name: one for name, one in record.as_data().items() if name != "machine_set"}}
