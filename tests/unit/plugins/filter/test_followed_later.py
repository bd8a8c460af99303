# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The nodes that a loop reaches only after others have ended."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.filter.followed_later import followed_later
from ansible_collections.fieldops.openshift.plugins.plugin_utils._side_by_side import MOST

NODES = [f"node-{number}" for number in range(MOST + 3)]
BEYOND = NODES[MOST:]


@pytest.mark.parametrize(
    ("nodes", "waiting", "expected"),
    [
        pytest.param([], [], [], id="none"),
        pytest.param(NODES[:MOST], [], [], id="as many as there are places"),
        pytest.param(NODES, [], BEYOND, id="more"),
        pytest.param(NODES, NODES[:2], BEYOND, id="who waits for a turn has a place"),
        pytest.param(NODES, BEYOND[:2], BEYOND[2:], id="who waits for a turn is not started"),
    ],
)
def test_nodes_beyond_the_places_of_a_loop(nodes: list[str], waiting: list[str], expected: list[str]) -> None:
    assert followed_later(nodes, waiting) == expected
