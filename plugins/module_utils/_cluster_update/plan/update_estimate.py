# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long an update of this cluster takes, by those that it has been through."""

from __future__ import annotations

from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import (
    HistoryEntry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

RECENT = 3
"""How many updates are looked at: earlier ones were of another size."""


def update_estimate(history: Sequence[HistoryEntry]) -> Estimate:
    """Return the shortest of the last few updates that were completed, an empty one where there was none.

    ``history`` is newest first, and its last entry is the installation. A longer one may have waited for a window or
    for a repair, which says nothing of the next one.
    """
    known = [(seconds, entry.version) for entry in history[:-1] if (seconds := _seconds(entry))]
    if not known:
        return Estimate()
    seconds, version = min(known[:RECENT])
    return Estimate(seconds, f"the update to {version} took {describe_seconds(round(seconds))}")


def _seconds(entry: HistoryEntry) -> float | None:
    started, completed = instant_of(entry.started), instant_of(entry.completed)
    if entry.state != "Completed" or started is None or completed is None:
        return None
    return (completed - started).total_seconds()
