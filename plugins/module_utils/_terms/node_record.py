# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a rollout writes on a node, in one annotation that is set in the same patch as the cordon."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import SCHEMA_VERSION_KEY

ROLLOUT_ANNOTATION = "fieldops-openshift/rollout"
SCHEMA_VERSION = 1

WAITING = "waiting"
DRAINING = "draining"
DRAINED = "drained"
CHANGING = "changing"
REBOOTING = "rebooting"
FAILED = "failed"
DONE = "done"
SKIPPED = "skipped"
ABORTED = "aborted"

PASSAGE = (DRAINING, DRAINED, CHANGING, REBOOTING)
"""The phases of a node in a rollout, in order; each is written before the work that it names starts."""

PHASES = (WAITING, *PASSAGE, FAILED, DONE, SKIPPED, ABORTED)

_LONGEST_REASON = 600


class DamagedRecordError(FieldOpsError):
    """A record on a node is damaged, or was written by an unknown release of this collection."""

    kind = "damaged_record"


@dataclass(frozen=True)
class NodeRecord:
    """Where one node stands in one rollout.

    ``since`` and ``times`` (phase to instant) are MicroTimes. ``rollout`` is empty for a node that was taken outside
    any. ``target`` says what the roll is for, ``holder`` who held the lock. ``boot_id`` and ``heartbeat`` are the
    node's from before its reboot. ``failed_in`` is the phase in which a failed node stopped. ``found_unschedulable``
    shows a cordon that existed before ours. ``broken`` names what was broken on the node before its rollout started.
    """

    phase: str
    since: str
    rollout: str = ""
    target: str = ""
    holder: str = ""
    by: str = ""
    reason: str = ""
    failed_in: str = ""
    boot_id: str = ""
    heartbeat: str = ""
    found_unschedulable: bool = False
    broken: tuple[str, ...] = ()
    times: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_under_way(self) -> bool:
        """Whether the rollout of the node has started and not ended; a failed node waits for another attempt."""
        return self.phase in PASSAGE or self.phase == FAILED

    @property
    def resumes_in(self) -> str:
        """The phase in which the rollout of the node continues, empty for a node that has not started."""
        if not self.is_under_way:
            return ""
        return (self.failed_in or DRAINING) if self.phase == FAILED else self.phase

    @property
    def seconds(self) -> float | None:
        """How many seconds the node took from its cordon until it was done, None unless both are known."""
        begun, ended = (instant_of(self.times.get(phase, "")) for phase in (DRAINING, DONE))
        if begun is None or ended is None or ended < begun:
            return None
        return (ended - begun).total_seconds()

    def advanced(self, phase: str, at: str, **changes: t.Any) -> NodeRecord:
        """Return this record in ``phase`` since ``at``; never earlier than it was, whatever the clock says."""
        at = max(at, self.since)
        reason = str(changes.pop("reason", ""))[:_LONGEST_REASON]
        failed_in = self.resumes_in if phase == FAILED else ""
        times = {**self.times, phase: at}
        return replace(self, phase=phase, since=at, reason=reason, failed_in=failed_in, times=times, **changes)

    def as_data(self) -> dict[str, t.Any]:
        """Return the record in the words of module results."""
        known = {one.name: getattr(self, one.name) for one in fields(self)}
        return {**known, "broken": list(self.broken), "times": dict(self.times)}

    def as_text(self) -> str:
        """Return the record as the annotation's value; empty parts are left out."""
        known = {name: value for name, value in self.as_data().items() if value}
        return json.dumps({SCHEMA_VERSION_KEY: SCHEMA_VERSION, **known}, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str, *, on: str) -> NodeRecord:
        """Return the record that ``text`` holds; ``on`` names where it stands, for DamagedRecordError."""
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        problem = _problem(found)
        if problem:
            raise DamagedRecordError(
                "read the record of a rollout",
                on=on,
                seen=problem,
                advice=f"Check the annotation {ROLLOUT_ANNOTATION}; remove it if no rollout is in progress on that "
                "node.",
            )
        known = {one.name for one in fields(cls)}
        found["broken"] = tuple(found.get("broken", ()))
        return cls(**{name: value for name, value in found.items() if name in known})

    @classmethod
    def of(cls, node: Mapping[str, t.Any]) -> NodeRecord | None:
        """Return the record on a Node object, None where there is none; raise DamagedRecordError."""
        metadata = node["metadata"]
        text = (metadata.get("annotations") or {}).get(ROLLOUT_ANNOTATION)
        return None if text is None else cls.from_text(text, on=f"Node {metadata['name']}")


def _problem(found: t.Any) -> str:
    """Return what is wrong with a decoded record, nothing if it can be used."""
    if not isinstance(found, dict):
        return "it is not a JSON object"
    if found.get(SCHEMA_VERSION_KEY) != SCHEMA_VERSION:
        return (
            f"its {SCHEMA_VERSION_KEY} is {str(found.get(SCHEMA_VERSION_KEY))[:40]!r}, and only {SCHEMA_VERSION} "
            "is supported"
        )
    texts = [one.name for one in fields(NodeRecord) if one.name not in ("found_unschedulable", "broken", "times")]
    wrong = [name for name in texts if not isinstance(found.get(name, ""), str)]
    times = found.get("times", {})
    if not isinstance(times, dict) or not all(isinstance(value, str) for value in times.values()):
        wrong.append("times")
    if not isinstance(found.get("found_unschedulable", False), bool):
        wrong.append("found_unschedulable")
    broken = found.get("broken", [])
    if not isinstance(broken, list) or not all(isinstance(value, str) for value in broken):
        wrong.append("broken")
    missing = [name for name in ("phase", "since") if name not in found]
    if wrong or missing:
        return f"these of its fields are missing or of the wrong type: {', '.join([*missing, *wrong])}"
    return "" if found["phase"] in PHASES else f"its phase is {found['phase'][:40]!r}"
