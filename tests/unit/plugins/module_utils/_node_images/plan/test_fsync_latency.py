# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What etcd's histogram tells of the time between two looks."""

from __future__ import annotations

import math

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.fsync_latency import (
    flush_buckets,
    slowest_between,
)

INF = math.inf
METRICS = """\
# HELP etcd_disk_wal_fsync_duration_seconds The latency distributions of fsync called by WAL.
# TYPE etcd_disk_wal_fsync_duration_seconds histogram
etcd_disk_wal_fsync_duration_seconds_bucket{le="0.001"} 12
etcd_disk_wal_fsync_duration_seconds_bucket{le="0.002"} 1.5e+02
etcd_disk_wal_fsync_duration_seconds_bucket{le="+Inf"} 151
etcd_disk_wal_fsync_duration_seconds_sum 0.3
etcd_disk_wal_fsync_duration_seconds_count 151
etcd_disk_backend_commit_duration_seconds_bucket{le="0.001"} 7
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (METRICS, {0.001: 12, 0.002: 150, INF: 151}),
        ('etcd_disk_wal_fsync_duration_seconds_bucket{job="etcd",le="0.5"} 3\n', {0.5: 3}),
        ('etcd_disk_wal_fsync_duration_seconds_bucket{le="0.5"} many\n', {}),
        ('etcd_disk_wal_fsync_duration_seconds_bucket{le="high"} 1\n', {}),
        ("<html>not found</html>", {}),
        ("", {}),
    ],
    ids=["etcd", "more labels", "no count", "no bound", "no metrics", "nothing"],
)
def test_the_histogram_is_read(text: str, expected: dict[float, float]) -> None:
    assert flush_buckets(text) == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, {}, None),
        ({1: 5, INF: 5}, {1: 5, INF: 5}, None),
        ({}, {1: 100, INF: 100}, 0.99),
        ({1: 100, INF: 100}, {1: 200, INF: 200}, 0.99),
        ({1: 900, 2: 900, INF: 900}, {1: 900, 2: 1000, INF: 1000}, 1.99),
        ({}, {1: 98, 2: 100, INF: 100}, 1.5),
        ({}, {1: 50, 2: 50, INF: 100}, 2),
        ({}, {INF: 10}, 0),
        ({1: 900, 2: 900, INF: 900}, {1: 0, 2: 100, INF: 100}, 1.99),
    ],
    ids=[
        "nothing at all",
        "no flush in between",
        "all in one bucket",
        "what was before does not count",
        "all in the second bucket",
        "two buckets",
        "beyond the last bound",
        "no finite bound",
        "a restart in between",
    ],
)
def test_99_of_100_flushes_took_no_longer(
    before: dict[float, float], after: dict[float, float], expected: float | None
) -> None:
    found = slowest_between(before, after)
    assert found == (None if expected is None else pytest.approx(expected))
