# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The fsync latency of etcd, from the difference between two readings of its histogram. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

METRIC = "etcd_disk_wal_fsync_duration_seconds"
QUANTILE = 0.99

_NUMBER = r"[0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?"
_BUCKET = re.compile(
    rf'^{METRIC}_bucket{{[^}}]*\ble="({_NUMBER}|\+Inf)"[^}}]*}} ({_NUMBER})$', re.MULTILINE | re.IGNORECASE
)


def flush_buckets(metrics: str) -> dict[float, float]:
    """Return how many flushes took no longer than each bound, in seconds; nothing where ``metrics`` do not contain it.

    They are in the text format of Prometheus, and the last bound is infinite.
    """
    return dict(sorted((float(bound), float(count)) for bound, count in _BUCKET.findall(metrics)))


def slowest_between(before: Mapping[float, float], after: Mapping[float, float]) -> float | None:
    """Return how many seconds 99 of 100 flushes between two looks took at most; None where there were none.

    It is estimated as Prometheus does: flushes are spread evenly over a bucket. Beyond the last finite bound it is that
    bound. A server that restarted in between has counted since then.
    """
    began_anew = any(after.get(bound, 0.0) < count for bound, count in before.items())
    counted = {bound: count - (0.0 if began_anew else before.get(bound, 0.0)) for bound, count in after.items()}
    wanted = QUANTILE * max(counted.values(), default=0.0)
    lower, below = 0.0, 0.0
    for bound, count in counted.items():
        if count >= wanted > 0:
            within = (wanted - below) / (count - below)
            return lower if math.isinf(bound) else lower + (bound - lower) * within
        lower, below = bound, count
    return None
