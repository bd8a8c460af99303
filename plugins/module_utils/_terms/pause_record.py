# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What this collection writes on a MachineConfigPool that it pauses or opens, for all that look at the pool."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import SCHEMA_VERSION_KEY

PAUSE_ANNOTATION = "fieldops-openshift/pause"
REQUIRED_LABEL = "operator.machineconfiguration.openshift.io/required-for-upgrade"
"""On pools without which the machine-config operator ends no update: master and arbiter (its pkg/operator/sync.go)."""

SCHEMA_VERSION = 1

FOUND_OPEN, FOUND_PAUSED, FOUND_FOREIGN = "open", "paused", "foreign"
"""How a rollout has found a pool: open, paused by this collection outside any rollout, or paused by others."""


@dataclass(frozen=True)
class PauseRecord:
    """Who paused a pool, or opened it if not ``paused``, when and why; ``rollout`` is empty outside of any.

    ``found`` is how the first rollout that changed the pool has found it: FOUND_OPEN, FOUND_PAUSED or FOUND_FOREIGN.
    """

    paused: bool
    at: str
    by: str = ""
    rollout: str = ""
    reason: str = ""
    found: str = ""

    @property
    def words(self) -> str:
        """Who did what, when and why, as a phrase."""
        why = f": {self.reason}" if self.reason else ""
        where = f" in rollout {self.rollout}" if self.rollout else ""
        return f"{'paused' if self.paused else 'opened'} by {self.by or 'unknown'} at {self.at[:19]}Z{where}{why}"

    def as_text(self) -> str:
        """Return the record as the annotation's value."""
        return json.dumps({SCHEMA_VERSION_KEY: SCHEMA_VERSION, **asdict(self)}, sort_keys=True, separators=(",", ":"))

    @classmethod
    def of(cls, pool: Mapping[str, t.Any]) -> PauseRecord | None:
        """Return the record on a MachineConfigPool, None where there is none that we can read.

        An unreadable one counts as another user's pause, which is the careful side.
        """
        text = (pool["metadata"].get("annotations") or {}).get(PAUSE_ANNOTATION, "")
        try:
            found = json.loads(text) if text else None
        except (ValueError, RecursionError):
            return None
        if not isinstance(found, dict) or found.get(SCHEMA_VERSION_KEY) != SCHEMA_VERSION:
            return None
        known = {one.name: found.get(one.name, "") for one in fields(cls)}
        texts = all(isinstance(value, str) for name, value in known.items() if name != "paused")
        return cls(**known) if texts and isinstance(known["paused"], bool) else None
