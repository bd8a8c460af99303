# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a proof that is in progress notes on its MachineSet, so that the next run can take it to its end."""

from __future__ import annotations

import hashlib
import json
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import MalformedError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import SCHEMA_VERSION_KEY

ANNOTATION = "fieldops-openshift/boot-image-proof"
GROWING, SHRINKING = "growing", "shrinking"
SCHEMA_VERSION = "1"
_TEXTS = ("began", "by", "template", "phase", "machine", "node", "reason", "ended")


@dataclass(frozen=True)
class ProofNote:
    """The state to go back to, ``replicas`` and ``machines``, and how far the proof is.

    ``template`` is the digest of what the machine was made from, ``began`` and ``ended`` are micro times. With
    ``kept`` others have scaled the MachineSet since then, and their number stays.
    """

    began: str
    by: str
    template: str
    replicas: int
    machines: tuple[str, ...]
    phase: str = GROWING
    machine: str = ""
    node: str = ""
    proved: bool = False
    reason: str = ""
    ended: str = ""
    kept: bool = False

    def as_text(self) -> str:
        """Return the annotation."""
        return json.dumps({SCHEMA_VERSION_KEY: SCHEMA_VERSION, **vars(self), "machines": list(self.machines)})


def read_note(text: str) -> ProofNote:
    """Return what an annotation notes; raise MalformedError for one that is damaged or of a newer version."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get(SCHEMA_VERSION_KEY) != SCHEMA_VERSION:
        raise _malformed(text)
    replicas, machines = found.get("replicas"), found.get("machines")
    texts = {name: found.get(name) for name in _TEXTS}
    if (
        not isinstance(replicas, int)
        or not isinstance(machines, list)
        or found.get("phase") not in (GROWING, SHRINKING)
    ):
        raise _malformed(text)
    if not all(isinstance(one, str) for one in [*texts.values(), *machines]):
        raise _malformed(text)
    return ProofNote(
        **t.cast("dict[str, t.Any]", texts),
        replicas=replicas,
        machines=tuple(machines),
        proved=found.get("proved") is True,
        kept=found.get("kept") is True,
    )


def template_digest(provider: Document | None) -> str:
    """Return the digest of a provider's specification: what is proved is the whole template, not its image alone."""
    canonical = json.dumps(provider, sort_keys=True, separators=(",", ":"), default=str)
    return f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"


def _malformed(text: str) -> MalformedError:
    return MalformedError(
        "read the record of a proof",
        on=f"annotation {ANNOTATION}",
        seen=f"{text[:120]!r} is damaged, or written by a newer version of this collection",
        advice="Use that version. Or set the replicas of the MachineSet manually and remove the annotation.",
    )
