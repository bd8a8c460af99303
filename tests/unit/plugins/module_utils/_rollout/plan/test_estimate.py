# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.estimate import seconds_per_node
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord


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
