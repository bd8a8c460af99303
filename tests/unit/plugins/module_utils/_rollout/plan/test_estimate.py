# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.estimate import (
    pool_estimate,
    seconds_per_node,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_faults import PoolSeen
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pool_progress import (
    PoolProgress,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    ROLLOUT_ANNOTATION,
    NodeRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate


def record(begun: str = "", done: str = "") -> NodeRecord:
    times = {phase: f"2026-11-21T22:{at}Z" for phase, at in (("draining", begun), ("done", done)) if at}
    return NodeRecord(phase="done", since="x", times=times)


@pytest.mark.parametrize(
    ("begun", "done", "seconds"),
    [
        ("00:00", "07:30.5", 450.5),
        ("", "07:30", None),
        ("00:00", "", None),
        ("07:00", "06:00", None),
        ("xx", "06:00", None),
    ],
)
def test_how_long_a_node_took(begun: str, done: str, seconds: float | None) -> None:
    assert record(begun, done).seconds == seconds


def test_one_slow_node_does_not_spoil_the_estimate() -> None:
    records = [record("00:00", "05:00"), record("00:00", "06:00"), record("00:00", "59:00"), record()]
    assert seconds_per_node(records) == 360


def test_nothing_done_means_nothing_known() -> None:
    assert seconds_per_node([record("00:00")]) is None


FIVE_MINUTES = record("00:00", "05:00")


@pytest.mark.parametrize(
    ("required", "records", "given", "expected"),
    [
        pytest.param(False, [], 0, Estimate(), id="nothing is known"),
        pytest.param(False, [], 1200, Estimate(1200, "the nodes of pool a may take 20m each"), id="as given"),
        pytest.param(
            True, [], 1200, Estimate(3600, "the nodes of pool a may take 20m each, and 3 wait"), id="all that wait"
        ),
        pytest.param(False, [FIVE_MINUTES], 1200, Estimate(300, "the nodes of pool a took 5m each"), id="as measured"),
        pytest.param(
            True,
            [FIVE_MINUTES],
            0,
            Estimate(900, "the nodes of pool a took 5m each, and 3 wait"),
            id="all, as measured",
        ),
        pytest.param(
            False, [NodeRecord(phase="failed", since="x", times=FIVE_MINUTES.times)], 0, Estimate(), id="failed"
        ),
    ],
)
def test_how_long_a_pool_takes(required: bool, records: list[NodeRecord], given: int, expected: Estimate) -> None:
    assert pool_estimate(pool(required), records, given) == expected


def test_what_this_rollout_has_measured_counts_before_what_nodes_say_of_the_last_one() -> None:
    before = {"metadata": {"name": "a-0", "annotations": {ROLLOUT_ANNOTATION: record("00:00", "59:00").as_text()}}}
    seen = PoolSeen(pool(False), [before])
    assert pool_estimate(seen.progress, seen.records, 0).seconds == 3540
    seen = PoolSeen(pool(False), [before], {"a-1": FIVE_MINUTES})
    assert pool_estimate(seen.progress, seen.records, 0).seconds == 300


@pytest.mark.parametrize(
    ("records", "seconds"),
    [
        pytest.param([], 420, id="the median of the pool's nodes in earlier rollouts"),
        pytest.param([FIVE_MINUTES], 300, id="this rollout first"),
    ],
)
def test_times_of_earlier_rollouts(records: list[NodeRecord], seconds: float) -> None:
    earlier = {"a-0": 360.0, "a-2": 480.0, "of-another-pool": 9000.0}
    assert pool_estimate(pool(False), records, 1200, earlier).seconds == seconds


def pool(required: bool) -> PoolProgress:
    waiting = ["a-0", "a-1", "a-2"]
    return PoolProgress("a", "c", "", required, [], [], waiting, [], {})
