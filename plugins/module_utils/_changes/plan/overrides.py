# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Overrides: for a time, or until it is ended, change is permitted or restricted whatever the stanza says.

One that begins at a date is an extra window, or a freeze. A restriction is in force over a permission.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    read_instant,
    write_instant,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import (
    PERMISSIVE,
    RESTRICTIVE,
    During,
    Reason,
    Timeline,
)

ALL, CONTROL_PLANE = "all", "control_plane"
SCOPES = (ALL, CONTROL_PLANE)
"""What an override of ClusterVersion binds: the control plane and all machine config pools, or the former alone."""


@dataclass(frozen=True)
class Override:
    """``start`` is None where it holds from the beginning, ``until`` is None where it lasts until it is ended.

    ``scope`` is that of one on ClusterVersion, empty for other resources.
    """

    permitted: bool
    until: int | None
    by: str
    reason: str
    start: int | None = None
    scope: str = ""

    @property
    def strategy(self) -> str:
        """Return the strategy that it stands for."""
        return PERMISSIVE if self.permitted else RESTRICTIVE

    @property
    def place(self) -> tuple[int | None, str]:
        """Return what distinguishes it from others of the same resource: one takes the place of another."""
        return (self.start, self.scope)

    def is_over(self, now: int) -> bool:
        """Return whether it has no effect any more."""
        return self.until is not None and self.until <= now

    def holds(self, now: int) -> bool:
        """Return whether it is in force."""
        return (self.start is None or self.start <= now) and not self.is_over(now)

    def as_data(self) -> dict[str, t.Any]:
        """Return the override as it is stored and shown."""
        instants = {"from": self.start, "until": self.until}
        written = {name: None if one is None else write_instant(one) for name, one in instants.items()}
        scope = {"scope": self.scope} if self.scope else {}
        return {"strategy": self.strategy, **written, **scope, "by": self.by, "reason": self.reason}


def under(base: Timeline, overrides: Iterable[Override]) -> Timeline:
    """Return ``base`` under the overrides; what the stanza says is back when they are over."""
    timeline = base
    for one in sorted(overrides, key=lambda override: not override.permitted):
        text = f"{one.by} set it {one.strategy.lower()}: {one.reason}"
        reason = Reason("Override", text, one.strategy)
        timeline = During(one.start, one.until, one.permitted, timeline, reason)
    return timeline


def read_overrides(field: Field, *, scoped: bool = False) -> tuple[Override, ...]:
    """Return the overrides in a list, of ClusterVersion if ``scoped``; raise PolicyError for one that breaks a rule."""
    return tuple(read_override(entry, scoped=scoped) for entry in field.entries()) if field.is_set else ()


def read_override(field: Field, *, scoped: bool = False) -> Override:
    """Return the override in ``field``; raise PolicyError for one that breaks a rule."""
    members = field.mapping("strategy", "from", "until", "by", "reason", *(["scope"] if scoped else []))
    permitted = members["strategy"].require().one_of((PERMISSIVE, RESTRICTIVE)) == PERMISSIVE
    start, until = members["from"], members["until"]
    if permitted and not until.is_set:
        raise until.broken("it is missing", "Set the end of the permission, or its duration.")
    override = Override(
        permitted=permitted,
        until=read_instant(until.value, until.path) if until.is_set else None,
        by=members["by"].require().text(),
        reason=members["reason"].require().text(),
        start=read_instant(start.value, start.path) if start.is_set else None,
        scope=members["scope"].require().one_of(SCOPES) if scoped else "",
    )
    if override.start is not None and override.is_over(override.start):
        raise until.broken(f"{until.value} is not after {start.value}", "Set an end after the start.")
    return override
