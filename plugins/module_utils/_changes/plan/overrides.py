# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""An override: for a time, or until somebody ends it, change is permitted or restricted whatever the stanza says."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    read_instant,
    write_instant,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import (
    PERMISSIVE,
    RESTRICTIVE,
    Always,
    Reason,
    Timeline,
    Until,
)


@dataclass(frozen=True)
class Override:
    """``until`` is the instant at which it is over, None when somebody has to end it; only a restriction may be so."""

    permitted: bool
    until: int | None
    by: str
    why: str

    @property
    def strategy(self) -> str:
        """Return the strategy that it stands for."""
        return PERMISSIVE if self.permitted else RESTRICTIVE

    def over(self, base: Timeline) -> Timeline:
        """Return ``base`` under this override; what the stanza says is back when it is over."""
        text = f"{self.by} set it {self.strategy.lower()}: {self.why}"
        reason = Reason("Override", text, self.strategy)
        return Always(self.permitted, reason) if self.until is None else Until(self.until, self.permitted, base, reason)

    def is_over(self, now: int) -> bool:
        """Return whether it has no effect any more."""
        return self.until is not None and self.until <= now

    def as_data(self) -> dict[str, t.Any]:
        """Return the override as it is stored and shown."""
        until = None if self.until is None else write_instant(self.until)
        return {"strategy": self.strategy, "until": until, "by": self.by, "why": self.why}


def read_override(field: Field) -> Override | None:
    """Return the override in ``field``, None where there is none; raise PolicyError for one that breaks a rule."""
    if not field.is_set:
        return None
    members = field.mapping("strategy", "until", "by", "why")
    strategy = members["strategy"].require().one_of((PERMISSIVE, RESTRICTIVE))
    until = members["until"]
    if strategy == PERMISSIVE and not until.is_set:
        raise until.broken("it is missing", "A permission ends: give the instant at which it does.")
    return Override(
        permitted=strategy == PERMISSIVE,
        until=read_instant(until.value, until.path) if until.is_set else None,
        by=members["by"].require().text(),
        why=members["why"].require().text(),
    )
