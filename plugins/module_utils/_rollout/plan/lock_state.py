# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The lock of a cluster: who holds it, since when, and when others may take it.

Its age goes by the clock of the API server alone, which stamps each change of a field: clocks of two machines differ.
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.written_fields import writer_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of, micro_time
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
    SCHEMA_VERSION_KEY,
)

LEASE_NAME = "rollout"
DURATION = 900
"""Seconds after the last renewal during which no one else may take the lock."""

RENEWAL = ("f:spec", "f:renewTime")

BY_ANNOTATION = "fieldops-openshift/held-by"
PROCESS_ANNOTATION = "fieldops-openshift/holder-process"
BROKEN_ANNOTATION = "fieldops-openshift/broken"


@dataclass(frozen=True)
class LockState:
    """A Lease as the lock of a cluster; ``by`` is the API's name of the user, ``process`` what is known of it.

    ``renewed`` is the holder's time of its last renewal, ``stamped`` the API server's.
    """

    holder: str = ""
    by: str = ""
    acquired: str = ""
    renewed: str = ""
    stamped: str = ""
    duration: int = DURATION
    transitions: int = 0
    process: Mapping[str, t.Any] = field(default_factory=dict)
    resource_version: str = ""

    @classmethod
    def of(cls, lease: Mapping[str, t.Any] | None) -> LockState:
        """Return the state that a Lease object of coordination.k8s.io/v1 holds; without one the lock is free."""
        if lease is None:
            return cls()
        spec = lease.get("spec") or {}
        metadata = lease["metadata"]
        notes = metadata.get("annotations") or {}
        writer = writer_of(lease, RENEWAL)
        return cls(
            holder=spec.get("holderIdentity") or "",
            by=notes.get(BY_ANNOTATION, ""),
            acquired=spec.get("acquireTime") or "",
            renewed=spec.get("renewTime") or "",
            stamped=writer.at if writer else "",
            duration=int(spec.get("leaseDurationSeconds") or DURATION),
            transitions=int(spec.get("leaseTransitions") or 0),
            process=_process(notes.get(PROCESS_ANNOTATION, "")),
            resource_version=str(metadata.get("resourceVersion") or ""),
        )

    @property
    def exists(self) -> bool:
        """Whether there is a Lease at all."""
        return bool(self.resource_version)

    @property
    def expires(self) -> str:
        """When the lock may be taken if it is not renewed; empty if it is free, or the server has no time for it."""
        stamped = instant_of(self.stamped)
        return micro_time(stamped + timedelta(seconds=self.duration)) if self.holder and stamped else ""

    def unrenewed_for(self, now: datetime | None) -> float:
        """Return for how many seconds it has not been renewed, ``now`` on the server; zero where that is not known."""
        stamped = instant_of(self.stamped)
        return (now - stamped).total_seconds() if now and stamped else 0.0

    @property
    def words(self) -> str:
        """Who holds the lock since when, as a phrase."""
        user = f" (as {self.by})" if self.by else ""
        return f"{self.holder}{user} has held it since {_short(self.acquired)}, last renewed at {_short(self.renewed)}"

    def as_data(self) -> dict[str, t.Any]:
        """Return the lock as module results show it."""
        return {
            "holder": self.holder,
            "by": self.by,
            "since": self.acquired if self.holder else "",
            "renewed": self.renewed if self.holder else "",
            "expires": self.expires,
            "transitions": self.transitions,
        }


def taken(before: LockState, holder: str, by: str, process: Mapping[str, t.Any], now: str) -> dict[str, t.Any]:
    """Return the Lease by which ``holder`` takes the lock, the body of a create or of a merge patch."""
    notes: dict[str, t.Any] = {BY_ANNOTATION: by, SCHEMA_VERSION_KEY: "1", BROKEN_ANNOTATION: None}
    notes[PROCESS_ANNOTATION] = json.dumps(process, sort_keys=True) if process else None
    if not before.exists:
        notes = {name: value for name, value in notes.items() if value is not None}
    return {
        "metadata": {
            "name": LEASE_NAME,
            "namespace": NAMESPACE,
            "labels": {PART_OF_LABEL: PART_OF},
            "annotations": notes,
        },
        "spec": {
            "holderIdentity": holder,
            "leaseDurationSeconds": DURATION,
            "acquireTime": now,
            "renewTime": now,
            "leaseTransitions": before.transitions + 1 if before.exists else 0,
        },
    }


def released(note: Mapping[str, str] | None = None) -> dict[str, t.Any]:
    """Return the merge patch that releases the lock; ``note`` states who broke it and why."""
    notes: dict[str, t.Any] = {PROCESS_ANNOTATION: None}
    if note:
        notes[BROKEN_ANNOTATION] = json.dumps(note, sort_keys=True)
    return {"metadata": {"annotations": notes}, "spec": {"holderIdentity": None}}


def _short(time: str) -> str:
    return f"{time[:19]}Z" if instant_of(time) else time or "an unknown time"


def _process(text: str) -> Mapping[str, t.Any]:
    try:
        found = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
