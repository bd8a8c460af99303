# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""What the journal says of nodes that the machine-config operator takes through by itself."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    DONE,
    DRAINING,
    FAILED,
    NodeRecord,
)

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.cordon import Hand
    from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import PoolProgress


def observed_entries(
    progress: PoolProgress, entries: Mapping[str, NodeRecord], ours: set[str], hand: Hand
) -> dict[str, NodeRecord]:
    """Return the entries that have become due, by node: begun, failed or done since the last look.

    ``ours`` are nodes that carry a record of their own; their steps write their entries.
    """
    due: dict[str, NodeRecord] = {}
    for name in progress.in_flight:
        entry = entries.get(name)
        if name in ours:
            continue
        if name in progress.degraded:
            reason = progress.reasons[name]
            known = entry if entry and entry.is_under_way else hand.begun()
            if (known.phase, known.reason) != (FAILED, reason[:600]):
                due[name] = hand.advanced(known, FAILED, reason)
        elif not (entry and entry.is_under_way):
            due[name] = hand.begun()
        elif entry.phase == FAILED:
            due[name] = entry.advanced(DRAINING, entry.times.get(DRAINING, hand.at))
    for name in progress.updated:
        entry = entries.get(name)
        if entry and entry.is_under_way and name not in ours:
            due[name] = hand.advanced(entry, DONE)
    return due
