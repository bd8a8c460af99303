# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_estimate import (
    update_estimate,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import HistoryEntry
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate


def entry(version: str, minutes: int | None) -> HistoryEntry:
    completed = "" if minutes is None else f"2026-11-21T{22 + minutes // 60:02}:{minutes % 60:02}:00Z"
    state = "Partial" if minutes is None else "Completed"
    return HistoryEntry(state, version, "image", "2026-11-21T22:00:00Z", completed, verified=True)


INSTALLED = entry("4.20.1", 35)


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        pytest.param([], Estimate(), id="no history"),
        pytest.param([INSTALLED], Estimate(), id="an installation tells nothing of an update"),
        pytest.param(
            [entry("4.20.2", 70), INSTALLED], Estimate(4200.0, "the update to 4.20.2 took 1h 10m"), id="one update"
        ),
        pytest.param(
            [entry("4.20.4", None), entry("4.20.3", 80), entry("4.20.2", 110), INSTALLED],
            Estimate(4800.0, "the update to 4.20.3 took 1h 20m"),
            id="one that was not completed does not count",
        ),
        pytest.param(
            [entry("4.20.5", 119), entry("4.20.4", 62), entry("4.20.3", 90), entry("4.20.2", 20), INSTALLED],
            Estimate(3720.0, "the update to 4.20.4 took 1h 2m"),
            id="the shortest of the last three",
        ),
        pytest.param([entry("4.20.2", 0), INSTALLED], Estimate(), id="no time at all tells nothing"),
        pytest.param(
            [HistoryEntry("Completed", "4.20.2", "image", "then", "later", verified=True), INSTALLED],
            Estimate(),
            id="times that are none",
        ),
    ],
)
def test_an_update_is_expected_to_take_as_long_as_the_last_ones(
    history: list[HistoryEntry], expected: Estimate
) -> None:
    assert update_estimate(history) == expected
