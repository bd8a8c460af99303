# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long nodes took so far, and so how long the next one and the rest may take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import PoolProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import DONE, NodeRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds


def seconds_per_node(records: Iterable[NodeRecord]) -> float | None:
    """Return the median over the nodes that are done; None where none is."""
    return median_of(seconds for seconds in (record.seconds for record in records) if seconds is not None)


def median_of(seconds: Iterable[float]) -> float | None:
    """Return the median, None of nothing."""
    known = list(seconds)
    return float(median(known)) if known else None


def pool_estimate(
    progress: PoolProgress, records: Iterable[NodeRecord], given: int, earlier: Mapping[str, float] | None = None
) -> Estimate:
    """Return how long the next node of a pool takes, of one that updates require all that wait.

    They take as long as those took that are done according to their ``records``, else as the nodes of the pool took
    in ``earlier`` rollouts, else ``given`` seconds each, which may be 0 where nothing is known.
    """
    count = max(1, len(progress.waiting)) if progress.required else 1
    seconds = seconds_per_node(record for record in records if record.phase == DONE)
    if seconds is None:
        members = (*progress.updated, *progress.in_flight, *progress.waiting)
        seconds = median_of(taken for name, taken in (earlier or {}).items() if name in members)
    if seconds is None and not given:
        return Estimate()
    each = describe_seconds(round(given if seconds is None else seconds))
    told = f"the nodes of pool {progress.name} {'may take' if seconds is None else 'took'} {each} each"
    waiting = f", and {count} wait" if count > 1 else ""
    return Estimate((given if seconds is None else seconds) * count, f"{told}{waiting}")
