# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    FAULT,
    UNSETTLED,
    Finding,
    with_allowances,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.health import Health

WEB = Finding(FAULT, "Deployment", "web", "asks", "Do.", "pull_always", "shop")
NODE = Finding(UNSETTLED, "Node", "w-1", "goes", "Wait.", "node_updating")


@pytest.mark.parametrize(
    ("allowance", "allowed"),
    [
        ("pull_always", [True, False]),
        ("pull_always:shop/web", [True, False]),
        ("pull_always:shop/*", [True, False]),
        ("pull_*", [True, False]),
        ("*", [True, True]),
        ("node_updating:w-[12]", [False, True]),
        ("pull_always:web", [False, False]),
        ("web", [False, False]),
    ],
)
def test_what_an_allowance_covers(allowance: str, allowed: list[bool]) -> None:
    marked, idle = with_allowances([WEB, NODE], [allowance])
    assert [one.allowed for one in marked] == allowed
    assert idle == (() if any(allowed) else (allowance,))


def test_what_is_allowed_counts_neither_as_a_fault_nor_as_under_way() -> None:
    marked, _idle = with_allowances([WEB, NODE], ["pull_always", "node_updating"])
    health = Health(marked, "5 of 5 nodes ready")
    assert (health.healthy, health.settled) == (True, True)
    assert health.sentence == "healthy and settled: 5 of 5 nodes ready"
    assert health.findings == marked, "it is told all the same"
